import { EARLIEST_DATE, FORMAT_LABELS, PLATFORM_LABELS, type Reply, type dashFilters } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import type { AppReach } from "../../platform/http/caller.ts";
import { countryName } from "../statistics/index.ts";
import type { AppsDeps } from "./deps.ts";
import { type App, countedApps } from "./store.ts";

/** The filter choices of the account's pages, as id-to-label maps, and the allowed dates. */
export async function filterChoices(deps: AppsDeps, reach: AppReach): Promise<Reply<typeof dashFilters>> {
  const counted = await countedApps(deps.pool, reach);
  // Deleted apps are no choice, but are in the figures of all apps: so are their countries and days.
  const apps = counted.filter(({ isDeleted }) => !isDeleted);
  const appIds = counted.map(({ id }) => id);
  const [providers, countries, firstDays] = await Promise.all([
    deps.providerNames(),
    deps.statistics.seenCountries(appIds),
    deps.statistics.firstDays(appIds),
  ]);
  const today = dayOf(deps.clock.now());
  return {
    dates: { ds: addDays(today, -1), de: today, min: EARLIEST_DATE, max: today },
    search: "",
    providers: Object.fromEntries([
      ...(apps.some(({ isSample }) => isSample) ? deps.samples.providerNames : []),
      ...providers,
    ]),
    formats: FORMAT_LABELS,
    countries: Object.fromEntries(countries.map((code) => [code, countryName(code)])),
    apps: Object.fromEntries(labelsOf(apps)),
    first_day: [...firstDays.values()].toSorted()[0] ?? null,
    first_days: Object.fromEntries([...firstDays].map(([id, day]) => [String(id), day])),
  };
}

/** Each app's name by its id; apps that share a name are told apart by their platforms. */
function labelsOf(apps: readonly App[]): [string, string][] {
  const counts = new Map<string, number>();
  for (const { name } of apps) counts.set(name, (counts.get(name) ?? 0) + 1);
  return apps.map(({ id, name, platform }) => [
    String(id),
    counts.get(name) === 1 ? name : `${name} · ${PLATFORM_LABELS[platform]}`,
  ]);
}
