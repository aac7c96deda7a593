import type { ClickHouseClient } from "@clickhouse/client";
import { FLOOR_ARMS } from "@millrace/auction";
import { z } from "zod";
import { countColumn, defineStat, runStat } from "../../platform/clickhouse/define-stat.ts";

/** So many days are compared; older ones say little of today's market. */
const DAYS = 28;

const range = z.object({ appIds: z.array(z.int()), now: z.int() });

/**
 * What requests with automatic floors earned in the last days, by cell, and by how their floors were drawn: counts, and sums of the
 * first ad's CPM and of its square. Of a line item, which pays outside the platform, it is what it was expected to pay.
 * `recent` has the same sums with a half-life.
 */
const floorEvidence = defineStat({
  name: "floor-evidence",
  sql: `
SELECT
    app_id AS appId, format, toString(country) AS country, platform,
    floor_arm AS arm, floor_step AS step, toFloat64(floor_probability) AS probability,
    count() AS requests,
    sum(worth) AS total,
    sum(worth * worth) AS totalSquares,
    sum(weight) AS recent,
    sum(worth * weight) AS recentTotal
FROM
(
    SELECT app_id, format, country, platform, floor_arm, floor_step, floor_probability,
        toFloat64(price_micros + expected_micros) AS worth,
        exp2(-dateDiff('second', at, toDateTime({now:UInt32}, 'UTC')) / 3600 / {halfLifeHours:Float64}) AS weight
    FROM auctions
    WHERE app_id IN {appIds:Array(UInt32)} AND floor_arm != ''
        AND at >= toDateTime({now:UInt32}, 'UTC') - INTERVAL ${DAYS} DAY AND at < toDateTime({now:UInt32}, 'UTC')
)
GROUP BY appId, format, country, platform, arm, step, probability
ORDER BY appId, format, country, arm, step, probability`,
  params: range.extend({ halfLifeHours: z.number().positive() }),
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

/** The cells of apps with at least so many requests in the last week, and what a tenth of the sold ones sold for at most. */
const floorCells = defineStat({
  name: "floor-cells",
  sql: `
SELECT
    app_id AS appId, format, toString(country) AS country, platform,
    count() AS requests,
    toInt64(ifNotFinite(quantileTDigestIf(0.1)(price_micros, price_micros > 0), 0)) AS lowPriceMicros
FROM auctions
WHERE app_id IN {appIds:Array(UInt32)}
    AND at >= toDateTime({now:UInt32}, 'UTC') - INTERVAL ${CELL_DAYS} DAY AND at < toDateTime({now:UInt32}, 'UTC')
GROUP BY appId, format, country, platform
HAVING requests >= {atLeast:UInt32}
ORDER BY appId, requests DESC, format, country`,
  params: range.extend({ atLeast: z.int() }),
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
  evidence: (asked: z.input<(typeof floorEvidence)["params"]>) => runStat(read, floorEvidence, asked),
  cells: (asked: z.input<(typeof floorCells)["params"]>) => runStat(read, floorCells, asked),
});
export type FloorStatistics = ReturnType<typeof floorStatistics>;
