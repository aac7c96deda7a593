import type { LRUCache } from "lru-cache";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { lruCache } from "../../../platform/lru-cache.ts";
import type { EarnedRewards } from "../../rewards/index.ts";
import type { OpenedToken } from "../delivery/beacon-token.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import type { SeenEvents } from "./seen-events.ts";

/** Enough for the rewarded ads that play at the same time. */
const MAX_WATCHED = 100_000;
/** The impression's beacon may take a little longer than the reward's. */
const TOLERANCE_MS = 1000;
/** How soon a reward whose impression has not counted yet is reported again. */
const IMPRESSION_WAIT_SECONDS = 5;

/** When the impressions of rewarded ads were counted in this process, by their events' ids, in epoch milliseconds. */
export type WatchTimes = LRUCache<string, number>;
export const watchTimes = (): WatchTimes => lruCache(MAX_WATCHED);

export interface RewardDeps {
  config: ConfigSource;
  seen: Pick<SeenEvents, "has">;
  watched: WatchTimes;
  /** Without it, no server is told of rewards. */
  rewards: EarnedRewards | undefined;
  clock: Clock;
}

/**
 * Takes the report of a reward, once for each impression. Problem `gone` if the ad has expired; `too_early` until its
 * impression has counted and the ad's length has passed since: a device that was offline reports both at once, and again
 * later. An impression that another process or an earlier one has counted is as old as the first report here.
 */
export async function takeReward(
  { config, seen, watched, rewards, clock }: RewardDeps,
  { facts, eventIds, reward }: OpenedToken,
): Promise<void> {
  const app = configuration(config).byId.get(facts.appId);
  const callbackUrl = app?.reward.callbackUrl ?? null;
  if (!rewards || !reward || !app || callbackUrl === null) return;
  const nowMs = clock.now();
  if (nowMs > facts.expiresAtMs) throw new Problem("gone", "This ad is over");
  if (!(await seen.has(eventIds.impression, facts.issuedAtMs))) throw tooEarly(IMPRESSION_WAIT_SECONDS);
  const shownAtMs = watched.get(eventIds.impression) ?? nowMs;
  watched.set(eventIds.impression, shownAtMs);
  const leftMs = shownAtMs + reward.seconds * 1000 - TOLERANCE_MS - nowMs;
  if (leftMs > 0) throw tooEarly(Math.ceil(leftMs / 1000));
  const { name, amount, userId, customData } = reward;
  const { appId, provider, zone } = facts;
  const transactionId = Buffer.from(eventIds.impression.slice(1), "base64url").toString("hex");
  const details = { name, amount, userId, customData };
  await rewards.earn({
    appId,
    appUuid: app.uuid,
    callbackUrl,
    transactionId,
    provider,
    zone,
    ...details,
    earnedAtMs: nowMs,
  });
}

const tooEarly = (retryAfterSeconds: number) =>
  new Problem("too_early", "The ad has not been watched to its end", { retryAfterSeconds });
