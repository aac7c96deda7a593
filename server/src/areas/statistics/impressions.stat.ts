import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";

export const IMPRESSION_COLUMNS = `\
    toUnixTimestamp64Milli(at) AS atMs,
    event_id AS eventId,
    toString(auction_id) AS auction,
    zone,
    format,
    toString(country) AS country,
    provider,
    toString(device) AS device,
    revenue_micros AS revenue,
    expected_micros AS expected,
    if(paid_told = 1, paid_micros, NULL) AS paid`;

export const impressionRow = z.object({
  atMs: countColumn,
  eventId: z.string(),
  auction: z.guid(),
  zone: z.string(),
  format: z.string(),
  country: z.string(),
  provider: z.string(),
  /** The platform's keyed hash of the device. */
  device: z.string(),
  /** The publisher's part. */
  revenue: microsColumn,
  /** Of a line item: the CPM that is expected, and the one that its seller's SDK told, if it did. */
  expected: microsColumn,
  paid: microsColumn.nullable(),
});

export const moment = (param: string) => `fromUnixTimestamp64Milli({${param}:Int64}, 'UTC')`;

/** The counted impressions of an app, from `fromMs` up to `toMs` and behind a place, oldest first. */
export const impressionsOf = defineStat({
  name: "impressions",
  sql: `
SELECT
${IMPRESSION_COLUMNS}
FROM events
WHERE app_id = {appId:UInt32} AND kind = 'impression' AND invalid = ''
  AND at >= ${moment("fromMs")} AND at < ${moment("toMs")}
  AND (at, event_id) > (${moment("afterMs")}, {afterId:String})
ORDER BY events.at, events.event_id
LIMIT {rows:UInt32}`,
  params: z.object({
    appId: z.int(),
    fromMs: z.int(),
    toMs: z.int(),
    afterMs: z.int(),
    afterId: z.string(),
    rows: z.int(),
  }),
  row: impressionRow,
});
export type ImpressionsQuestion = z.input<(typeof impressionsOf)["params"]>;
export type FoundImpression = z.output<(typeof impressionsOf)["row"]>;
