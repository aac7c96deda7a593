import type { Earning } from "@millrace/contract";
import type { ScopeStatistics } from "../statistics/index.ts";
import type { App } from "./store.ts";

/** The last charges of these apps, each with the app it was made in. */
export async function chargesOf(statistics: ScopeStatistics, apps: readonly App[]): Promise<Earning[]> {
  const byId = new Map(apps.map((app) => [app.id, app]));
  return (await statistics.online_revenue()).flatMap((earning) => {
    const app = byId.get(earning.app_id);
    return app ? [{ icon: app.logoUrl, title: app.name, platform: app.platform, url: app.url, ...earning }] : [];
  });
}
