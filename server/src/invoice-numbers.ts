import type { ClickHouseClient } from "@clickhouse/client";
import type { ClientBase } from "pg";
import type { Log } from "./platform/log.ts";

/** The last number of a series of documents. */
interface LastNumber {
  series: string;
  year: number;
  last: number;
}

const TABLE = "invoice_numbers";

/** Keeps the last numbers in ClickHouse, where no copy of PostgreSQL takes them back. Keeping them again changes nothing. */
export const keepInvoiceNumbers =
  (write: ClickHouseClient) =>
  async (numbers: readonly LastNumber[]): Promise<void> => {
    await write.insert({ table: TABLE, values: numbers, format: "JSONEachRow" });
  };

/** Lets no document get a number that ClickHouse knows as given. A PostgreSQL that was restored from an older copy would give it again. */
export async function raiseInvoiceNumbers(client: ClientBase, clickhouse: ClickHouseClient, log: Log): Promise<void> {
  const found = await clickhouse.query({
    query: `SELECT series, year, max(${TABLE}.last) AS last FROM ${TABLE} GROUP BY series, year ORDER BY series, year`,
    format: "JSONEachRow",
  });
  for (const { series, year, last } of await found.json<LastNumber>()) {
    const { rowCount } = await client.query(
      `INSERT INTO invoice_numbers AS n (series, year, last) VALUES ($1, $2, $3)
       ON CONFLICT (series, year) DO UPDATE SET last = excluded.last WHERE n.last < excluded.last`,
      [series, year, last],
    );
    if (rowCount === 1)
      log.warn(
        { series, year, last },
        "ClickHouse knows later numbers of documents than PostgreSQL, as after a restore; new ones begin after them",
      );
  }
}
