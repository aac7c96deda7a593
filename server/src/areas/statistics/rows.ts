import type { FloorArm, ResponseStatus } from "@millrace/auction";
import type { CampaignPlatform, Format, Platform, PlayerEvent, StepOutcome } from "@millrace/contract";

/** A moment as ClickHouse's DateTime64(3) reads it from JSON: epoch milliseconds as `seconds.millis`. */
export type AtSeconds = string;
export const atSeconds = (epochMs: number): AtSeconds => (epochMs / 1000).toFixed(3);

/** One ad request: a row of table `auctions`, one for each imp of an auction. */
export interface AuctionRow {
  at: AtSeconds;
  auction_id: string;
  imp_id: string;
  app_id: number;
  zone: string;
  format: Format;
  country: string;
  platform: Platform;
  /** 64-bit keyed hash of the device id, as a decimal string. */
  device: string;
  /** Providers that were sent the request. The three arrays that follow are parallel to it. */
  asked: string[];
  /** How each call ended: a response status of `@millrace/auction`. */
  outcomes: ResponseStatus[];
  /** How long each took to answer, or until the auction stopped waiting. */
  latencies_ms: number[];
  /** The highest price of each that it bid on this imp, valid or not; 0 if it made no bid. */
  bids_micros: number[];
  /** With which probability each was asked, -1 where nothing is learned from it; absent if all were asked for sure. */
  ask_probabilities?: number[];
  /** Provider of the first ad of the answer, empty when there was none. */
  winner: string;
  price_micros: number;
  /** Why no ad was returned (a reason code of `@millrace/auction`), empty when there was one. */
  no_ad: string;
  duration_ms: number;
  /** What the first ad was ranked at, as CPM, if it is a line item's or a cross promotion's, which have no price. */
  expected_micros?: number;
  /** CPM that a bid had to reach; 0 for none. */
  floor_micros?: number;
  /** How it was drawn where floors are automatic; absent elsewhere. The step is 0 for the publisher's own floor. */
  floor_arm?: FloorArm;
  floor_step?: number;
  floor_probability?: number;
  /** ISO 3166-2, of those that campaigns are targeted by; empty if unknown. */
  region?: string;
  /** The major version of the operating system; 0 if unknown. */
  os_major?: number;
  /** `wifi`, `cellular` or `ethernet`; empty if unknown. */
  connection?: string;
  /** Of a campaign's targeting; empty for any other device, and where no campaign may bid. */
  campaign_platform?: CampaignPlatform | "";
  /** Banner sizes that the imp takes, as `320x50`. */
  sizes?: string[];
  /** Media that the imp takes: banner, video, native, audio. Empty where no campaign may bid, such as in an app that is not live. */
  media?: string[];
  /** Of the first ad; 0 if it is no campaign's. */
  campaign_id?: number;
  creative_id?: number;
  /** The part of an experiment; empty without one. */
  arm?: string;
  /**
   * Of every returned ad that is a campaign's, a cross promotion's or a line item's, best first. The arrays are parallel; if they are
   * absent, the store has the first ad alone.
   */
  campaign_ids?: number[];
  creative_ids?: number[];
  arms?: string[];
  demo: 0 | 1;
}

/** Something that happened on a device: a row of table `events`. */
export interface EventRow {
  at: AtSeconds;
  kind: "impression" | "click" | "session" | "ping";
  /** What makes it unique: the same id is one event, however often it is sent. */
  event_id: string;
  auction_id: string;
  /** The imp of an ad's event, as in `auctions`; absent for any other. */
  imp_id?: string;
  app_id: number;
  zone: string;
  format: Format | "";
  country: string;
  platform: Platform;
  provider: string;
  sdk_version: string;
  device: string;
  /** The publisher's share. */
  revenue_micros: number;
  /** What a campaign's advertiser pays; 0 for any other ad. */
  cost_micros: number;
  /** What the demand source pays for the impression, a campaign or a partner; absent for any other event. */
  gross_micros?: number;
  /** The day on which this installation first ran the SDK; absent where it is not known. */
  first_day?: string | undefined;
  /** Foreground seconds that a ping adds to its session. */
  seconds: number;
  /** Why it does not count (invalid traffic), empty when it does. */
  invalid: string;
  /** Of a campaign's ad or a line item's; 0 or absent for any other. */
  campaign_id?: number;
  creative_id?: number;
  arm?: string;
  /** Of a line item's impression, as CPM: its stated price, what it was expected to pay, and what its SDK told that it paid. */
  stated_micros?: number;
  expected_micros?: number;
  paid_micros?: number;
  /** Whether it told that; it may have told 0. */
  paid_told?: 0 | 1;
  demo: 0 | 1;
}

/** The full record of one auction's decision: a row of table `traces`. */
export interface TraceRow {
  at: AtSeconds;
  auction_id: string;
  app_id: number;
  /** Canonical JSON of `@millrace/auction`'s Trace. */
  trace: string;
  demo: 0 | 1;
}

/** What a player told of an ad, or an SDK of an adapter: a row of table `player_events`. */
export interface PlayerEventRow {
  at: AtSeconds;
  event: PlayerEvent | StepOutcome | "error";
  /** The same id is one event, however often it is sent. */
  event_id: string;
  auction_id: string;
  app_id: number;
  zone: string;
  format: Format;
  country: string;
  platform: Platform;
  provider: string;
  creative: string;
  /** VAST's code of an error; 0 of any other event. */
  error_code: number;
  /** The device's keyed hash, as a decimal string. */
  device: string;
  /** Of a campaign's ad or a line item's; 0 of any other. */
  campaign_id: number;
  demo: 0 | 1;
}

/** Invalid events of a flood that were not kept one by one: a row of table `dropped_events`. */
export interface DroppedEventsRow extends Pick<
  EventRow,
  "at" | "app_id" | "format" | "country" | "provider" | "invalid"
> {
  kind: "impression" | "click";
  events: number;
}

/** Auctions that a campaign fits and did not enter: a row of table `campaign_misses`. */
export interface CampaignMissesRow {
  at: AtSeconds;
  campaign_id: number;
  reason: string;
  auctions: number;
}

/** A conversion that a postback reported: a row of table `conversions`. Equal rows are one. */
export interface ConversionRow {
  at: AtSeconds;
  event_id: string;
  campaign_id: number;
  creative_id: number;
  /** The part of an experiment; empty without one. */
  arm: string;
  app_id: number;
  format: Format;
  country: string;
  platform: Platform;
  /** As the provider names it. */
  event: string;
  /** What it followed. */
  kind: "click" | "view";
  /** The event is the one that the campaign counts. */
  is_goal: 0 | 1;
  /** When the ad was clicked or shown. */
  ad_at: AtSeconds;
  demo: 0 | 1;
}

/** The row of each table, by table name. */
export interface Rows {
  auctions: AuctionRow;
  events: EventRow;
  traces: TraceRow;
  player_events: PlayerEventRow;
  dropped_events: DroppedEventsRow;
  campaign_misses: CampaignMissesRow;
  conversions: ConversionRow;
}

/**
 * Takes rows on their way to the analytical store. `append` resolves once the row is durable (it will be counted, once,
 * whatever crashes); it rejects with Problem `unavailable` when nothing can be kept, and the caller must answer 503.
 */
export interface EventSink {
  append<T extends keyof Rows>(table: T, row: Rows[T]): Promise<void>;
  /** The same for many rows, which are kept together or not at all. */
  appendAll<T extends keyof Rows>(table: T, rows: readonly Rows[T][]): Promise<void>;
}
