import {
  CALLBACK_FAILURES,
  type CallbackOutcome,
  rewardCallbacks,
  rewardKeys,
  sendTestReward,
} from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Area } from "../../platform/area.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AppReach } from "../../platform/http/caller.ts";
import { Problem } from "../../platform/http/problem.ts";
import { serve } from "../../platform/http/serve.ts";
import type { Log } from "../../platform/log.ts";
import { CallbackSender, isDelivered } from "./callback-sender.ts";
import { addCallback, countCallbacks } from "./callback-store.ts";
import { callbackUrl, type EarnedReward } from "./callback-url.ts";
import { publishedKey, rewardKeysOf } from "./reward-keys.ts";

export { isDelivered, retryAfterMs } from "./callback-sender.ts";
export type { EarnedReward } from "./callback-url.ts";
export { type RewardKey, rewardKeysOf, signatureOf } from "./reward-keys.ts";

interface RewardsDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Newest first: the first one's key signs, all of their keys are published. */
  secrets: readonly string[];
  /** An app within reach, for the dashboard's calls; a process without them has none. */
  findApp?: ((reach: AppReach, uuid: string) => Promise<{ app_id: number } | undefined>) | undefined;
  /** Origins of callbacks that may be in a private network: for tests, and the demo's own. */
  trustedOrigins?: ReadonlySet<string>;
}

/** Where the exchange reports earned rewards. */
export interface EarnedRewards {
  /**
   * Stores a reward, whose callback is then sent until it is delivered. False if the transaction was stored before. Rejects
   * with Problem `unavailable` if it cannot be stored.
   */
  earn(reward: EarnedReward): Promise<boolean>;
}

/** Callbacks to publishers' servers, which confirm rewards. */
export function rewardsArea(deps: RewardsDeps): Area & EarnedRewards {
  const { pool, clock, log, findApp } = deps;
  const keys = rewardKeysOf(deps.secrets);
  const published = { keys: keys.map(publishedKey) };
  const sender = new CallbackSender({ pool, clock, log, trustedOrigins: deps.trustedOrigins ?? new Set() });

  async function ownApp(reach: AppReach, uuid: string): Promise<{ app_id: number }> {
    const app = await findApp?.(reach, uuid);
    if (!app) throw new Problem("not_found", "There is no such app");
    return app;
  }

  return {
    name: "rewards",
    routes(app) {
      serve(app, rewardKeys, async ({ reply }) => {
        void reply.header("cache-control", "public, max-age=3600");
        return published;
      });
      serve(app, rewardCallbacks, async ({ params, caller }) => {
        const { app_id: id } = await ownApp(caller, params.id);
        const { lastFailure, ...counts } = await countCallbacks(pool, id, new Date(clock.now() - DAY_MS));
        return { ...counts, last_failure: lastFailure === null ? null : readOutcome(lastFailure) };
      });
      serve(app, sendTestReward, async ({ params, caller }) => {
        const { app_id: id } = await ownApp(caller, params.id);
        const reward = await testReward(pool, id, clock.now());
        const outcome = await sender.test(callbackUrl(keys[0], reward, { isTest: true }));
        return { delivered: isDelivered(outcome), outcome };
      });
    },
    async start() {
      sender.start();
    },
    stop: () => sender.stop(),
    async earn(reward) {
      const url = callbackUrl(keys[0], reward);
      try {
        const isNew = await addCallback(pool, { ...reward, url });
        if (isNew) sender.ring();
        return isNew;
      } catch (error) {
        log.warn({ err: error }, "a reward could not be stored; its beacon is sent again");
        throw new Problem("unavailable", "The reward cannot be stored right now", { retryAfterSeconds: 5 });
      }
    },
  };
}

async function testReward(pool: Pool, appId: number, nowMs: number): Promise<EarnedReward> {
  const { rows } = await pool.query<{ url: string | null; appUuid: string; name: string; amount: number }>(
    `SELECT reward_callback_url AS url, uuid AS "appUuid", reward_name AS name, reward_amount AS amount
     FROM apps WHERE id = $1`,
    [appId],
  );
  const { url = null, ...reward } = rows[0] ?? { appUuid: "", name: "", amount: 1 };
  if (url === null) throw new Problem("conflict", "Save the address of your server first");
  const names = { provider: "test", zone: "test", userId: "test", customData: "" };
  return { appId, callbackUrl: url, transactionId: `test-${randomUUID()}`, ...reward, ...names, earnedAtMs: nowMs };
}

/** Outcomes are stored as text. */
export const readOutcome = (text: string): CallbackOutcome =>
  CALLBACK_FAILURES.find((failure) => failure === text) ?? (Number(text) || "failed");
