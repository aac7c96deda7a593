import { defineStat } from "../../platform/clickhouse/define-stat.ts";
import {
  AFTER_FULL_HOURS,
  OF_APPS,
  OF_COUNTRIES,
  OF_FORMATS,
  OF_FULL_HOURS,
  OF_PART_DAY,
  OF_PROVIDERS,
  PartDayParams,
  type Scope,
} from "./scope.ts";
import { type Filter, GroupedSumsRow, type SumsGroup, filtersOf, fromRows, groupsIn } from "./sums.stat.ts";

const DAY = "toDate(toDateTime({from:UInt32}, 'UTC')) AS day";
const KEYS = "app_id, provider, format, country, zone";
const count = (condition: string) => `toUInt64(${condition})`;

/** Full hours from the rollup; then the requests and events of the last hour one by one. */
const COUNTS = `(
    SELECT ${DAY}, ${KEYS}, requests, impressions, clicks, sessions, session_seconds, revenue_micros
    FROM stats_hourly
    WHERE ${OF_APPS} AND ${OF_FULL_HOURS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    UNION ALL
    SELECT ${DAY}, app_id, '' AS provider, format, country, zone, ${count("1")} AS requests, ${count("0")} AS impressions,
        ${count("0")} AS clicks, ${count("0")} AS sessions, ${count("0")} AS session_seconds, toInt64(0) AS revenue_micros
    FROM auctions
    WHERE ${OF_APPS} AND ${AFTER_FULL_HOURS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    UNION ALL
    SELECT ${DAY}, ${KEYS}, ${count("0")} AS requests, ${count("kind = 'impression'")} AS impressions,
        ${count("kind = 'click'")} AS clicks, ${count("kind = 'session'")} AS sessions, ${count("seconds")} AS session_seconds,
        revenue_micros
    FROM events
    WHERE ${OF_APPS} AND ${AFTER_FULL_HOURS} AND invalid = '' AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    )`;

const RETIRED = "SELECT month FROM retired_months";

/** Requests sent to providers; for months without raw rows by full hours. */
const SENT = `(
    SELECT ${DAY}, ${KEYS}, count() AS sent
    FROM auctions
    ARRAY JOIN asked AS provider
    WHERE ${OF_APPS} AND ${OF_PART_DAY} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES} AND toYYYYMM(at) NOT IN (${RETIRED})
    GROUP BY ${KEYS}
    UNION ALL
    SELECT ${DAY}, ${KEYS}, sent
    FROM sent_hourly FINAL
    WHERE ${OF_APPS} AND ${OF_FULL_HOURS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES} AND toYYYYMM(hour) IN (${RETIRED})
    )`;

const statOf = (groups: readonly SumsGroup[], filters: readonly Filter[], hasSent: boolean) =>
  defineStat({
    name: `${hasSent ? "sums" : "earnings"}-of-part-day-by-${groups.join("-and-")}${filters.map((filter) => `-of-${filter}`).join("")}`,
    sql: fromRows(groups, filters, {
      counts: `${COUNTS} AS counts`,
      sent: hasSent ? `${SENT} AS sent_rows` : null,
      where: "1",
    }),
    params: PartDayParams,
    row: GroupedSumsRow,
  });

const cache = new Map<string, ReturnType<typeof statOf>>();

/**
 * Sums by several groups of a part of a day. A row has the same keys as those of whole days. Without `hasSent`, the requests
 * of providers are missing, which are most of the cost.
 */
export function partDaySums(
  wanted: ReadonlySet<SumsGroup>,
  scope: Pick<Scope, "providers" | "formats" | "countries">,
  hasSent: boolean,
) {
  const [groups, filters] = [groupsIn(wanted), filtersOf(scope)];
  const key = `${groups.join()} ${filters.join()} ${hasSent}`;
  const stat = cache.get(key) ?? statOf(groups, filters, hasSent);
  cache.set(key, stat);
  return stat;
}
