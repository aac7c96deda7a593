import {
  appStats,
  appStatsCsv,
  appStatsPdf,
  dashFilters,
  listApps,
  narrowed,
  publisherStats,
  publisherStatsCsv,
  publisherStatsPdf,
} from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/serve.ts";
import { appList } from "./app-list.ts";
import { appPage, appParts, askApp } from "./app-page.ts";
import type { ScopeStatistics } from "../statistics/index.ts";
import type { AppsDeps } from "./deps.ts";
import { filterChoices } from "./filter-choices.ts";
import { askPublisher, publisherPage, publisherParts } from "./publisher-page.ts";
import { sendTableFile, sendTablePdf } from "./send-table-file.ts";
import { settingsRoutes } from "./settings/routes.ts";

export function appRoutes(app: FastifyInstance, deps: AppsDeps): void {
  settingsRoutes(app, deps);
  serve(app, listApps, ({ query, caller }) => appList(deps, caller.accountId, query));
  serve(app, dashFilters, ({ caller }) => filterChoices(deps, caller.accountId));
  serve(app, appStats, async ({ params, query, caller }) => {
    const asked = await askApp(deps, caller.accountId, params.id, query);
    return query.func.length > 0 ? appParts(asked, query.func) : appPage(asked);
  });
  serve(app, appStatsCsv, async ({ params, query, caller, reply }) => {
    const { app: owned, statistics } = await askApp(deps, caller.accountId, params.id, query);
    return sendTableFile(reply, { name: owned.name, query, table: await statistics.stats() });
  });
  serve(app, appStatsPdf, async ({ params, query, caller, reply }) => {
    const { app: owned, statistics } = await askApp(deps, caller.accountId, params.id, query);
    return sendTablePdf(reply, { name: owned.name, query, chosenApps: [], ...(await pdfParts(deps, statistics)) });
  });
  serve(app, publisherStats, async ({ query, caller }) => {
    const asked = await askPublisher(deps, caller.accountId, query);
    return query.func.length > 0 ? publisherParts(asked, query.func) : publisherPage(asked);
  });
  serve(app, publisherStatsCsv, async ({ query, caller, reply }) => {
    const { statistics } = await askPublisher(deps, caller.accountId, query);
    return sendTableFile(reply, { name: "All apps", query, table: await statistics.stats() });
  });
  serve(app, publisherStatsPdf, async ({ query, caller, reply }) => {
    const { apps, statistics } = await askPublisher(deps, caller.accountId, query);
    const chosenApps = narrowed(query.app_id) ? apps.map(({ name }) => name) : [];
    return sendTablePdf(reply, { name: "All apps", query, chosenApps, ...(await pdfParts(deps, statistics)) });
  });
}

async function pdfParts({ clock, publicUrl, providerNames }: AppsDeps, statistics: ScopeStatistics) {
  const [providers, table, revenue] = await Promise.all([
    providerNames(),
    statistics.stats(),
    statistics.revenue_summary(),
  ]);
  return { table, revenue, publicUrl, madeMs: clock.now(), providerName: (id: string) => providers.get(id) ?? id };
}
