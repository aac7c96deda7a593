import type { Format, LineSource, Platform, WorldRegion } from "@millrace/contract";
import type { AppSnapshot } from "@millrace/auction";
import type { MediaType } from "@millrace/openrtb";
import type { Adapter, PartnerSettings } from "@millrace/partners";
import type { DatedShare } from "@millrace/units";

/** How a partner is called: at its main address, or at the one that it has in a region. */
export interface PartnerRoute {
  settings: PartnerSettings;
  /**
   * `scheme://host:port` of the address. The operator has approved it, so this partner may be reached there even in a
   * private network. Null if the host depends on keys.
   */
  origin: string | null;
}

/** A partner's configuration for auctions. Its own route is the main one. */
export interface PartnerConfig extends PartnerRoute {
  id: string;
  name: string;
  adapter: Adapter;
  mediaTypes: MediaType[];
  /** Of apps; absent for all. */
  platforms?: readonly Platform[];
  /** Of devices' countries; absent for all. */
  regions?: readonly WorldRegion[];
  /** The routes of the regions in which it has an address of its own. */
  routes: ReadonlyMap<string, PartnerRoute>;
  /** The origins of all its routes. */
  origins: ReadonlySet<string>;
  gvlId: number | undefined;
  active: boolean;
  /** The most requests per second. */
  qpsLimit?: number;
}

/** A partner's route to where it buys a region's requests; `region` is undefined if the country is unknown. */
export const routeIn = (partner: PartnerConfig, region: string | undefined): PartnerRoute =>
  (region === undefined ? undefined : partner.routes.get(region)) ?? partner;

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
  /** Of its rewarded ads; null for the app's reward. */
  reward: { name: string; amount: number } | null;
}

/** A line item of an app. */
export interface LineItemConfig {
  id: number;
  uuid: string;
  /** Its id as a participant of auctions. */
  participantId: string;
  name: string;
  format: Format;
  zones: readonly string[];
  enabled: boolean;
  source: LineSource;
  /** CPM in micro-dollars by country; with an empty country, for every other. */
  prices: ReadonlyMap<string, number>;
  gvlId: number | undefined;
}

/**
 * An app with all settings of its auctions. Before moderation it only has its name, zones and test devices: its requests
 * get "not live", and its owner's lists take no memory.
 */
export interface AppConfig {
  id: number;
  uuid: string;
  accountId: number;
  /** By which buyers find the account in its app-ads.txt and in the platform's sellers.json. */
  sellerId: string;
  name: string;
  bundleId: string;
  /** What OpenRTB calls its bundle: an app of the App Store has its number there, any other its bundle id (2.6, section 3.2.14). */
  bundle: string;
  platform: Platform;
  url: string | null;
  demo: boolean;
  /** Banned: its SDKs are told to drop the ads that they have loaded. */
  isSwitchedOff: boolean;
  /** Rules that `applyAppRules` adds to requests, besides the blocks. */
  rules: { categories: readonly string[]; onlyImages: boolean; isMuted: boolean };
  /** Partners are not asked where they are predicted not to bid. */
  skipsPartners: boolean;
  /** Floors above the publisher's own are learned from its traffic. */
  hasAutomaticFloors: boolean;
  /** What a user earns with a rewarded ad, and the address of the publisher's server that is told of it; null for none. */
  reward: { name: string; amount: number; callbackUrl: string | null };
  /** In this share of its auctions, 0 to 1, line items are ranked at drawn prices. */
  explorationShare: number;
  /** Advertising ids, in lower case, of devices whose ads are never billed. */
  testDevices: ReadonlySet<string>;
  /** What its account gets of the cleared price, from a day on; before the first of them, and without any, the platform's share. */
  shares: readonly DatedShare[];
  /** As the auction records it. */
  facts: AppSnapshot;
  zones: ReadonlyMap<string, ZoneConfig>;
  lineItems: readonly LineItemConfig[];
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
   * Apps by bundle id, number in the App Store or domain in lower case, in the order of their ids; several if platforms or accounts share it.
   */
  byBundle: ReadonlyMap<string, readonly AppConfig[]>;
  partners: ReadonlyMap<string, PartnerConfig>;
}
