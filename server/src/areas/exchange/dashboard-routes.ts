import type { FastifyInstance } from "fastify";
import type { AppReach } from "../../platform/http/caller.ts";
import type { ConfigFeed } from "./config/config-feed.ts";
import { debugTokenRoutes } from "./debugger/routes.ts";
import { testAdRoutes } from "./test-ad/routes.ts";
import { traceRoutes } from "./traces/routes.ts";

type Derived = "reloadConfig" | "hasApp";
type Deps = Omit<Parameters<typeof testAdRoutes>[1] & Parameters<typeof debugTokenRoutes>[1], Derived> &
  Parameters<typeof traceRoutes>[2] & {
    config: ConfigFeed;
    /** An app within reach, even one that never serves. */
    findApp(reach: AppReach, uuid: string): Promise<object | undefined>;
  };

/** The exchange's routes for the dashboard. */
export function dashboardRoutes(app: FastifyInstance, deps: Deps): void {
  const all = {
    ...deps,
    reloadConfig: () => deps.config.reload(),
    hasApp: async (reach: AppReach, uuid: string) => (await deps.findApp(reach, uuid)) !== undefined,
  };
  testAdRoutes(app, all);
  debugTokenRoutes(app, all);
  traceRoutes(app, deps.config, all);
}
