import { type AppAds, appAds, appAdsTxt, checkAppAds, sellersJson, setAppAds } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { throttle } from "../../../platform/http/throttle.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { GuardedClient } from "../../../platform/outbound/guarded-get.ts";
import { recordAct } from "../../audit/index.ts";
import type { DspKeysDeps } from "../dsp-keys.ts";
import { listKeysOf, listPartners } from "../store.ts";
import { writeFile } from "./app-ads-file.ts";
import { type AppAdsLine, appAdsLines } from "./app-ads-lines.ts";
import { findSeller, listSellers, updateSeller } from "./app-ads-store.ts";
import { checkAppAds as check } from "./check-app-ads.ts";

export interface AppAdsDeps extends DspKeysDeps {
  /** Reads developers' sites. */
  client: Pick<GuardedClient, "read">;
  /** Its host is the advertising system that partners buy from. */
  publicUrl: string;
  contactEmail: string | undefined;
  /** Each partner's revenue for the account in the last 30 days in micro-dollars, from the statistics. */
  revenueByPartner(accountId: number): Promise<ReadonlyMap<string, number>>;
}

/** Each account's app-ads.txt and the platform's sellers.json, by which buyers check who may sell. */
export function appAdsRoutes(app: FastifyInstance, deps: AppAdsDeps): void {
  const { pool, sealer, client } = deps;
  const checks = throttle({ tries: 10, windowSeconds: 60 }, "Please wait a while before you check again");
  const platform = new URL(deps.publicUrl).hostname;

  async function linesOf(accountId: number): Promise<{ lines: AppAdsLine[]; reply: AppAds }> {
    const [seller, partners, keys] = await Promise.all([
      findSeller(pool, accountId),
      listPartners(pool),
      listKeysOf(pool, sealer, accountId),
    ]);
    const own = { system: platform, accountId: seller.uuid, relation: "DIRECT" } as const;
    const { lines, leftOut } = appAdsLines({ platform: own, partners, keys });
    return {
      lines,
      reply: {
        domain: seller.domain,
        is_confidential: seller.isConfidential,
        lines: lines.map(({ line, partners: of }) => ({ line, partners: of.map(({ name }) => name) })),
        left_out: leftOut,
      },
    };
  }

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

  serve(app, setAppAds, async ({ caller, request, body }) => {
    await inTransaction(pool, async (client) => {
      await updateSeller(client, caller.accountId, { domain: body.domain, isConfidential: body.is_confidential });
      const act = { action: "seller_changed", details: body };
      await recordAct({ pool: client, clock: deps.clock }, { caller, request }, act);
    });
    return (await linesOf(caller.accountId)).reply;
  });

  serve(app, checkAppAds, async ({ caller }) => {
    const { lines, reply } = await linesOf(caller.accountId);
    if (reply.domain === null) throw new Problem("unprocessable", "Save your developer site first");
    await checks.take(caller.accountId);
    const revenueOf = await deps.revenueByPartner(caller.accountId);
    return check(client, { domain: reply.domain, lines, revenueOf });
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
