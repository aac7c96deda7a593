import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, OF_FORMATS, OF_PROVIDERS, type Scope, ScopeParams } from "./scope.ts";

/** Counts and money of one group; `id` is the group's key. */
export const SumsRow = z.object({
  id: z.string(),
  requests: countColumn,
  impressions: countColumn,
  clicks: countColumn,
  sessions: countColumn,
  sessionSeconds: countColumn,
  revenueMicros: microsColumn,
});
export type Sums = z.output<typeof SumsRow>;

/** The key of the group `total`, which has one row. */
export const TOTAL = "";

/** What the sums can be grouped by: a row's column, the group's key as text, and which rows have such a key. */
export const GROUPS = {
  total: { column: "", key: "''", has: "1" },
  app: { column: "app_id", key: "toString(app_id)", has: "1" },
  date: { column: "day", key: "toString(day)", has: "1" },
  country: { column: "country", key: "toString(country)", has: "1" },
  format: { column: "format", key: "format", has: "format != ''" },
  provider: { column: "provider", key: "provider", has: "provider != ''" },
  zone: { column: "zone", key: "zone", has: "zone != ''" },
} as const;
export type SumsGroup = keyof typeof GROUPS;
const ALL_GROUPS = Object.keys(GROUPS) as SumsGroup[];
/** The dimensions of sums_daily that have keys. */
const DIMENSIONS = ["provider", "format", "country", "zone"] as const;
type Dimension = (typeof DIMENSIONS)[number];
const isDimension = (group: SumsGroup): group is Dimension => DIMENSIONS.some((dimension) => dimension === group);

const SUMS = ["requests", "impressions", "clicks", "sessions", "session_seconds", "revenue_micros"] as const;
const sumsOf = (table: string) => SUMS.map((sum) => `sum(${table}.${sum}) AS ${sum}`);

/** The columns of a row of sums, of rows called `part`. */
export const SUMS_OF_PARTS = `sum(part.requests) AS requests,
    sum(part.impressions) AS impressions,
    sum(part.clicks) AS clicks,
    sum(part.sessions) AS sessions,
    sum(part.session_seconds) AS sessionSeconds,
    sum(part.revenue_micros) AS revenueMicros`;

interface Source {
  table: string;
  where: string;
  /** The dimension whose keys the column `key` holds. */
  keyed?: Dimension;
}

/** Some rows by groups; GROUPING SETS cost their analysis, so a single group goes without. */
function grouped(groups: readonly SumsGroup[], { table, where, keyed }: Source, sums: readonly string[]): string {
  const of = (group: SumsGroup) => (group === keyed ? { column: "key", key: "key", has: "1" } : GROUPS[group]);
  const forGroup = (value: (group: SumsGroup) => string) => {
    const cases = groups
      .filter((group) => group !== "total")
      .map((group) => `grouping(${of(group).column}) = 0, ${value(group)}`);
    return cases.length === 0 ? value("total") : `multiIf(${cases.join(", ")}, ${value("total")})`;
  };
  const [only = "total", ...others] = groups;
  const isOne = others.length === 0;
  const valueOf = isOne ? (value: (group: SumsGroup) => string) => value(only) : forGroup;
  const columns = isOne
    ? of(only).column
    : `GROUPING SETS (${groups.map((group) => `(${of(group).column})`).join(", ")})`;
  const having = valueOf((group) => of(group).has);
  return `
    SELECT ${valueOf((group) => `'${group}'`)} AS group, ${valueOf((group) => of(group).key)} AS id, ${sums.join(", ")}
    FROM ${table}
    WHERE ${OF_APPS} AND ${OF_DAYS}${where}${columns === "" ? "" : `\n    GROUP BY ${columns}`}${having === "1" ? "" : `\n    HAVING ${having}`}`;
}

/** Each dimension's keys, without a filter. */
const byKeys = (dimensions: readonly Dimension[]) => `
    SELECT toString(dimension) AS group, key AS id, ${sumsOf("sums_daily").join(", ")}
    FROM sums_daily
    WHERE ${OF_APPS} AND ${OF_DAYS} AND dimension IN (${dimensions.map((dimension) => `'${dimension}'`).join(", ")})
    GROUP BY dimension, key`;

const FILTERED = { provider: "providers", format: "formats", country: "countries" } as const;
type Filter = keyof typeof FILTERED;

/** The parts whose rows together are the answer, from the coarsest rollup that has them. */
function partsOf(groups: readonly SumsGroup[], filters: readonly Filter[]): string[] {
  const [filter, ...more] = filters;
  if (filter === undefined) {
    const dimensions = groups.filter(isDimension);
    const rest = groups.filter((group) => !isDimension(group));
    const totals: Source = { table: "sums_daily", where: " AND dimension = 'total'" };
    return [
      ...(rest.length > 0 ? [grouped(rest, totals, sumsOf("sums_daily"))] : []),
      ...(dimensions.length > 0 ? [byKeys(dimensions)] : []),
    ];
  }
  if (more.length === 0 && groups.every((group) => group === filter || !isDimension(group))) {
    const where = ` AND dimension = '${filter}' AND key IN {${FILTERED[filter]}:Array(String)}`;
    return [grouped(groups, { table: "sums_daily", where, keyed: filter }, sumsOf("sums_daily"))];
  }
  const where = ` AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}`;
  // Requests are sent to providers: with a filter by provider, and in a provider's row, those are counted.
  const sent = groups.filter((group) => filters.includes("provider") || group === "provider");
  const nothing = SUMS.slice(1).map((sum) => `${sum === "revenue_micros" ? "toInt64(0)" : "toUInt64(0)"} AS ${sum}`);
  return [
    grouped(groups, { table: "stats_daily", where }, sumsOf("stats_daily")),
    ...(sent.length > 0
      ? [grouped(sent, { table: "sent_daily", where }, ["sum(sent_daily.sent) AS requests", ...nothing])]
      : []),
  ];
}

function sumsBy(groups: readonly SumsGroup[], filters: readonly Filter[]) {
  return defineStat({
    name: `sums-by-${groups.join("-and-")}${filters.map((filter) => `-of-${filter}`).join("")}`,
    sql: `
SELECT
    group,
    id,
    ${SUMS_OF_PARTS}
FROM
(${partsOf(groups, filters).join("\n    UNION ALL")}
) AS part
GROUP BY group, id
ORDER BY id`,
    params: ScopeParams,
    row: SumsRow.extend({ group: z.enum(ALL_GROUPS) }),
  });
}

const made = new Map<string, ReturnType<typeof sumsBy>>();

/** Sums by several groups from the daily rollups, in one query. */
export function sumsStat(
  asked: ReadonlySet<SumsGroup>,
  { providers, formats, countries }: Pick<Scope, "providers" | "formats" | "countries">,
) {
  const groups = ALL_GROUPS.filter((group) => asked.has(group));
  const filters = [
    ...(providers.length > 0 ? (["provider"] as const) : []),
    ...(formats.length > 0 ? (["format"] as const) : []),
    ...(countries.length > 0 ? (["country"] as const) : []),
  ];
  const key = `${groups.join()} ${filters.join()}`;
  const stat = made.get(key) ?? sumsBy(groups, filters);
  made.set(key, stat);
  return stat;
}
