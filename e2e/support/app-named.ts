import type { Reply, listApps } from "@millrace/contract";
import type { BrowserContext } from "playwright-core";
import { OWN_PAGE } from "./session-of.ts";

/** The id of the signed-in user's app with this name. */
export async function appNamed({ request }: BrowserContext, search: string): Promise<string> {
  const list = await request.get("/apps.json", { headers: OWN_PAGE, params: { search } });
  const [app] = ((await list.json()) as Reply<typeof listApps>).apps;
  if (!app) throw new Error(`There is no app ${search}`);
  return app.uuid;
}
