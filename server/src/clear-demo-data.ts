import { clearDemo } from "../../demo/src/index.ts";
import { createLog } from "./logger.ts";
import { PLACES } from "./places.ts";
import { openDataDir } from "./platform/data-dir.ts";
import type { Settings } from "./platform/settings.ts";
import { startStores } from "./start-stores.ts";

/** `millrace demo clear`: removes what the demo made from both stores. Throws StartError while a platform runs on them. */
export async function clearDemoData(settings: Settings): Promise<void> {
  const dataDir = await openDataDir(settings.dataDir);
  const log = createLog(settings.logLevel);
  const stores = await startStores(settings, dataDir.path, PLACES.migrations, log);
  try {
    const { apps } = await clearDemo({ pool: stores.postgres.pool, write: stores.clickhouse.write });
    process.stdout.write(
      apps === 0 ? "There was no demo.\n" : `The demo is gone: ${apps} apps and all of their numbers.\n`,
    );
  } finally {
    await stores.stop();
    await dataDir.release();
  }
}
