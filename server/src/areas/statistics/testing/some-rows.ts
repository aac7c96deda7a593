import { randomUUID } from "node:crypto";
import type { ClickHouse } from "../../../platform/clickhouse/connect-clickhouse.ts";
import {
  type AuctionRow,
  type CampaignMissesRow,
  type DroppedEventsRow,
  type EventRow,
  type Rows,
  atSeconds,
} from "../rows.ts";
import type { Scope } from "../scope.ts";
import { shipToClickHouse } from "../ship-to-clickhouse.ts";

const at = (time: string): string => atSeconds(Date.parse(time));

/** A request with an answer; what a test is about is in `row`. */
export const auction = (time: string, row: Partial<AuctionRow> = {}): AuctionRow => ({
  at: at(time),
  auction_id: randomUUID(),
  imp_id: "1",
  app_id: 1,
  zone: "main",
  format: "banner",
  country: "US",
  platform: "android",
  device: "1",
  asked: ["aurora", "borealis"],
  outcomes: ["bid", "no_bid"],
  latencies_ms: [10, 20],
  bids_micros: [2_000_000, 0],
  winner: "aurora",
  price_micros: 2_000_000,
  no_ad: "",
  duration_ms: 12.5,
  demo: 0,
  ...row,
});

const event = (time: string, row: Partial<EventRow>): EventRow => ({
  at: at(time),
  kind: "impression",
  event_id: randomUUID(),
  auction_id: randomUUID(),
  app_id: 1,
  zone: "",
  format: "",
  country: "US",
  platform: "android",
  provider: "",
  sdk_version: "1.0.0",
  device: "1",
  revenue_micros: 0,
  cost_micros: 0,
  seconds: 0,
  invalid: "",
  demo: 0,
  ...row,
});

const ofAnAd = { zone: "main", format: "banner", provider: "aurora" } as const;
export const impression = (time: string, row: Partial<EventRow> = {}): EventRow =>
  event(time, { ...ofAnAd, revenue_micros: 1600, cost_micros: 2000, ...row });
export const click = (time: string, row: Partial<EventRow> = {}): EventRow =>
  event(time, { ...ofAnAd, kind: "click", ...row });
export const session = (time: string, row: Partial<EventRow> = {}): EventRow =>
  event(time, { kind: "session", ...row });
export const ping = (time: string, seconds: number, row: Partial<EventRow> = {}): EventRow =>
  event(time, { kind: "ping", seconds, ...row });

export const droppedEvents = (time: string, row: Partial<DroppedEventsRow> = {}): DroppedEventsRow => ({
  at: at(time),
  kind: "click",
  app_id: 1,
  format: "banner",
  country: "US",
  provider: "aurora",
  invalid: "device_flood",
  events: 1,
  ...row,
});

export const campaignMisses = (time: string, row: Partial<CampaignMissesRow> = {}): CampaignMissesRow => ({
  at: at(time),
  campaign_id: 7,
  reason: "paced",
  auctions: 1,
  ...row,
});

/** Puts rows into the store as the journal does, under one token for each table. */
export async function keep(
  clickhouse: ClickHouse,
  rows: { [T in keyof Rows]?: Rows[T][] },
  token: string = randomUUID(),
): Promise<void> {
  const ship = shipToClickHouse(clickhouse.write);
  for (const [table, list] of Object.entries(rows)) {
    if (list.length === 0) continue;
    const block = Buffer.from(list.map((row) => `${JSON.stringify(row)}\n`).join(""));
    await ship({ table, token: `${token}:${table}`, count: list.length, rows: block });
  }
}

/** One app, without filters. */
export const scopeOf = (ds: string, de: string, rest: Partial<Scope> = {}): Scope => ({
  appIds: [1],
  range: { ds, de },
  providers: [],
  formats: [],
  countries: [],
  ...rest,
});
