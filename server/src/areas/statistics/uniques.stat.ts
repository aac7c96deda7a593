import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import {
  OF_APPS,
  OF_COUNTRIES,
  OF_DAYS,
  OF_FORMATS,
  OF_MOMENTS,
  OF_PROVIDERS,
  type Scope,
  ScopeParams,
} from "./scope.ts";
import { GROUPS, type SumsGroup } from "./sums.stat.ts";

export const UniquesRow = z.object({ id: z.string(), uniques: countColumn });

/** Tables of sketches, from coarse to fine, with the filters that each can answer. */
const TABLES = {
  app: { name: "uniques_daily", filters: "1" },
  country: { name: "country_uniques_daily", filters: OF_COUNTRIES },
  placement: { name: "placement_uniques_daily", filters: `${OF_FORMATS} AND ${OF_COUNTRIES}` },
  provider: { name: "provider_uniques_daily", filters: `${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}` },
} as const;
type Table = keyof typeof TABLES;

const uniquesBy = (table: Table, group: SumsGroup) =>
  defineStat({
    name: `uniques-by-${group}-of-${table}`,
    sql: `
SELECT ${GROUPS[group].key} AS id, uniqCombined64Merge(19)(devices) AS uniques
FROM ${TABLES[table].name}
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${TABLES[table].filters}
GROUP BY id${group === "app" ? " WITH ROLLUP" : ""}
ORDER BY id`,
    params: ScopeParams,
    row: UniquesRow,
  });

const COARSE = ["total", "app", "date"] as const;
const UNIQUES = new Map(
  (
    [
      ["app", COARSE],
      ["country", [...COARSE, "country"]],
      ["placement", [...COARSE, "country", "format", "zone"]],
      ["provider", [...COARSE, "country", "format", "zone", "provider"]],
    ] as const
  ).flatMap(([table, groups]) => groups.map((group) => [`${table} ${group}`, uniquesBy(table, group)] as const)),
);

/** The query that counts devices in these groups, on the coarsest table that knows the groups and the scope's filters. */
export function uniquesStat(scope: Scope, group: SumsGroup) {
  const stat = UNIQUES.get(`${tableFor(scope, group)} ${group}`);
  if (!stat) throw new Error(`no sketches are kept by ${group}`);
  return stat;
}

function tableFor({ providers, formats, countries }: Scope, group: SumsGroup): Table {
  if (providers.length > 0 || group === "provider") return "provider";
  if (formats.length > 0 || group === "format" || group === "zone") return "placement";
  return countries.length > 0 || group === "country" ? "country" : "app";
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
