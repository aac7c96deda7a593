import { defineStat } from "../../platform/clickhouse/define-stat.ts";
import {
  OF_APPS,
  OF_COUNTRIES,
  OF_FORMATS,
  OF_HOURS,
  OF_MOMENTS,
  OF_PROVIDERS,
  type Scope,
  ScopeParams,
} from "./scope.ts";
import { SUMS_OF_PARTS, SumsRow } from "./sums.stat.ts";

const FROM_ROLLUP = `
    SELECT hour, requests, impressions, clicks, sessions, session_seconds, revenue_micros
    FROM stats_hourly
    WHERE ${OF_APPS} AND ${OF_HOURS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}`;

/** Up to this many providers, one search for each costs less than a function over all that were asked. */
const MAX_PROVIDER_SEARCHES = 4;

const NOTHING_ELSE =
  "toUInt64(0) AS impressions, toUInt64(0) AS clicks, toUInt64(0) AS sessions, toUInt64(0) AS session_seconds, toInt64(0) AS revenue_micros";
/** Months whose raw rows are gone, or about to be. */
const RETIRED = "SELECT month FROM retired_months";

const sentTo = (providers: number | "many") => `
    SELECT
        toStartOfHour(at, 'UTC') AS hour,
        toUInt64(${
          providers === "many"
            ? "arrayCount(one -> has({providers:Array(String)}, one), asked)"
            : Array.from({ length: providers }, (_, nth) => `has(asked, {providers:Array(String)}[${nth + 1}])`).join(
                " + ",
              )
        }) AS requests,
        ${NOTHING_ELSE}
    FROM auctions
    WHERE ${OF_APPS} AND ${OF_MOMENTS} AND ${OF_FORMATS} AND ${OF_COUNTRIES} AND toYYYYMM(at) NOT IN (${RETIRED})
    UNION ALL
    SELECT hour, sent AS requests, ${NOTHING_ELSE}
    FROM sent_hourly FINAL
    WHERE ${OF_APPS} AND ${OF_HOURS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES} AND toYYYYMM(hour) IN (${RETIRED})`;

function hourlySumsOf(providers: number | "many") {
  const rows = providers === 0 ? FROM_ROLLUP : `${FROM_ROLLUP}\n    UNION ALL${sentTo(providers)}`;
  return defineStat({
    name: `sums-by-hour-of-${providers}-providers`,
    sql: `
SELECT
    formatDateTime(hour, '%Y-%m-%dT%H:00:00Z', 'UTC') AS id,
    ${SUMS_OF_PARTS}
FROM
(${rows}
) AS part
GROUP BY hour
ORDER BY id`,
    params: ScopeParams,
    row: SumsRow,
  });
}

const BY_PROVIDERS = Array.from({ length: MAX_PROVIDER_SEARCHES + 1 }, (_, providers) => hourlySumsOf(providers));
const OF_MANY = hourlySumsOf("many");

/**
 * Sums by hour; `id` is the start of the hour. The hourly rollup has no requests sent to providers: with a filter by
 * provider they are counted from the auctions, which are sorted by app and time, and for retired months from sent_hourly.
 */
export const hourlySums = ({ providers }: Pick<Scope, "providers">) => BY_PROVIDERS[new Set(providers).size] ?? OF_MANY;
