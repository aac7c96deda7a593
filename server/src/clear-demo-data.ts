import { join } from "node:path";
import type { Pool } from "pg";
import { clearDemo } from "../../demo/src/index.ts";
import { AN_HOUR_MS, connectClickHouse } from "./platform/clickhouse/connect-clickhouse.ts";
import { systemClock } from "./platform/clock.ts";
import { filesAt } from "./platform/files/files-in-bucket.ts";
import type { Settings } from "./platform/settings.ts";
import { shipJournals } from "./ship-leftovers.ts";
import { withStores } from "./with-stores.ts";

/** `millrace demo clear`: deletes all demo data from both stores. Throws StartError while a platform runs on them. */
export function clearDemoData(settings: Settings): Promise<void> {
  return withStores(settings, async ({ postgres, clickhouse, clickhouseUrl }, dataDir, log) => {
    // Rows that killed processes left in their journals would reappear after the clearing.
    await shipJournals(dataDir, { clickhouse, clock: systemClock, log });
    const { apps, files } = await clearPatiently(postgres.pool, clickhouseUrl);
    const stored = filesAt(settings.filesUrl, join(dataDir, "files"));
    for (const file of files) await stored.remove(file);
    process.stdout.write(
      apps === 0 ? "There is no demo data.\n" : `Deleted the demo: ${apps} apps and all of their data.\n`,
    );
  });
}

/** A large store takes its time, and a second run beside one that goes on there would correct its sums twice. */
async function clearPatiently(pool: Pool, clickhouseUrl: string): ReturnType<typeof clearDemo> {
  const { write, close } = connectClickHouse(clickhouseUrl, { requestTimeoutMs: AN_HOUR_MS });
  try {
    return await clearDemo({ pool, write });
  } finally {
    await close();
  }
}
