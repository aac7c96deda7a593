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
  /**
   * `scheme://host:port` of its endpoint. The operator has approved it, so this partner may be reached there even in a
   * private network. Null if the host depends on keys.
   */
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
 * An app with everything its auctions depend on. An app without moderation has only its name, zones and test devices:
 * its requests get "not live", and its owner's lists use no memory.
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
  /** Facts about the app and its ads that buyers are sent, beyond its blocks; see `applyAppRules`. */
  rules: { categories: readonly string[]; onlyImages: boolean; isMuted: boolean };
  /** Advertising ids, in lower case, of devices whose ads are never billed. */
  testDevices: ReadonlySet<string>;
  /** As the auction records it. */
  facts: AppSnapshot;
  zones: ReadonlyMap<string, ZoneConfig>;
  /** All partners of the platform, including those without keys. */
  demand: readonly Demand[];
  demandByPartner: ReadonlyMap<string, Demand>;
}

/** The exchange's configuration at one moment. Immutable. */
export interface Snapshot {
  /** Computed from the content, so that every process has the same version for the same configuration. */
  version: string;
  byId: ReadonlyMap<number, AppConfig>;
  byUuid: ReadonlyMap<string, AppConfig>;
  /**
   * Apps by bundle id or domain in lower case, in the order of their ids; several if platforms or accounts share it.
   */
  byBundle: ReadonlyMap<string, readonly AppConfig[]>;
  partners: ReadonlyMap<string, PartnerConfig>;
}
