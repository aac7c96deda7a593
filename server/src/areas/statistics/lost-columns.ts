import type { ClickHouseClient } from "@clickhouse/client";

/**
 * Tells whether the store lacks a table or column that it had at the first call, as while it is being restored, or with the tables of an
 * older version in it.
 */
export function lostColumns(write: ClickHouseClient): { remember(): Promise<void>; areAny(): Promise<boolean> } {
  let known: readonly string[] | undefined;
  async function columns(): Promise<string[]> {
    const result = await write.query({
      query:
        "SELECT concat(table, ' ', name, ' ', type) AS name FROM system.columns WHERE database = currentDatabase()",
      format: "JSONEachRow",
    });
    return (await result.json<{ name: string }>()).map(({ name }) => name);
  }
  return {
    async remember() {
      known ??= await columns();
    },
    async areAny() {
      const now = new Set(await columns());
      return known?.some((name) => !now.has(name)) ?? false;
    },
  };
}
