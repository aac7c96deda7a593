import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import { IMPRESSION_COLUMNS, impressionRow, moment } from "./impressions.stat.ts";

/** Larger than any step back of the store's clock. */
const SLACK_MS = 5000;

/**
 * A moment before which nothing is stored any more: an insert stamps its rows after it has begun, and its rows can be read once it
 * has ended.
 */
export const storedUntil = defineStat({
  name: "stored until",
  sql: `
SELECT toUnixTimestamp64Milli(now64(3)) - toInt64(ceil(maxIf(elapsed, query_kind = 'Insert') * 1000)) - ${SLACK_MS} AS untilMs
FROM system.processes`,
  params: z.object({}),
  row: z.object({ untilMs: countColumn }),
});

const counts = "kind = 'impression' AND invalid = ''";
const place = "(stored_at, at, event_id)";

/** The first condition is for the column's index. */
const between = `
  stored_at >= ${moment("afterStoredMs")} AND stored_at <= ${moment("untilStoredMs")}
  AND ${place} > (${moment("afterStoredMs")}, ${moment("afterAtMs")}, {afterId:String})
  AND ${place} <= (${moment("untilStoredMs")}, ${moment("untilAtMs")}, {untilId:String})`;

const BETWEEN_PARAMS = {
  appId: z.int(),
  afterStoredMs: z.int(),
  afterAtMs: z.int(),
  afterId: z.string(),
  untilStoredMs: z.int(),
  untilAtMs: z.int(),
  untilId: z.string(),
};

/** The counted impressions of an app behind a place and up to another, in the order in which they were stored. */
export const storedImpressions = defineStat({
  name: "stored impressions",
  sql: `
SELECT
    toUnixTimestamp64Milli(stored_at) AS storedMs,
${IMPRESSION_COLUMNS}
FROM events
WHERE app_id = {appId:UInt32} AND ${counts} AND ${between}
ORDER BY events.stored_at, events.at, events.event_id
LIMIT {rows:UInt32}`,
  params: z.object({ ...BETWEEN_PARAMS, rows: z.int() }),
  row: impressionRow.extend({ storedMs: countColumn }),
});

export const countStored = defineStat({
  name: "count stored impressions",
  sql: `
SELECT count() AS impressions, toUnixTimestamp64Milli(min(at)) AS oldestMs
FROM events
WHERE app_id = {appId:UInt32} AND ${counts} AND ${between}`,
  params: z.object(BETWEEN_PARAMS),
  row: z.object({ impressions: countColumn, oldestMs: countColumn }),
});

/** Those of the apps that have counted impressions stored in a time. */
export const appsWithStored = defineStat({
  name: "apps with stored impressions",
  sql: `
SELECT DISTINCT app_id AS appId
FROM events
WHERE app_id IN {appIds:Array(UInt32)} AND ${counts}
  AND stored_at >= ${moment("fromMs")} AND stored_at < ${moment("untilMs")}`,
  params: z.object({ appIds: z.array(z.int()), fromMs: z.int(), untilMs: z.int() }),
  row: z.object({ appId: z.int() }),
});
