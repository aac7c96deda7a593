import { appStats, appStatsCsv, dashFilters, listApps } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/serve.ts";
import { appList } from "./app-list.ts";
import { appPage, appParts, askApp } from "./app-page.ts";
import type { AppsDeps } from "./deps.ts";
import { filterChoices } from "./filter-choices.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { tableFile } from "./table-file.ts";

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
    const file = tableFile(await statistics.stats());
    const name = owned.name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "app";
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="${name}-${query.view}-${query.ds}-${query.de}.csv"`)
      .send(file);
  });
}
