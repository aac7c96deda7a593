import type { Reach, ReachBody } from "@millrace/contract";
import { type Throttle, throttle } from "../../../platform/http/throttle.ts";
import { isDemoAccount } from "../campaign-store.ts";
import type { CampaignsDeps } from "../deps.ts";
import { fitOf } from "./fit-of.ts";

/** A form asks with every pause in typing. */
export const reachThrottle = (): Throttle =>
  throttle({ tries: 120, windowSeconds: 120 }, "Too many estimates. Please wait a moment");

/** What a campaign with these settings would reach on a day. Problem `too_many` for an account that asks without end. */
export async function estimateReach(
  { pool, statistics, limit }: Pick<CampaignsDeps, "pool" | "statistics"> & { limit: Throttle },
  { accountId, signal }: { accountId: number; signal: AbortSignal },
  { bid, limit: caps, ...fields }: ReachBody,
): Promise<Reach> {
  await limit.take(accountId);
  const { startsAt: _startsAt, endsAt: _endsAt, ...fit } = fitOf(fields, await isDemoAccount(pool, accountId));
  return statistics.turns.run(
    accountId,
    () => statistics.campaigns.reach({ fit, bidMicros: bid.value, dailyMicros: bid.daily, caps }),
    signal,
  );
}
