import type { Format, Platform } from "@millrace/contract";
import type { AppSnapshot } from "@millrace/auction";
import type { MediaType } from "@millrace/openrtb";
import type { Adapter, PartnerSettings } from "@millrace/partners";
import type { DatedShare } from "@millrace/units";

/** A partner's configuration for auctions. */
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

/** An app's keys at a partner. */
export interface Demand {
  partner: PartnerConfig;
  /** The keys for banner-like and for video-like imps; null if not switched on. */
  banner: Record<string, unknown> | null;
  video: Record<string, unknown> | null;
  /** There are keys, and all of them are switched off. */
  isOff: boolean;
}

export interface ZoneConfig {
  zone: string;
  name: string;
  format: Format;
  refreshSeconds: number;
}

/**
 * An app with all settings of its auctions. Before moderation it only has its name, zones and test devices: its requests
 * get "not live", and its owner's lists take no memory.
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
  /** Banned: its SDKs are told to drop the ads that they have loaded. */
  isSwitchedOff: boolean;
  /** Rules that `applyAppRules` adds to requests, besides the blocks. */
  rules: { categories: readonly string[]; onlyImages: boolean; isMuted: boolean };
  /** Partners are not asked where they are predicted not to bid. */
  skipsPartners: boolean;
  /** Advertising ids, in lower case, of devices whose ads are never billed. */
  testDevices: ReadonlySet<string>;
  /** What its account gets of the cleared price, from a day on; before the first of them, and without any, the platform's share. */
  shares: readonly DatedShare[];
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
