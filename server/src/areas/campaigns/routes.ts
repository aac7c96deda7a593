import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { type CallContext, serve } from "../../platform/http/serve.ts";
import { attached } from "../apps/index.ts";
import type { CampaignsDeps } from "./deps.ts";
import { campaignFirstSteps } from "./first-steps/campaign-first-steps.ts";
import { inhouseRoutes } from "./inhouse/routes.ts";
import { lookUpApp } from "./look-up-app.ts";
import { selectCampaigns } from "./performance/select-campaigns.ts";
import { campaignSpending } from "./market/campaign-spending.ts";
import { estimateReach, reachThrottle } from "./market/estimate-reach.ts";
import { campaignFile } from "./performance/campaign-file.ts";
import { campaignPage, campaignParts } from "./performance/campaign-parts.ts";
import { getCampaign, listCampaigns, listRegions } from "./read-campaigns.ts";
import { takeForms } from "./read-one-file.ts";
import { addCampaign, editCampaign, saveThrottle } from "./save-campaign.ts";
import { setCampaignStatus } from "./set-campaign-status.ts";
import { type UploadLimits, uploadFile } from "./upload-file.ts";

export function campaignRoutes(app: FastifyInstance, deps: CampaignsDeps & { limits: UploadLimits }): void {
  const saving = { ...deps, saves: saveThrottle() };
  serve(app, contract.listCampaigns, ({ query, caller }) => listCampaigns(deps, caller.accountId, query));
  serve(app, contract.campaignStats, ({ query, caller, signal }) =>
    deps.statistics.turns.run(
      caller.accountId,
      async () => {
        const selection = await selectCampaigns(deps, caller.accountId, query);
        return query.func.length > 0 ? campaignParts(selection, query.func) : campaignPage(selection);
      },
      signal(),
    ),
  );
  serve(app, contract.campaignFirstSteps, ({ caller }) => campaignFirstSteps(deps, caller.accountId));
  serve(app, contract.campaignSpending, ({ params, query, caller }) =>
    campaignSpending(deps, caller.accountId, params.id, query),
  );
  const limit = reachThrottle();
  serve(app, contract.campaignReach, ({ body, caller: { accountId }, signal }) =>
    estimateReach({ ...deps, limit }, { accountId, signal: signal() }, body),
  );
  const file = (kind: contract.FileKind) => async (accountId: number, query: contract.CampaignFileQuery) =>
    deps.statistics.turns.run(accountId, async () =>
      campaignFile(
        await selectCampaigns(deps, accountId, { ...query, metrics: ["costs", "last_costs"] }),
        { kind, query },
        { publicUrl: deps.publicUrl, nowMs: deps.clock.now() },
      ),
    );
  serve(app, contract.campaignStatsCsv, async ({ query, caller, reply }) => {
    const { name, content } = await file("csv")(caller.accountId, query);
    return attached(reply, name).send(content);
  });
  serve(app, contract.campaignStatsPdf, async ({ query, caller, reply }) => {
    const { name, content } = await file("pdf")(caller.accountId, query);
    return attached(reply, name).send(content);
  });
  serve(app, contract.getCampaign, ({ params, caller }) => getCampaign(deps, caller.accountId, params.id));
  serve(app, contract.campaignRegions, async ({ query }) => listRegions(deps, query));
  serve(app, contract.addCampaign, ({ body, query, ...by }) =>
    addCampaign(saving, by, { body, startsNow: query.start === "now", key: query.key }),
  );
  serve(app, contract.editCampaign, ({ params, query, body, ...by }) =>
    editCampaign(saving, by, { uuid: params.id, ...query, body }),
  );
  serve(app, contract.campaignAppInfo, ({ body, caller }) => lookUpApp(deps, caller.accountId, body));
  serve(app, contract.setCampaignStatus, async ({ params, query, ...by }) => {
    await setCampaignStatus(deps, by, { uuid: params.id, ...query });
    return { ok: 1 as const };
  });
  serve(app, contract.setCampaignStatusByGet, async ({ params, query, ...by }) => {
    await setCampaignStatus(deps, by, { uuid: params.id, ...query });
    return { ok: 1 as const };
  });
  inhouseRoutes(app, saving);
  takeForms(app, (scope) => {
    const upload = ({
      caller,
      request,
      query,
    }: Pick<CallContext<typeof contract.uploadCreative>, "caller" | "request" | "query">) =>
      uploadFile(deps, caller.accountId, { request, kind: query.kind });
    serve(scope, contract.uploadCreative, upload);
    serve(scope, contract.uploadInhouse, upload);
  });
}
