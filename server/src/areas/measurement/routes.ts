import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { networkOf } from "../../platform/http/network-of.ts";
import { Problem, type ProblemCode } from "../../platform/http/problem.ts";
import { serve } from "../../platform/http/serve.ts";
import { throttle } from "../../platform/http/throttle.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { ownCampaign, ownInhouse } from "../campaigns/index.ts";
import { type Checked, checkAttribution, checkSkadnetwork } from "./apple/apple-postback.ts";
import { appleReport } from "./apple/apple-report.ts";
import { takeApplePostback } from "./apple/take-apple-postback.ts";
import type { MeasurementDeps } from "./deps.ts";
import { creativeTests } from "./experiments/creative-tests.ts";
import { accountPostbackKey, postbackKey, replaceSecret } from "./postback-keys.ts";
import { latestPostbacks, postbackCounts, type PostbackLog } from "./postback-log.ts";
import type { PostbackParams } from "./postback-signature.ts";
import { takePostback } from "./take-postback.ts";

/** Providers send from a few addresses for all of their customers. */
const POSTBACKS_A_MINUTE = 12_000;
const WRONG_A_MINUTE = 120;

const PROBLEM_OF = {
  unauthorized: "unauthenticated",
  malformed: "invalid",
  unknown_click: "not_found",
  late: "gone",
  replayed: "conflict",
  over_limit: "unprocessable",
} as const satisfies Record<Exclude<contract.PostbackOutcome, "accepted">, ProblemCode>;

type Params = Record<string, unknown>;

