import type { ClickHouseClient } from "@clickhouse/client";
import { FLOOR_ARMS } from "@millrace/auction";
import { z } from "zod";
import { countColumn, defineStat, runStat } from "../../platform/clickhouse/define-stat.ts";

/** So many days are compared; older ones say little of today's market. */
const DAYS = 28;

/** SDKs show no ad later than this. Requests that may still earn are left out, whichever floor they had. */
const SHOWN_WITHIN_SECONDS = 3600;

const DAY_SECONDS = 86_400;

const evidenceParams = z.object({ appIds: z.array(z.int()), now: z.int() });

/** What an impression was sold for, as CPM. Of a line item, which pays outside the platform, it is what it was expected to pay. */
const PRICE = "gross_micros * 1000 + expected_micros";
const IS_COUNTED = "kind = 'impression' AND invalid = ''";

/** The CPM of the counted impressions of a time, by these columns. */
const worthBy = (columns: string, which: string) => `
    SELECT ${columns}, sum(toFloat64(${PRICE})) AS worth
    FROM events
    WHERE app_id IN {appIds:Array(UInt32)} AND ${IS_COUNTED} AND ${which}
        AND at >= toDateTime({from:UInt32}, 'UTC')
        AND at < toDateTime({until:UInt32}, 'UTC') + INTERVAL ${SHOWN_WITHIN_SECONDS} SECOND
    GROUP BY ${columns}`;

/**
 * What requests of a time earned where floors are automatic, by cell, and by how their floors were drawn: counts, and sums of the
 * CPM of their counted impressions and of its square. So a first ad that an adapter does not have earns nothing, and the ad behind
 * it what it was sold for. `recent` has the same sums with a half-life. Impressions from before their imps were recorded are matched by
 * zone and format, which two imps of an auction may share.
 */
const floorEvidence = defineStat({
  name: "floor-evidence",
  sql: `
SELECT
    app_id AS appId, asked.format AS format, toString(country) AS country, platform,
    floor_arm AS arm, floor_step AS step, toFloat64(floor_probability) AS probability,
    count() AS requests,
    sum(shown.worth + earlier.worth AS worth) AS total,
    sum(worth * worth) AS totalSquares,
    sum(weight) AS recent,
    sum(worth * weight) AS recentTotal
FROM
(
    SELECT app_id, auction_id, imp_id, zone, format, country, platform, floor_arm, floor_step, floor_probability,
        exp2(-dateDiff('second', at, toDateTime({now:UInt32}, 'UTC')) / 3600 / {halfLifeHours:Float64}) AS weight
    FROM auctions
    WHERE app_id IN {appIds:Array(UInt32)} AND floor_arm != ''
        AND at >= toDateTime({from:UInt32}, 'UTC') AND at < toDateTime({until:UInt32}, 'UTC')
) AS asked
LEFT JOIN
(${worthBy("auction_id, imp_id", "imp_id != ''")}
) AS shown ON shown.auction_id = asked.auction_id AND shown.imp_id = asked.imp_id
LEFT JOIN
(${worthBy("auction_id, zone, format", "imp_id = ''")}
) AS earlier ON earlier.auction_id = asked.auction_id AND earlier.zone = asked.zone AND earlier.format = asked.format
GROUP BY appId, format, country, platform, arm, step, probability
ORDER BY appId, format, country, arm, step, probability`,
  params: evidenceParams.extend({ from: z.int(), until: z.int(), halfLifeHours: z.number().positive() }),
  row: z.object({
    appId: z.int(),
    format: z.string(),
    country: z.string(),
    platform: z.string(),
    arm: z.enum(FLOOR_ARMS),
    step: z.int(),
    probability: z.number(),
    requests: countColumn,
    total: z.number(),
    totalSquares: z.number(),
    recent: z.number(),
    recentTotal: z.number(),
  }),
});
export type FloorEvidenceRow = z.output<typeof floorEvidence.row>;

/** The days by which a cell's requests are counted. */
export const CELL_DAYS = 7;

/** The cells of apps with at least so many requests in the last week, and what a tenth of their impressions were sold for at most. */
const floorCells = defineStat({
  name: "floor-cells",
  sql: `
SELECT
    app_id AS appId, format, toString(country) AS country, platform,
    count() AS requests,
    any(low) AS lowPriceMicros
FROM auctions
LEFT JOIN
(
    SELECT app_id, format, country, platform, toInt64(quantileTDigest(0.1)(${PRICE})) AS low
    FROM events
    WHERE app_id IN {appIds:Array(UInt32)} AND ${IS_COUNTED} AND ${PRICE} > 0
        AND at >= toDateTime({now:UInt32}, 'UTC') - INTERVAL ${CELL_DAYS} DAY AND at < toDateTime({now:UInt32}, 'UTC')
    GROUP BY app_id, format, country, platform
) AS shown USING (app_id, format, country, platform)
WHERE app_id IN {appIds:Array(UInt32)}
    AND at >= toDateTime({now:UInt32}, 'UTC') - INTERVAL ${CELL_DAYS} DAY AND at < toDateTime({now:UInt32}, 'UTC')
GROUP BY appId, format, country, platform
HAVING requests >= {atLeast:UInt32}
ORDER BY appId, requests DESC, format, country`,
  params: evidenceParams.extend({ atLeast: z.int() }),
  row: z.object({
    appId: z.int(),
    format: z.string(),
    country: z.string(),
    platform: z.string(),
    requests: countColumn,
    lowPriceMicros: countColumn,
  }),
});

/** What automatic floors are learned from. Not kept: it is asked for once. */
export const floorStatistics = (read: ClickHouseClient) => ({
  /** A row for each day of a draw: the store joins the requests and impressions of one day at a time, whatever the days have. */
  async evidence(params: z.input<typeof evidenceParams> & { halfLifeHours: number }): Promise<FloorEvidenceRow[]> {
    const rows: FloorEvidenceRow[] = [];
    const last = params.now - SHOWN_WITHIN_SECONDS;
    for (let from = params.now - DAYS * DAY_SECONDS; from < last; from += DAY_SECONDS) {
      const until = Math.min(from + DAY_SECONDS, last);
      rows.push(...(await runStat(read, floorEvidence, { ...params, from, until })));
    }
    return rows;
  },
  cells: (params: z.input<(typeof floorCells)["params"]>) => runStat(read, floorCells, params),
});
export type FloorStatistics = ReturnType<typeof floorStatistics>;
