import { LATEST_EARNINGS } from "@millrace/contract";

export type RawTable = "auctions" | "events";

const OF_DAY = "at >= toDateTime64({day:Date}, 3, 'UTC') AND at < toDateTime64({day:Date}, 3, 'UTC') + INTERVAL 1 DAY";
/** Who wrote it is known by its rows alone: an equal statement of another time must not be taken for the same. */
const ALONE = "SETTINGS insert_deduplicate = 0, max_threads = 1, max_insert_threads = 1";

/** Which rows of a raw table devices_by_hours has, and as what. */
const devices = (table: RawTable, role: { provider: string; format: string }, where: string) => `
INSERT INTO devices_by_hours
SELECT app_id, {day:Date} AS day, ${role.provider} AS provider, ${role.format} AS format, country, device,
    groupBitOr(bitShiftLeft(toUInt32(1), toHour(at, 'UTC'))) AS hours
FROM ${table}
WHERE ${OF_DAY} AND ${where}
GROUP BY app_id, provider, format, country, device
${ALONE}`;

/** Of the rows that are there, for the month's generation: late rows of a retired month have their own. */
const SENT = `
INSERT INTO sent_hourly (app_id, hour, provider, format, country, zone, sent, generation)
SELECT app_id, toStartOfHour(at, 'UTC') AS hour, arrayJoin(arrayDistinct(asked)) AS provider, format, country, zone, count() AS sent,
    {generation:UInt32} AS generation
FROM auctions
WHERE ${OF_DAY}
GROUP BY app_id, hour, provider, format, country, zone
${ALONE}`;

const LATEST = `
INSERT INTO latest_earnings
SELECT app_id, {day:Date} AS day, at, event_id, auction_id, provider, format, country, revenue_micros
FROM events
WHERE ${OF_DAY} AND kind = 'impression' AND invalid = '' AND revenue_micros > 0
ORDER BY at DESC, event_id DESC
LIMIT ${LATEST_EARNINGS} BY app_id, provider, format, country
${ALONE}`;

/** What is kept of one day of each raw table before its rows go. Each may be run again: what it wrote is replaced. */
export const FILLS: Record<RawTable, readonly string[]> = {
  auctions: [devices("auctions", { provider: "''", format: "format" }, "1"), SENT],
  events: [
    devices("events", { provider: "''", format: "''" }, "kind = 'session' AND invalid = ''"),
    devices(
      "events",
      { provider: "provider", format: "format" },
      "kind = 'impression' AND invalid = '' AND provider != ''",
    ),
    LATEST,
  ],
};
