import type { AskStore } from "./ask-store.ts";
import { countDevices } from "./count-devices.ts";
import { revenueEver } from "./lifetime.stat.ts";
import { type Lifetime, NO_LIFETIME } from "./metrics.ts";
import type { Scope } from "./scope.ts";
import { TOTAL } from "./sums.stat.ts";

/** The key of all apps together, in place of an app's id. */
const ALL_APPS = 0;
/** All days that the store can represent. */
const EVER = { ds: "1970-01-01", de: "2149-06-06" };

/**
 * How long answers are reused: every page with an app's metrics asks for them, and a lifetime changes little in three
 * seconds. Where devices are counted by a sample, those that a minute adds are far fewer than the sample's error.
 */
const KEEP_MS = { whole: 3000, sampled: 60_000 };

/** Revenue ever earned and devices ever seen, of each app and (app 0) of all together, where a device counts once. */
export async function lifetimes(ask: AskStore, appIds: readonly number[]): Promise<Map<number, Lifetime>> {
  const scope: Scope = { appIds, range: EVER, providers: [], formats: [], countries: [] };
  const [revenue, all, byApp] = await Promise.all([
    ask(revenueEver, { appIds: [...appIds] }, KEEP_MS.whole),
    countDevices(ask, scope, "total", { only: [TOTAL], keepMs: KEEP_MS }),
    // A single app has all the devices.
    appIds.length > 1
      ? countDevices(ask, scope, "app", { only: appIds.map(String), keepMs: KEEP_MS })
      : new Map<string, number>(),
  ]);
  const found = new Map<number, Lifetime>();
  const add = (appId: number, part: Partial<Lifetime>) =>
    found.set(appId, { ...NO_LIFETIME, ...found.get(appId), ...part });
  for (const { appId, revenueMicros } of revenue) add(appId, { revenueMicros });
  for (const [id, devices] of byApp) add(Number(id), { devices });
  const devices = all.get(TOTAL) ?? 0;
  for (const appId of appIds.length === 1 ? [ALL_APPS, ...appIds] : [ALL_APPS]) add(appId, { devices });
  return found;
}
