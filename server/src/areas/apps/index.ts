import type { Area } from "../../platform/area.ts";
import type { AppsDeps } from "./deps.ts";
import { appRoutes } from "./routes.ts";
import { everyAppId } from "./store.ts";

export type { AppsDeps } from "./deps.ts";
export { createApp } from "./store.ts";
export type { App } from "./store.ts";

export interface Apps {
  /** What the account's apps, deleted ones included, have earned ever and today. */
  earningsOf(accountId: number): Promise<{ balanceMicros: number; revenueTodayMicros: number }>;
}

/** The publisher's apps: their list, and each one's statistics. */
export function appsArea(deps: AppsDeps): Area & Apps {
  return {
    name: "apps",
    routes: (app) => appRoutes(app, deps),
    earningsOf: async (accountId) => deps.statistics.earnings(await everyAppId(deps.pool, accountId)),
  };
}
