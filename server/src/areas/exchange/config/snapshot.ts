import type { Format, Platform } from "@millrace/contract";
import type { AppSnapshot } from "@millrace/auction";
import type { MediaType } from "@millrace/openrtb";
import type { Adapter, PartnerSettings } from "@millrace/partners";

/** A partner as auctions ask it. */
export interface PartnerConfig {
  id: string;
  name: string;
  adapter: Adapter;
  settings: PartnerSettings;
  mediaTypes: MediaType[];
  gvlId: number | undefined;
  active: boolean;
  /** `scheme://host:port` of its endpoint: the operator has named it, so this partner alone may be reached there wherever it is. Null where the host depends on keys. */
  origin: string | null;
}

/** A partner and an app's keys at it. */
export interface Demand {
  partner: PartnerConfig;
  /** Switched on for banner-like imps and for video-like ones, each with its own keys. */
  banner: Record<string, unknown> | null;
  video: Record<string, unknown> | null;
  /** Keys were entered and all of them are switched off. */
  isOff: boolean;
}

export interface ZoneConfig {
  zone: string;
  name: string;
  format: Format;
  refreshSeconds: number;
}

/**
 * An app with all that its auctions depend on. One that no moderator has let in is here by name, zones and test devices
 * alone: it is told that it is not live, and whatever lists its owner enters weigh nothing.
 */
export interface AppConfig {
  id: number;
  uuid: string;
  accountId: number;
  name: string;
  bundleId: string;
  platform: Platform;
  url: string | null;
  demo: boolean;
  /** What buyers are told of the app and its ads beside its blocks, see `applyAppRules`. */
  rules: { categories: readonly string[]; onlyImages: boolean; isMuted: boolean };
  /** Advertising ids, in lower case, of devices whose ads are never billed. */
  testDevices: ReadonlySet<string>;
  /** As the auction records it. */
  facts: AppSnapshot;
  zones: ReadonlyMap<string, ZoneConfig>;
  /** Every partner of the platform, those without keys included. */
  demand: readonly Demand[];
  demandByPartner: ReadonlyMap<string, Demand>;
}

/** What the exchange decides by, at one moment; never changed, only replaced. */
export interface Snapshot {
  /** Made of the content: the same configuration has the same version in every process. */
  version: string;
  byId: ReadonlyMap<number, AppConfig>;
  byUuid: ReadonlyMap<string, AppConfig>;
  /** Apps by bundle id or domain in lower case, in the order of their ids; several where platforms or accounts share it. */
  byBundle: ReadonlyMap<string, readonly AppConfig[]>;
  partners: ReadonlyMap<string, PartnerConfig>;
}
