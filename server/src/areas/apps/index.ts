import type { AppIdentity } from "@millrace/contract";
import type { PoolClient } from "pg";
import { z } from "zod";
import type { Area } from "../../platform/area.ts";
import { type AppReach, allAppsOf } from "../../platform/http/caller.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import { addThrottle } from "./add-app/add-throttle.ts";
import { appLookups } from "./add-app/app-lookups.ts";
import { type AdvertisedApps, advertisedApps } from "./add-app/advertised-apps.ts";
import { publishLineFills } from "./line-items/publish-line-fills.ts";
import { publishLinePrices } from "./line-items/publish-line-prices.ts";
import { publishFloors } from "./mediation/publish-floors.ts";
import { publishSkips } from "./mediation/publish-skips.ts";
import { sampleApps } from "./add-app/sample-apps.ts";
import { storeClients } from "./add-app/stores/store-clients.ts";
import { appIdentity } from "./app-identity.ts";
import type { AppsDeps } from "./deps.ts";
import { appRoutes } from "./routes.ts";
import { revenueByPartner } from "./revenue-by-partner.ts";
import { tableFileRoutes } from "./table-files/routes.ts";
import { tableFiles } from "./table-files/table-files.ts";
import { deleteAppsOf, earningAppIds, everyAppId, findApp, findAppsById, listApps } from "./store.ts";

export { attached } from "./table-files/attached.ts";
export { csvOf, isWholeDay, plainPercent } from "./table-files/table-csv.ts";
export { drawPdf } from "./table-files/draw-pdf.ts";
export { LINE_FILL_TABLE } from "./line-items/publish-line-fills.ts";
export { LINE_PRICE_TABLE } from "./line-items/publish-line-prices.ts";
export { FLOOR_EVIDENCE_TABLE, FLOOR_TABLE } from "./mediation/publish-floors.ts";
export { reportedRevenue } from "./impressions-csv.ts";
export { floorRuleOf } from "./settings/settings-store.ts";
export { SKIP_TABLE } from "./mediation/publish-skips.ts";
export { MOST_ROWS, shownRows } from "./table-files/table-pdf.ts";
export { createApp, deleteAppsOf, sampleAppIds } from "./store.ts";
export type { App } from "./store.ts";

export interface Apps {
  /** The earnings of the account's apps, of all time and today: including deleted apps, without samples. */
  revenueTodayOf(accountId: number): Promise<number>;
  /** Each provider's revenue for the account in the last 30 days, in micro-dollars. */
  revenueByPartner(accountId: number): Promise<ReadonlyMap<string, number>>;
  /** Whether the account ever had an app. */
  hasApps(accountId: number): Promise<boolean>;
  /** Apps of any account by id, as every screen shows them; deleted ones are left out. */
  identitiesOf(ids: readonly number[]): Promise<ReadonlyMap<number, AppIdentity>>;
  /** An app as every screen shows it; undefined if it is out of reach. */
  findApp(reach: AppReach, uuid: string): Promise<AppIdentity | undefined>;
  /** The account's apps in words, for an export of personal data. */
  belongingsOf(accountId: number): Promise<Record<string, unknown>>;
  /** Takes all apps of a deleted account out of service. Their earnings are kept. */
  closeAccount(client: PoolClient, accountId: number): Promise<void>;
  /** Looks up published apps that are to be advertised, whoever's they are. */
  advertised: AdvertisedApps;
}

export interface AppsAreaDeps extends AppsDeps {
  jobs: Jobs;
  /** The directory of long tables' files, below DATA_DIR. */
  filesDir: string;
}

const LEARN_SKIPS = "learn-skips";
const LEARN_EVERY_SECONDS = 3600;
const LEARN_PRICES = "learn-line-prices";
const LEARN_FILLS = "learn-line-fills";
/** A price that has fallen is noticed soon after its evidence. */
const LEARN_PRICES_EVERY_SECONDS = 300;
export const LEARN_FLOORS = "learn-floors";

/** The publisher's apps: their list, settings and statistics. */
export function appsArea(deps: AppsAreaDeps): Area & Apps {
  const { turns } = deps.statistics;
  const files = tableFiles(deps);
  const client = new GuardedClient();
  const lookups = appLookups({ ...deps, stores: storeClients(client, { origin: deps.storeOrigin }) });
  const throttle = addThrottle();
  const samples = sampleApps(deps);
  deps.jobs.define(LEARN_SKIPS, z.object({}), () => publishSkips(deps));
  deps.jobs.repeat(LEARN_SKIPS, {}, LEARN_EVERY_SECONDS);
  deps.jobs.define(LEARN_PRICES, z.object({}), () => publishLinePrices(deps));
  deps.jobs.repeat(LEARN_PRICES, {}, LEARN_PRICES_EVERY_SECONDS);
  deps.jobs.define(LEARN_FILLS, z.object({}), () => publishLineFills(deps));
  deps.jobs.repeat(LEARN_FILLS, {}, LEARN_EVERY_SECONDS);
  deps.jobs.define(LEARN_FLOORS, z.object({}), () => publishFloors(deps));
  deps.jobs.repeat(LEARN_FLOORS, {}, LEARN_EVERY_SECONDS);
  return {
    name: "apps",
    routes: (app) => {
      appRoutes(app, { ...deps, lookups, throttle, sampleApps: samples });
      tableFileRoutes(app, deps, files);
    },
    start: async () => {
      await lookups.clean();
      await files.clean();
    },
    stop: async () => {
      await lookups.settle();
      client.close();
    },
    revenueTodayOf: (accountId) =>
      turns.run(accountId, async () => deps.statistics.revenueToday(await earningAppIds(deps.pool, accountId))),
    revenueByPartner: (accountId) => turns.run(accountId, () => revenueByPartner(deps, accountId)),
    hasApps: async (accountId) => (await everyAppId(deps.pool, accountId)).length > 0,
    identitiesOf: async (ids) =>
      new Map((await findAppsById(deps.pool, ids)).map((app) => [app.id, appIdentity(deps, app)])),
    findApp: async (reach, uuid) => {
      const found = await findApp(deps.pool, reach, uuid);
      return found && appIdentity(deps, found);
    },
    belongingsOf: async (accountId) => ({
      apps: (await listApps(deps.pool, allAppsOf(accountId))).map(({ uuid, name, bundleId, platform, url }) => ({
        uuid,
        name,
        bundle_id: bundleId,
        platform,
        url,
      })),
    }),
    closeAccount: deleteAppsOf,
    advertised: advertisedApps({ pool: deps.pool, lookups, throttle }),
  };
}
