import type { ClickHouseClient } from "@clickhouse/client";
import { CAMPAIGN_PROVIDER } from "@millrace/contract";
import type { MadeUpMoney } from "./made-up-money.ts";

/** Cleared last, because after an interruption they still show which sums have to change. The books are built from them. */
const LAST = ["events", "earnings_daily"];
/** When a row happened. */
const TIMES = ["day", "hour", "at"];

/**
 * Deletes the events of the demo's partners, and of ads that were bought with demo money, from the apps of accounts that are not the demo's,
 * and from all sums. Sums that know no campaigns lose all campaigns' ads of such an app and day. Requests and sessions stay.
 */
export async function clearMadeUpEvents(write: ClickHouseClient, { partners, spend }: MadeUpMoney): Promise<void> {
  const rowsOf = async <T>(query: string): Promise<T[]> =>
    (await write.query({ query, format: "JSONEachRow" })).json<T>();
  // Waits for the mutation, so that what follows does not read its rows.
  const change = (table: string, what: string) =>
    write.command({ query: `ALTER TABLE \`${table}\` ${what} SETTINGS mutations_sync = 2, max_execution_time = 0` });
  const oneOf = (column: string) => `has([${partners.map((id) => `'${id}'`).join(", ")}]::Array(String), ${column})`;
  const boughtCondition = (time: string) =>
    [
      "0",
      ...spend.map(
        ({ campaignId, since, until }) =>
          `(campaign_id = ${campaignId} AND toDate(${time}) BETWEEN '${since}' AND '${until}')`,
      ),
    ].join(" OR ");

  const apps = await rowsOf<{ id: number }>(
    `SELECT DISTINCT app_id AS id FROM earnings_daily WHERE ${oneOf("provider")} OR ${boughtCondition("day")}
     UNION DISTINCT SELECT app_id FROM sums_daily WHERE dimension = 'provider' AND ${oneOf("key")}`,
  );
  if (apps.length === 0 && spend.length === 0) return;
  const touched = `app_id IN (${[0, ...apps.map(({ id }) => id)].join(", ")})`;
  const tables = await rowsOf<{ name: string; columns: string[] }>(
    `SELECT table AS name, groupArray(c.name) AS columns FROM system.columns c WHERE database = currentDatabase() AND table IN (
       SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree') GROUP BY table ORDER BY table`,
  );
  const clear = async ({ name, columns }: (typeof tables)[number]) => {
    const time = TIMES.find((column) => columns.includes(column));
    if (time === undefined) return;
    const campaignCondition = columns.includes("campaign_id")
      ? boughtCondition(time)
      : `provider = '${CAMPAIGN_PROVIDER.id}' AND (app_id, toDate(${time})) IN (SELECT app_id, day FROM earnings_daily WHERE ${boughtCondition("day")})`;
    if (columns.includes("provider"))
      await change(name, `DELETE WHERE ${touched} AND (${oneOf("provider")} OR ${campaignCondition})`);
    // Requests stay, whoever won them.
    else if (columns.includes("campaign_id") && name !== "auctions")
      await change(name, `DELETE WHERE ${campaignCondition}`);
  };
  for (const table of tables) if (!LAST.includes(table.name)) await clear(table);
  for (const query of [recomputedSums(touched), recomputedLifetimes(touched)]) await write.command({ query });
  // Until the rows are merged, a negative sum of unsigned values looks like a huge one.
  await write.command({ query: "OPTIMIZE TABLE sums_daily FINAL SETTINGS max_execution_time = 0" });
  // Sums by age do not say who paid. They are right for an app that has earned nothing else.
  await change(
    "cohort_daily",
    `UPDATE revenue_micros = 0 WHERE ${touched} AND app_id NOT IN (
       SELECT app_id FROM stats_daily WHERE ${touched} GROUP BY app_id HAVING sum(revenue_micros) != 0)`,
  );
  for (const name of LAST) for (const table of tables) if (table.name === name) await clear(table);
}

const SUMS = ["requests", "impressions", "clicks", "sessions", "session_seconds", "revenue_micros"];
const sumColumns = (text: (name: string) => string): string => SUMS.map(text).join(", ");

/** Adds the (negative) differences to the sums of stats_daily and sent_daily. Running it again adds nothing. */
const recomputedSums = (touched: string): string => `
  INSERT INTO sums_daily SELECT app_id, dimension, day, key, ${sumColumns((name) => `sum(${name})`)}
  FROM (
    SELECT app_id, dimension, day, key, ${sumColumns((name) => `toInt64(${name}) AS ${name}`)}
    FROM stats_daily ARRAY JOIN
      ['total', 'provider', 'format', 'country', 'zone'] AS dimension,
      ['', toString(provider), toString(format), toString(country), toString(zone)] AS key
    WHERE ${touched} AND (key != '' OR dimension IN ('total', 'country'))
    UNION ALL
    SELECT app_id, 'provider', day, toString(provider), toInt64(sent), 0, 0, 0, 0, 0 FROM sent_daily WHERE ${touched} AND provider != ''
    UNION ALL
    SELECT app_id, toString(dimension), day, toString(key), ${sumColumns((name) => `-toInt64(${name})`)} FROM sums_daily WHERE ${touched}
  )
  GROUP BY app_id, dimension, day, key HAVING ${SUMS.map((name) => `sum(${name}) != 0`).join(" OR ")}
  SETTINGS max_execution_time = 0, insert_deduplicate = 0`;

const recomputedLifetimes = (touched: string): string => `
  INSERT INTO app_lifetime SELECT app_id, sum(micros) FROM (
    SELECT app_id, revenue_micros AS micros FROM stats_daily WHERE ${touched}
    UNION ALL SELECT app_id, -revenue_micros FROM app_lifetime WHERE ${touched}
  ) GROUP BY app_id HAVING sum(micros) != 0
  SETTINGS max_execution_time = 0, insert_deduplicate = 0`;
