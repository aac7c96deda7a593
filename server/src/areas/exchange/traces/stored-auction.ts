import type { ClickHouseClient } from "@clickhouse/client";
import { FORMATS, PLAYER_EVENTS, STEP_OUTCOMES } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat, runStat } from "../../../platform/clickhouse/define-stat.ts";

export interface TraceStore {
  clickhouse: ClickHouseClient;
  /** Resolves once recent rows can be read. */
  look(): Promise<void>;
}

/** The stored trace of one auction. */
const traceOf = defineStat({
  name: "trace-of-auction",
  sql: "SELECT app_id, trace FROM traces WHERE auction_id = {id:UUID} LIMIT 1",
  params: z.object({ id: z.guid() }),
  row: z.object({ app_id: countColumn, trace: z.string() }),
});

/** The requests of an auction. The index on auction_id finds them without a moment or an app. */
const requestsOf = defineStat({
  name: "requests-of-auction",
  sql: `SELECT app_id AS appId, toUnixTimestamp64Milli(at) AS atMs, toString(imp_id) AS imp, zone, format,
      toString(country) AS country, asked, outcomes, arrayMap(ms -> toFloat64(ms), latencies_ms) AS latenciesMs,
      bids_micros AS bidsMicros, winner, campaign_id AS campaignId, price_micros AS priceMicros, no_ad AS noAd,
      toFloat64(duration_ms) AS durationMs
    FROM auctions WHERE app_id IN {apps:Array(UInt32)} AND auction_id = {id:UUID} ORDER BY imp LIMIT 100`,
  params: z.object({ apps: z.array(z.int()), id: z.guid() }),
  row: z.object({
    appId: z.int(),
    atMs: countColumn,
    imp: z.string(),
    zone: z.string(),
    format: z.enum(FORMATS),
    country: z.string(),
    /** What each partner asked did, in parallel; empty in rows from before this was recorded. */
    asked: z.array(z.string()),
    outcomes: z.array(z.string()),
    latenciesMs: z.array(z.number()),
    bidsMicros: z.array(countColumn),
    winner: z.string(),
    campaignId: z.int(),
    priceMicros: countColumn,
    noAd: z.string(),
    durationMs: z.number(),
  }),
});
/** One request of an auction, as its row tells it. */
export type StoredRequest = z.output<typeof requestsOf.row>;

/** Beacons live for a day; later ones are recorded as expired. */
const FOLLOWING_DAYS = 2;
const MOST_EVENTS = 200;

/** The impressions and clicks of an auction's ads, also those that do not count. */
const eventsOf = defineStat({
  name: "events-of-auction",
  sql: `SELECT toUnixTimestamp64Milli(at) AS atMs, kind, provider, campaign_id AS campaignId, toString(imp_id) AS imp, zone, format, invalid,
      revenue_micros AS revenueMicros, gross_micros AS grossMicros, expected_micros AS expectedMicros, sdk_version AS sdkVersion
    FROM events
    WHERE app_id = {app:UInt32} AND auction_id = {id:UUID} AND kind IN ('impression', 'click')
      AND at >= fromUnixTimestamp64Milli({atMs:Int64}, 'UTC')
      AND at < fromUnixTimestamp64Milli({atMs:Int64}, 'UTC') + INTERVAL ${FOLLOWING_DAYS} DAY
    ORDER BY events.at, kind DESC LIMIT ${MOST_EVENTS}`,
  params: z.object({ app: z.int(), id: z.guid(), atMs: z.int() }),
  row: z.object({
    atMs: countColumn,
    kind: z.enum(["impression", "click"]),
    provider: z.string(),
    campaignId: z.int(),
    /** As the request's row has it; empty in rows from before this was recorded. */
    imp: z.string(),
    zone: z.string(),
    format: z.string(),
    invalid: z.string(),
    revenueMicros: countColumn,
    /** What the impression was sold for; 0 of a line item's. */
    grossMicros: countColumn,
    /** CPM that a line item was expected to pay. */
    expectedMicros: countColumn,
    sdkVersion: z.string(),
  }),
});
export type StoredEvent = z.output<typeof eventsOf.row>;

/** The events of an imp, named as rows name it. Those that do not tell theirs are of each imp of their zone and format. */
export const eventsOfImp = (
  events: readonly StoredEvent[],
  impId: string,
  row: Pick<StoredRequest, "zone" | "format"> | undefined,
): StoredEvent[] =>
  events.filter(({ imp, zone, format }) =>
    imp === "" ? row === undefined || (zone === row.zone && format === row.format) : imp === impId,
  );

/** The player events of one auction's ads, each once, in order. */
const playerEventsOf = defineStat({
  name: "player-events-of-auction",
  sql: `SELECT any(provider) AS provider, any(creative) AS creative, any(event) AS event, any(error_code) AS error_code, any(zone) AS zone,
      any(format) AS format, toUnixTimestamp64Milli(min(at)) AS at_ms
    FROM player_events WHERE app_id = {app:UInt32} AND auction_id = {id:UUID}
    GROUP BY event_id ORDER BY at_ms, event LIMIT ${MOST_EVENTS}`,
  params: z.object({ app: z.int(), id: z.guid() }),
  row: z.object({
    provider: z.string(),
    creative: z.string(),
    event: z.enum([...PLAYER_EVENTS, ...STEP_OUTCOMES, "error"]),
    error_code: countColumn,
    zone: z.string(),
    format: z.string(),
    at_ms: countColumn,
  }),
});
export type StoredPlayerEvent = z.output<typeof playerEventsOf.row>;

export interface StoredTrace {
  appId: number;
  /** The trace exactly as recorded. */
  bytes: Uint8Array;
}

/** The trace of an auction; null if none was kept. */
export async function findTrace({ clickhouse, look }: TraceStore, auctionId: string): Promise<StoredTrace | null> {
  await look();
  const [row] = await runStat(clickhouse, traceOf, { id: auctionId });
  return row ? { appId: row.app_id, bytes: new TextEncoder().encode(row.trace) } : null;
}

/** An auction's requests in these apps; empty if they were tests, or are no longer kept. */
export const findRequests = ({ clickhouse }: TraceStore, apps: readonly number[], id: string) =>
  runStat(clickhouse, requestsOf, { apps: [...apps], id });

/** What followed an auction, in order. */
export async function findFollowing({ clickhouse }: TraceStore, app: number, id: string, atMs: number) {
  const [events, playerEvents] = await Promise.all([
    runStat(clickhouse, eventsOf, { app, id, atMs }),
    runStat(clickhouse, playerEventsOf, { app, id }),
  ]);
  return { events, playerEvents };
}