export function measurementRoutes(app: FastifyInstance, deps: MeasurementDeps & { postbacks: PostbackLog }): void {
  const addresses = throttle({ tries: POSTBACKS_A_MINUTE, windowSeconds: 60 });
  const wrong = throttle({ tries: WRONG_A_MINUTE, windowSeconds: 60 });

  async function take(uuid: string, ip: string, query: Params, body: Params = {}): Promise<{ ok: 1 }> {
    const address = networkOf(ip);
    await addresses.take(address);
    const key = await postbackKey(deps, uuid);
    if (!key) throw new Problem("not_found", "There is no such address for postbacks");
    const result = await takePostback(deps, key, joined(paramsOf(query), paramsOf(body)));
    if (result.outcome === "unauthorized") await wrong.take(`${key.accountId} ${address}`);
    await deps.postbacks.add(key.accountId, result);
    if (result.outcome === "accepted") return { ok: 1 };
    throw new Problem(PROBLEM_OF[result.outcome], result.wrong ?? contract.POSTBACK_OUTCOME_TEXTS[result.outcome]);
  }
  serve(app, contract.postback, ({ params, query, request }) => take(params.id, request.ip, query));
  serve(app, contract.postbackByPost, ({ params, query, body, request }) => take(params.id, request.ip, query, body));

  async function takeApple(checked: Checked, ip: string): Promise<{ ok: 1 }> {
    await addresses.take(networkOf(ip));
    const { outcome, owner } = await takeApplePostback(deps, checked, new Date(deps.clock.now()));
    if (owner && outcome !== "accepted")
      await deps.postbacks.add(owner.accountId, {
        outcome,
        campaignId: owner.id,
        event: "apple",
        transactionId: "",
        kind: null,
        isTest: false,
      });
    // A device repeats what was not answered with 200, so what was kept before is a success.
    if (outcome === "accepted" || outcome === "replayed") return { ok: 1 };
    throw new Problem(
      outcome === "unauthorized" ? "invalid" : PROBLEM_OF[outcome],
      outcome === "unknown_click" ? "No campaign has this app and number" : contract.POSTBACK_OUTCOME_TEXTS[outcome],
    );
  }
  serve(app, contract.skadnetworkPostback, ({ body, request }) => takeApple(checkSkadnetwork(body), request.ip));
  serve(app, contract.attributionPostback, ({ body, request }) => takeApple(checkAttribution(body), request.ip));
  serve(app, contract.appleReport, ({ query: { ds, de, campaign }, caller }) =>
    appleReport(deps.pool, caller.accountId, { ds, de, campaigns: contract.narrowed(campaign) }),
  );
  serve(app, contract.creativeTests, async ({ params, caller }) => {
    const { id } = await ownCampaign(deps.pool, caller.accountId, params.id);
    return { tests: await creativeTests({ pool: deps.pool, sumsOf: deps.statistics.evenSums }, id) };
  });

  async function measurementOf(accountId: number, campaignId: number): Promise<contract.Measurement> {
    await deps.postbacks.flush();
    const nowMs = deps.clock.now();
    const [key, postbacks, counts] = await Promise.all([
      accountPostbackKey(deps, accountId),
      latestPostbacks(deps.pool, accountId, campaignId),
      postbackCounts(deps.pool, { accountId, campaignId, nowMs }),
    ]);
    return {
      postback_url: addressOf(deps.publicUrl, key.uuid),
      secret_since: key.secretSince?.toISOString() ?? null,
      postbacks,
      counts,
    };
  }
  async function sendTest(accountId: number, campaignId: number, ip: string): Promise<{ ok: 1 }> {
    const nowMs = deps.clock.now();
    const { uuid, secret } = await accountPostbackKey(deps, accountId);
    const click_id = deps.clickIds.sign({ ...TEST_CLICK, campaignId, atMs: nowMs });
    return take(uuid, ip, { click_id, secret });
  }
  const rotate = async (by: By): Promise<contract.NewSecret> =>
    inTransaction(deps.pool, async (client) => {
      const at = new Date(deps.clock.now());
      const made = await replaceSecret(client, deps.sealer, { accountId: by.caller.accountId, at });
      await recordAct({ pool: client, clock: deps.clock }, by, {
        action: "postback_secret_replaced",
        subject: made.id,
        details: {},
      });
      return made;
    });
  serve(app, contract.campaignMeasurement, async ({ params, caller: { accountId } }) =>
    measurementOf(accountId, (await ownCampaign(deps.pool, accountId, params.id)).id),
  );
  serve(app, contract.testPostback, async ({ params, caller: { accountId }, request }) =>
    sendTest(accountId, (await ownCampaign(deps.pool, accountId, params.id)).id, request.ip),
  );
  serve(app, contract.rotatePostbackSecret, rotate);
  serve(app, contract.inhouseMeasurement, async ({ params, caller: { accountId } }) =>
    measurementOf(accountId, (await ownInhouse(deps.pool, accountId, params.id)).id),
  );
  serve(app, contract.testInhousePostback, async ({ params, caller: { accountId }, request }) =>
    sendTest(accountId, (await ownInhouse(deps.pool, accountId, params.id)).id, request.ip),
  );
  serve(app, contract.rotateInhouseSecret, rotate);
}

/**
 * The parameters of the address and of the body. Problem `invalid` for one that differs between them: an address that counts
 * installs must not count another event because a provider's body names one.
 */
function joined(query: PostbackParams, body: PostbackParams): PostbackParams {
  const other = [...body.keys()].find((name) => query.has(name) && query.get(name) !== body.get(name));
  if (other !== undefined) throw new Problem("invalid", { [other]: "must be the same in the address and in the body" });
  return new Map([...query, ...body]);
}

/**
 * The parameters as text: a number or a boolean of a JSON body as JSON writes it. Problem `invalid` for a parameter that is
 * repeated, an object, or null, because a signature could not tell what it stands for.
 */
function paramsOf(input: Params): PostbackParams {
  const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  const other = Object.keys(input).find((name) => !isPlain(input[name]));
  if (other !== undefined) throw new Problem("invalid", { [other]: "must be one text, number or boolean" });
  return new Map(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

const addressOf = (publicUrl: string, uuid: string): string => publicUrl + contract.postback.path.replace("{id}", uuid);

const TEST_CLICK = {
  kind: "click",
  ad: "AAAAAAAAAAAAAAAA",
  creativeId: 0,
  appId: 0,
  format: "interstitial",
  country: "XX",
  platform: "android",
  arm: "",
  demo: false,
  test: true,
} as const;
