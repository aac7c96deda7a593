import type { Area } from "../../platform/area.ts";
import type { News, NewsDeps } from "./deps.ts";
import { defineNewsMails } from "./mail-batch.ts";
import { newsRoutes } from "./routes.ts";
import { unsubscribeLinks } from "./unsubscribe-links.ts";

/** News mails to subscribers, and their unsubscribe links. */
export function newsArea(deps: NewsDeps): Area {
  const news: News = { ...deps, links: unsubscribeLinks(deps.secrets, deps.publicUrl) };
  defineNewsMails(news);
  return { name: "news", routes: (app) => newsRoutes(app, news) };
}
