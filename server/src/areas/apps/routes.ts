import { appStats, dashFilters, listApps, publisherStats } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/serve.ts";
import { appList } from "./app-list.ts";
import { appPage, appParts, askApp } from "./app-page.ts";
import type { AppsDeps } from "./deps.ts";
import { filterChoices } from "./filter-choices.ts";
import { askPublisher, publisherPage, publisherParts } from "./publisher-page.ts";
import { settingsRoutes } from "./settings/routes.ts";

export function appRoutes(app: FastifyInstance, deps: AppsDeps): void {
  settingsRoutes(app, deps);
  const { turns } = deps.statistics;
  serve(app, listApps, ({ query, caller: { accountId } }) =>
    turns.run(accountId, () => appList(deps, accountId, query)),
  );
  serve(app, dashFilters, ({ caller: { accountId } }) => turns.run(accountId, () => filterChoices(deps, accountId)));
  serve(app, appStats, ({ params, query, caller: { accountId } }) =>
    turns.run(accountId, async () => {
      const asked = await askApp(deps, accountId, params.id, query);
      return query.func.length > 0 ? appParts(asked, query.func) : appPage(asked);
    }),
  );
  serve(app, publisherStats, ({ query, caller: { accountId } }) =>
    turns.run(accountId, async () => {
      const asked = await askPublisher(deps, accountId, query);
      return query.func.length > 0 ? publisherParts(asked, query.func) : publisherPage(asked);
    }),
  );
}
