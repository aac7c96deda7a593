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
const NAMED_SUMS = SUMS.map(
  (sum) => `sum(sums_daily.${sum}) AS ${sum.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase())}`,
).join(", ");

/** The columns of a row of sums, of rows called `part`. */
export const SUMS_OF_PARTS = `sum(part.requests) AS requests,
    sum(part.impressions) AS impressions,
    sum(part.clicks) AS clicks,
    sum(part.sessions) AS sessions,
    sum(part.session_seconds) AS sessionSeconds,
    sum(part.revenue_micros) AS revenueMicros`;

const FILTERED = { provider: "providers", format: "formats", country: "countries" } as const;
export type Filter = keyof typeof FILTERED;

/** The rows of sums_daily that are summed by totals, apps and days, and the column that has the filtered dimension's keys. */
const narrowedTo = (filter: Filter | undefined) =>
  filter === undefined
    ? "dimension = 'total'"
    : `dimension = '${filter}' AND key IN {${FILTERED[filter]}:Array(String)}`;

/** One group from the rollup by single keys. Short queries cost mostly their analysis, so each is as plain as can be. */
function fromKeys(group: SumsGroup, filter: Filter | undefined): string {
  const { column, key } = group === filter ? { column: "key", key: "key" } : GROUPS[group];
  return `
SELECT '${group}' AS group, ${key} AS id, ${NAMED_SUMS}
FROM sums_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${narrowedTo(filter)}${column === "" ? "" : `\nGROUP BY ${column}\nORDER BY id`}`;
}

/** The keys of several dimensions, without a filter. */
const fromDimensions = (dimensions: readonly Dimension[]) => `
SELECT toString(dimension) AS group, key AS id, ${NAMED_SUMS}
FROM sums_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND dimension IN (${dimensions.map((dimension) => `'${dimension}'`).join(", ")})
GROUP BY dimension, key
ORDER BY id`;

/** Where rows with all keys are read: tables or subqueries, with a condition that leaves rows of the apps and filters. */
interface RowsWithKeys {
  /** A table or subquery called `counts`. */
  counts: string;
  /** The same for requests sent to providers, called `sent_rows`; null if nobody asks for them. */
  sent: string | null;
  where: string;
}

const DAILY: RowsWithKeys = {
  counts: "stats_daily AS counts",
  sent: "sent_daily AS sent_rows",
  where: `${OF_APPS} AND ${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}`,
};

/** Some rows with all keys, by several groups. A row of the answer is of the group whose column it is grouped by. */
function grouped(
  groups: readonly SumsGroup[],
  { table, where }: { table: string; where: string },
  sums: readonly string[],
): string {
  const forGroup = (value: (group: SumsGroup) => string) => {
    const cases = groups
      .filter((group) => group !== "total")
      .map((group) => `grouping(${GROUPS[group].column}) = 0, ${value(group)}`);
    return cases.length === 0 ? value("total") : `multiIf(${cases.join(", ")}, ${value("total")})`;
  };
  return `
    SELECT ${forGroup((group) => `'${group}'`)} AS group, ${forGroup((group) => GROUPS[group].key)} AS id, ${sums.join(", ")}
    FROM ${table}
    WHERE ${where}
    GROUP BY GROUPING SETS (${groups.map((group) => `(${GROUPS[group].column})`).join(", ")})
    HAVING ${forGroup((group) => GROUPS[group].has)}`;
}

/** Several groups through filters, from rows with all keys. */
export function fromRows(
  groups: readonly SumsGroup[],
  filters: readonly Filter[],
  { counts, sent: sentRows, where }: RowsWithKeys = DAILY,
): string {
  // Requests are sent to providers: with a filter by provider, and in a provider's row, those are counted.
  const sent = groups.filter((group) => filters.includes("provider") || group === "provider");
  const nothing = SUMS.slice(1).map((sum) => `${sum === "revenue_micros" ? "toInt64(0)" : "toUInt64(0)"} AS ${sum}`);
  const parts = [
    grouped(
      groups,
      { table: counts, where },
      SUMS.map((sum) => `sum(counts.${sum}) AS ${sum}`),
    ),
    ...(sent.length > 0 && sentRows !== null
      ? [grouped(sent, { table: sentRows, where }, ["sum(sent_rows.sent) AS requests", ...nothing])]
      : []),
  ];
  return `
SELECT
    group,
    id,
    ${SUMS_OF_PARTS}
FROM
(${parts.join("\n    UNION ALL")}
) AS part
GROUP BY group, id
ORDER BY id`;
}

export const GroupedSumsRow = SumsRow.extend({ group: z.enum(ALL_GROUPS) });

const statOf = (groups: readonly SumsGroup[], filters: readonly Filter[], sql: string) =>
  defineStat({
    name: `sums-by-${groups.join("-and-")}${filters.map((filter) => `-of-${filter}`).join("")}`,
    sql,
    params: ScopeParams,
    row: GroupedSumsRow,
  });
type SumsStat = ReturnType<typeof statOf>;

/** The queries whose rows together are the answer. */
function statsOf(groups: readonly SumsGroup[], filters: readonly Filter[]): SumsStat[] {
  const [filter, ...more] = filters;
  const dimensions = groups.filter(isDimension);
  if (more.length > 0 || (filter !== undefined && dimensions.some((dimension) => dimension !== filter))) {
    return [statOf(groups, filters, fromRows(groups, filters))];
  }
  const alone = groups.filter((group) => !isDimension(group) || group === filter);
  return [
    ...alone.map((group) => statOf([group], filters, fromKeys(group, filter))),
    ...(filter === undefined && dimensions.length > 0 ? [statOf(dimensions, filters, fromDimensions(dimensions))] : []),
  ];
}

const cache = new Map<string, SumsStat[]>();

export const groupsIn = (wanted: ReadonlySet<SumsGroup>): SumsGroup[] =>
  ALL_GROUPS.filter((group) => wanted.has(group));

export const filtersOf = ({
  providers,
  formats,
  countries,
}: Pick<Scope, "providers" | "formats" | "countries">): Filter[] => [
  ...(providers.length > 0 ? (["provider"] as const) : []),
  ...(formats.length > 0 ? (["format"] as const) : []),
  ...(countries.length > 0 ? (["country"] as const) : []),
];

/** Sums by several groups from the daily rollups: the queries to ask, side by side. */
export function sumsStats(
  wanted: ReadonlySet<SumsGroup>,
  scope: Pick<Scope, "providers" | "formats" | "countries">,
): readonly SumsStat[] {
  const [groups, filters] = [groupsIn(wanted), filtersOf(scope)];
  const key = `${groups.join()} ${filters.join()}`;
  const stats = cache.get(key) ?? statsOf(groups, filters);
  cache.set(key, stats);
  return stats;
}

/** All rows of some groups together, which have each row once. */
export const sumOf = (rows: readonly Sums[]): Sums => ({
  id: TOTAL,
  requests: rows.reduce((sum, row) => sum + row.requests, 0),
  impressions: rows.reduce((sum, row) => sum + row.impressions, 0),
  clicks: rows.reduce((sum, row) => sum + row.clicks, 0),
  sessions: rows.reduce((sum, row) => sum + row.sessions, 0),
  sessionSeconds: rows.reduce((sum, row) => sum + row.sessionSeconds, 0),
  revenueMicros: rows.reduce((sum, row) => sum + row.revenueMicros, 0n),
});
