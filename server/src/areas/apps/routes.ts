import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/serve.ts";
import { type AddDeps, addApp } from "./add-app/add-app.ts";
import { annotationsOf } from "./annotations/annotations.ts";
import { appList } from "./app-list.ts";
import { appPage, appParts, selectApp } from "./app-page.ts";
import { changesOfApp, changesOfPublisher } from "./changes.ts";
import type { AppsDeps } from "./deps.ts";
import { removeSamples } from "./add-app/remove-samples.ts";
import { deleteApp } from "./edit-app/delete-app.ts";
import { muteApp } from "./edit-app/mute-app.ts";
import { renameApp } from "./edit-app/rename-app.ts";
import { filterChoices } from "./filter-choices.ts";
import { connectToDemo, firstStepsOf } from "./first-steps/first-steps-of.ts";
import { impressionsCsv } from "./impressions-csv.ts";
import { listRequests } from "./list-requests.ts";
import { sendInstructions } from "./instructions/send-instructions.ts";
import { selectApps, publisherPage, publisherParts } from "./publisher-page.ts";
import { lineItemRoutes } from "./line-items/routes.ts";
import { mediationRoutes } from "./mediation/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { attached } from "./table-files/attached.ts";
import { appsOfFilter, ownApp } from "./store.ts";

export function appRoutes(
  app: FastifyInstance,
  deps: AppsDeps & Pick<AddDeps, "lookups" | "throttle" | "sampleApps">,
): void {
  settingsRoutes(app, deps);
  mediationRoutes(app, deps);
  lineItemRoutes(app, deps);
  const { turns } = deps.statistics;
  serve(app, contract.listApps, ({ query, caller, signal }) =>
    turns.run(caller.accountId, () => appList(deps, caller, query), signal()),
  );
  serve(app, contract.dashFilters, ({ caller, signal }) =>
    turns.run(caller.accountId, () => filterChoices(deps, caller), signal()),
  );
  serve(app, contract.appStats, ({ params, query, caller, signal }) =>
    turns.run(
      caller.accountId,
      async () => {
        const selection = await selectApp(deps, caller, params.id, query);
        return query.func.length > 0 ? appParts(selection, query.func) : appPage(selection);
      },
      signal(),
    ),
  );
  serve(app, contract.publisherStats, ({ query, caller, signal }) =>
    turns.run(
      caller.accountId,
      async () => {
        const selection = await selectApps(deps, caller, query);
        return query.func.length > 0 ? publisherParts(selection, query.func) : publisherPage(selection);
      },
      signal(),
    ),
  );
  serve(app, contract.listRequests, ({ params, query, caller, signal }) =>
    turns.run(caller.accountId, () => listRequests(deps, caller, params.id, query), signal()),
  );
  serve(app, contract.appImpressions, async ({ params, query, caller, reply, signal }) => {
    const { name, content, next } = await turns.run(
      caller.accountId,
      () => impressionsCsv(deps, caller, params.id, query),
      signal(),
    );
    if (next !== null) void reply.header(contract.NEXT_IMPRESSIONS, next);
    return attached(reply, name).send(content);
  });
  serve(app, contract.appChanges, ({ params, query, caller, signal }) =>
    turns.run(caller.accountId, () => changesOfApp(deps, caller, params.id, query), signal()),
  );
  serve(app, contract.publisherChanges, ({ query, caller, signal }) =>
    turns.run(caller.accountId, () => changesOfPublisher(deps, caller, query), signal()),
  );
  serve(app, contract.appAnnotations, async ({ params, query, caller, signal }) =>
    annotationsOf(deps, { caller, signal: signal() }, [await ownApp(deps.pool, caller, params.id)], query),
  );
  serve(app, contract.publisherAnnotations, async ({ query, caller, signal }) => {
    const chosen = await appsOfFilter(deps.pool, caller, query.app_id);
    // A tick leads to its app's settings, which a deleted app no longer has.
    const present = chosen.filter(({ isDeleted }) => !isDeleted);
    return annotationsOf(deps, { caller, signal: signal() }, present, query);
  });

  serve(app, contract.addApp, ({ query, body, caller, request }) =>
    addApp(deps, { caller, request }, { ...query, ...body }),
  );
  serve(app, contract.renameApp, ({ params, body, caller, request }) =>
    renameApp(deps, { caller, request }, params.id, body),
  );
  serve(app, contract.muteApp, ({ params, body, caller, request }) =>
    muteApp(deps, { caller, request }, { uuid: params.id, muted: body.mute === "on" }),
  );
  serve(app, contract.removeSampleApps, ({ caller, request }) => removeSamples(deps, { caller, request }));
  serve(app, contract.deleteApp, ({ params, caller, request }) => deleteApp(deps, { caller, request }, params.id));
  serve(app, contract.firstSteps, ({ params, caller, signal }) =>
    turns.run(caller.accountId, () => firstStepsOf(deps, caller, params.id), signal()),
  );
  serve(app, contract.connectDemoPartners, ({ params, caller, request }) =>
    connectToDemo(deps, { caller, request }, params.id),
  );
  serve(app, contract.instructionFrame, ({ params, caller, reply }) =>
    sendInstructions(deps, caller, params.id, reply),
  );
}
