import { createLog } from "./logger.ts";
import { PLACES } from "./places.ts";
import { openDataDir } from "./platform/data-dir.ts";
import type { Log } from "./platform/log.ts";
import type { Settings } from "./platform/settings.ts";
import { type Stores, startStores } from "./start-stores.ts";

/**
 * Runs a command on the platform's stores, migrated, and closes them again. Throws StartError while a platform holds the
 * data directory.
 */
export async function withStores(
  settings: Settings,
  run: (stores: Stores, dataDir: string, log: Log) => Promise<void>,
): Promise<void> {
  const dataDir = await openDataDir(settings.dataDir);
  const log = createLog(settings.logLevel);
  try {
    const stores = await startStores(settings, dataDir.path, PLACES.migrations, log);
    try {
      await run(stores, dataDir.path, log);
    } finally {
      await stores.stop();
    }
  } finally {
    await dataDir.release();
  }
}
