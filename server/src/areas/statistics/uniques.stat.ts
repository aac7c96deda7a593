import { daysIn } from "@millrace/units";
import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import { type Plan, SAMPLES, type Sample } from "./sampling.ts";
import {
  OF_APPS,
  OF_COUNTRIES,
  OF_DAYS,
  OF_FORMATS,
  OF_MOMENTS,
  OF_PROVIDERS,
  OF_SPANS,
  type Scope,
  ScopeParams,
} from "./scope.ts";
import { GROUPS, type SumsGroup } from "./sums.stat.ts";

export const UniquesRow = z.object({ id: z.string(), uniques: countColumn });

/** Tables of devices, with their conditions. */
const TABLES = {
  /** Everybody, for many days. */
  span: { name: "devices_by_span", where: `${OF_SPANS} AND ${OF_COUNTRIES}` },
  /** Everybody, by day and by where an ad was asked for. */
  day: { name: "devices_daily", where: `${OF_DAYS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}` },
  viewer: { name: "viewers_daily", where: `${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}` },
} as const;
type Table = keyof typeof TABLES;

/** A group's key as the tables have it, so that they can be searched by it, and its type. */
const KEYS = {
  total: { column: "''", type: "String" },
  app: { column: "app_id", type: "UInt32" },
  date: { column: "day", type: "Date" },
  country: { column: "country", type: "String" },
  format: { column: "format", type: "String" },
  provider: { column: "provider", type: "String" },
  zone: { column: "zone", type: "String" },
} satisfies Record<SumsGroup, { column: string; type: string }>;

const idsOf = (sample: Sample) => `sample${sample}` as const;
const SampledIds = z.object(
  Object.fromEntries(SAMPLES.map((sample) => [idsOf(sample), z.array(z.string())])) as Record<
    ReturnType<typeof idsOf>,
    z.ZodArray<z.ZodString>
  >,
);

/** A plan as the query binds it. */
export const bindSamples = (plan: Plan): z.output<typeof SampledIds> =>
  Object.fromEntries(SAMPLES.map((sample) => [idsOf(sample), [...(plan.get(sample) ?? [])]])) as z.output<
    typeof SampledIds
  >;

function uniquesBy(table: Table, group: SumsGroup) {
  const { name, where } = TABLES[table];
  const { column, type } = KEYS[group];
  const bound = (sample: Sample) => `CAST({${idsOf(sample)}:Array(String)}, 'Array(${type})')`;
  const sampled = SAMPLES.map((sample) => `(lot < ${sample} AND ${column} IN ${bound(sample)})`);
  const select = (lots: string) => `
SELECT ${GROUPS[group].key} AS id, uniqExact(device) AS uniques
FROM ${name}
WHERE ${OF_APPS} AND ${where} AND ${GROUPS[group].has} AND (${lots})
GROUP BY id
ORDER BY id`;
  return {
    inOneLot: defineStat({
      name: `uniques-by-${group}-of-${table}-in-one-lot`,
      sql: select("lot = 0"),
      params: ScopeParams,
      row: UniquesRow,
    }),
    counted: defineStat({
      name: `uniques-by-${group}-of-${table}`,
      sql: select(`${sampled.join(" OR ")} OR ${column} NOT IN arrayConcat(${SAMPLES.map(bound).join(", ")})`),
      params: ScopeParams.extend(SampledIds.shape),
      row: UniquesRow,
    }),
  };
}

const UNIQUES = new Map(
  (
    [
      ["span", ["total", "app", "country"]],
      ["day", ["total", "app", "country", "date", "format", "zone"]],
      ["viewer", ["total", "app", "country", "date", "format", "zone", "provider"]],
    ] as const
  ).flatMap(([table, groups]) => groups.map((group) => [`${table} ${group}`, uniquesBy(table, group)] as const)),
);

/** The two queries that count devices in these groups: in one lot, and in as many lots as each group needs. */
export function uniquesStats(scope: Scope, group: SumsGroup) {
  const stats = UNIQUES.get(`${tableFor(scope, group)} ${group}`);
  if (!stats) throw new Error(`no devices are kept by ${group}`);
  return stats;
}

/** From so many days on, reading days that were not asked for costs less than reading a device once for each day. */
const MANY_DAYS = 14;

function tableFor({ providers, formats, range }: Scope, group: SumsGroup): Table {
  if (providers.length > 0 || group === "provider") return "viewer";
  if (formats.length > 0 || group === "format" || group === "zone" || group === "date") return "day";
  return daysIn(range) < MANY_DAYS ? "day" : "span";
}

/** Devices by hour, from the raw rows: as they lie by app and time, two days of one app are a short read. */
export const hourlyUniques = defineStat({
  name: "uniques-by-hour",
  sql: `
SELECT formatDateTime(hour, '%Y-%m-%dT%H:00:00Z', 'UTC') AS id, uniqCombined64(19)(device) AS uniques
FROM
(
    SELECT toStartOfHour(at, 'UTC') AS hour, device
    FROM auctions
    WHERE empty({providers:Array(String)}) AND ${OF_APPS} AND ${OF_MOMENTS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    UNION ALL
    SELECT toStartOfHour(at, 'UTC') AS hour, device
    FROM events
    WHERE ${OF_APPS} AND ${OF_MOMENTS} AND ${OF_COUNTRIES} AND invalid = ''
        AND if(
            empty({providers:Array(String)}),
            kind = 'session' AND empty({formats:Array(String)}),
            kind = 'impression' AND provider IN {providers:Array(String)} AND ${OF_FORMATS}
        )
)
GROUP BY hour
ORDER BY id`,
  params: ScopeParams,
  row: UniquesRow,
});
