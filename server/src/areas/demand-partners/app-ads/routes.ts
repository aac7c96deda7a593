import { isDeepStrictEqual } from "node:util";
import { appAds, appAdsTxt, checkAppAds, sellersJson, setAppAds } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { refuseStale } from "../../../platform/http/revision.ts";
import { throttle } from "../../../platform/http/throttle.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { recordAct } from "../../audit/index.ts";
import type { DspKeysDeps } from "../dsp-keys.ts";
import { writeFile } from "./app-ads-file.ts";
import { listSellers, lockSeller, siteOf, updateSeller } from "./app-ads-store.ts";
import { checkAppAds as check, isComplete } from "./check-app-ads.ts";
import { type AccountLinesDeps, linesOfAccount, platformHost } from "./lines-of-account.ts";
import type { SiteClient } from "./read-app-ads.ts";
import type { SiteStates } from "./site-states.ts";

export interface AppAdsDeps extends DspKeysDeps, AccountLinesDeps {
  /** Reads developers' sites. */
  client: SiteClient;
  sites: Pick<SiteStates, "note">;
  contactEmail: string | undefined;
  /** Each partner's revenue for the account in the last 30 days in micro-dollars, from the statistics. */
  revenueByPartner(accountId: number): Promise<ReadonlyMap<string, number>>;
}

/** Each account's app-ads.txt and the platform's sellers.json, by which buyers check who may sell. */
export function appAdsRoutes(app: FastifyInstance, deps: AppAdsDeps): void {
  const { pool } = deps;
  const checks = throttle({ tries: 10, windowSeconds: 60 }, "Please wait a while before you check again");
  const platform = platformHost(deps);
  const linesOf = (accountId: number) => linesOfAccount(deps, accountId);

  serve(app, appAds, async ({ caller }) => (await linesOf(caller.accountId)).reply);

  serve(app, appAdsTxt, async ({ caller, reply }) => {
    const { lines, reply: of } = await linesOf(caller.accountId);
    const text = writeFile({ ownerDomain: of.domain, managerDomain: platform, lines: lines.map(({ line }) => line) });
    return reply
      .type("text/plain; charset=utf-8")
      .header("content-disposition", 'attachment; filename="app-ads.txt"')
      .header("cache-control", "no-store")
      .send(text);
  });

  serve(app, setAppAds, async ({ caller, request, query, body }) => {
    await inTransaction(pool, async (client) => {
      const before = siteOf(await lockSeller(client, caller.accountId));
      if (refuseStale(query.revision, before, isDeepStrictEqual(before, body))) return;
      await updateSeller(client, caller.accountId, { domain: body.domain, isConfidential: body.is_confidential });
      const act = { action: "seller_changed", details: body };
      await recordAct({ pool: client, clock: deps.clock }, { caller, request }, act);
    });
    return (await linesOf(caller.accountId)).reply;
  });

  serve(app, checkAppAds, async ({ caller }) => {
    const { lines, reply } = await linesOf(caller.accountId);
    const { domain } = reply;
    if (domain === null) throw new Problem("unprocessable", "Save your developer site first");
    await checks.take(caller.accountId);
    const revenueOf = await deps.revenueByPartner(caller.accountId);
    const result = await check(deps.client, { domain, lines, revenueOf });
    deps.sites.note(caller.accountId, domain, isComplete(result));
    return result;
  });

  serve(app, sellersJson, async ({ reply }) => {
    void reply.header("access-control-allow-origin", "*");
    const sellers = await listSellers(pool);
    return {
      ...(deps.contactEmail !== undefined && { contact_email: deps.contactEmail }),
      version: "1.0" as const,
      sellers: sellers.map(({ uuid, name, domain, isConfidential }) => ({
        seller_id: uuid,
        seller_type: "PUBLISHER" as const,
        ...(isConfidential ? { is_confidential: 1 as const } : { name, ...(domain !== null && { domain }) }),
      })),
    };
  });
}
