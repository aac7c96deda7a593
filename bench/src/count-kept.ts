import { REVENUE_MICROS } from "./ad-facts.ts";
import { openStores, rowsOf } from "./stores.ts";

export interface Kept {
  acknowledged: number;
  /** Acknowledged impressions that are not in the event table. */
  lost: number;
  /** The store's counts. All equal `acknowledged` if nothing was lost or counted twice. */
  counted: Record<"rows" | "ids" | "hourly" | "daily" | "lifetime", number>;
}

/** Opens the stores of a stopped platform and compares their counts with the acknowledged impressions. */
export async function countKept(dataDir: string, acknowledged: ReadonlySet<string>): Promise<Kept> {
  const stores = await openStores(dataDir);
  try {
    const valid = "FROM events WHERE kind = 'impression' AND invalid = ''";
    const found = await rowsOf<{ id: string }>(stores.clickhouse, `SELECT toString(auction_id) AS id ${valid}`);
    const [counted] = await rowsOf<Record<keyof Kept["counted"], string>>(
      stores.clickhouse,
      `SELECT count() AS rows, uniqExact(event_id) AS ids,
        (SELECT sum(impressions) FROM stats_hourly) AS hourly,
        (SELECT sum(impressions) FROM stats_daily) AS daily,
        (SELECT sum(revenue_micros) / ${REVENUE_MICROS} FROM app_lifetime) AS lifetime ${valid}`,
    );
    if (!counted) throw new Error("the store returned no counts");
    const ids = new Set(found.map(({ id }) => id));
    return {
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((id) => !ids.has(id)).length,
      counted: {
        rows: Number(counted.rows),
        ids: Number(counted.ids),
        hourly: Number(counted.hourly),
        daily: Number(counted.daily),
        lifetime: Number(counted.lifetime),
      },
    };
  } finally {
    await stores.stop();
  }
}
