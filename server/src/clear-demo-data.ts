import { join } from "node:path";
import { clearDemo } from "../../demo/src/index.ts";
import { statisticsArea } from "./areas/statistics/index.ts";
import { createLog } from "./logger.ts";
import { PLACES } from "./places.ts";
import { systemClock } from "./platform/clock.ts";
import { openDataDir } from "./platform/data-dir.ts";
import type { Settings } from "./platform/settings.ts";
import { startStores } from "./start-stores.ts";

/** `millrace demo clear`: removes what the demo made from both stores. Throws StartError while a platform runs on them. */
export async function clearDemoData(settings: Settings): Promise<void> {
  const dataDir = await openDataDir(settings.dataDir);
  const log = createLog(settings.logLevel);
  const stores = await startStores(settings, dataDir.path, PLACES.migrations, log);
  try {
    // What a killed platform left in its journal would come back after the clearing.
    const { clickhouse } = stores;
    const statistics = await statisticsArea({
      clickhouse,
      journalDir: join(dataDir.path, "journal"),
      clock: systemClock,
      log,
    });
    await statistics.flush(60_000);
    await statistics.stop?.();
    const { apps } = await clearDemo({ pool: stores.postgres.pool, write: stores.clickhouse.write });
    process.stdout.write(
      apps === 0 ? "There was no demo.\n" : `The demo is gone: ${apps} apps and all of their numbers.\n`,
    );
  } finally {
    await stores.stop();
    await dataDir.release();
  }
}
