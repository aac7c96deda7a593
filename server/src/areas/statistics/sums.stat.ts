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

/** The key of all rows together, of the group `total`. */
export const TOTAL = "";

/** What the sums can be grouped by: a row's column, the group's key as text, and the rows that have such a key at all. */
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

const SUMS = ["requests", "impressions", "clicks", "sessions", "session_seconds", "revenue_micros"] as const;

/** The columns of a row of sums, of rows called `part`. */
export const SUMS_OF_PARTS = `sum(part.requests) AS requests,
    sum(part.impressions) AS impressions,
    sum(part.clicks) AS clicks,
    sum(part.sessions) AS sessions,
    sum(part.session_seconds) AS sessionSeconds,
    sum(part.revenue_micros) AS revenueMicros`;

/** The groups of some rows, whose sums these are. A row of the answer is of the group whose column it is grouped by, and of the total where it is by none. */
function grouped(groups: readonly SumsGroup[], table: string, sums: readonly string[]): string {
  const forGroup = (value: (group: SumsGroup) => string) => {
    const cases = groups
      .filter((group) => group !== "total")
      .map((group) => `grouping(${GROUPS[group].column}) = 0, ${value(group)}`);
    return cases.length === 0 ? value("total") : `multiIf(${cases.join(", ")}, ${value("total")})`;
  };
  return `
    SELECT ${forGroup((group) => `'${group}'`)} AS group, ${forGroup((group) => GROUPS[group].key)} AS id, ${sums.join(", ")}
    FROM ${table}
    WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    GROUP BY GROUPING SETS (${groups.map((group) => `(${GROUPS[group].column})`).join(", ")})
    HAVING ${forGroup((group) => GROUPS[group].has)}`;
}

function sumsBy(groups: readonly SumsGroup[], ofProviders: boolean) {
  // Requests were sent to providers: at those that are chosen they are counted as sent, and so they are in a row of a provider.
  const sent = groups.filter((group) => ofProviders || group === "provider");
  const parts = [
    grouped(
      groups,
      "stats_daily",
      SUMS.map((sum) => `sum(stats_daily.${sum}) AS ${sum}`),
    ),
  ];
  if (sent.length > 0) {
    const nothing = SUMS.slice(1).map((sum) => `${sum === "revenue_micros" ? "toInt64(0)" : "toUInt64(0)"} AS ${sum}`);
    parts.push(grouped(sent, "sent_daily", ["sum(sent_daily.sent) AS requests", ...nothing]));
  }
  return defineStat({
    name: `sums-by-${groups.join("-and-")}${ofProviders ? "-of-providers" : ""}`,
    sql: `
SELECT
    group,
    id,
    ${SUMS_OF_PARTS}
FROM
(${parts.join("\n    UNION ALL")}
) AS part
GROUP BY group, id
ORDER BY id`,
    params: ScopeParams,
    row: SumsRow.extend({ group: z.enum(ALL_GROUPS) }),
  });
}

const made = new Map<string, ReturnType<typeof sumsBy>>();

/** Sums from the daily rollup by several groups, which one reading of the rows serves. */
export function sumsStat(asked: ReadonlySet<SumsGroup>, { providers }: Pick<Scope, "providers">) {
  const groups = ALL_GROUPS.filter((group) => asked.has(group));
  const ofProviders = providers.length > 0;
  const key = `${groups.join()} ${ofProviders}`;
  const stat = made.get(key) ?? sumsBy(groups, ofProviders);
  made.set(key, stat);
  return stat;
}
