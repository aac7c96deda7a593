import type { Earning } from "@millrace/contract";
import type { ScopeStatistics } from "../statistics/index.ts";
import type { App } from "./store.ts";

/** A deleted app has figures, but no page of its own. */
export const deletedMark = ({ isDeleted }: App): { deleted?: true } => (isDeleted ? { deleted: true } : {});

/** The last charges of these apps, each with the app it was made in. */
export async function chargesOf(statistics: ScopeStatistics, apps: readonly App[]): Promise<Earning[]> {
  const byId = new Map(apps.map((app) => [app.id, app]));
  return (await statistics.online_revenue()).flatMap((earning) => {
    const app = byId.get(earning.app_id);
    if (!app) return [];
    const { logoUrl: icon, name: title, platform, url } = app;
    return [{ icon, title, ...deletedMark(app), platform, url, ...earning }];
  });
}
