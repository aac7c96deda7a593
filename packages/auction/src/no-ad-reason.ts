import { NBR, type Nbr } from "@millrace/openrtb";
import type { BidVerdict, Refusal } from "./decision.ts";
import type { BidReason, NoAdReason, RefusalReason } from "./reasons.ts";
import { asksFor, type CallResult } from "./response.ts";

/** The facts about one unsold imp. */
export interface UnsoldImp {
  impId: string;
  isLive: boolean;
  /** A kill switch blocks all bidders. */
  isSwitchedOff: boolean;
  /** The SDK that asks cannot play its format. */
  isUnplayable: boolean;
  /** The participants asked for it. */
  asked: ReadonlySet<string>;
  refused: readonly Refusal[];
  responses: readonly CallResult[];
  /** Of this imp only. */
  verdicts: readonly BidVerdict[];
}

const BELOW: readonly BidReason[] = ["below_floor", "below_deal_floor"];
const BLOCKED: readonly BidReason[] = [
  "advertiser_blocked",
  "advertiser_missing",
  "category_blocked",
  "attribute_blocked",
  "app_blocked",
];

/**
 * The main reason that an imp showed no ad: the one closest to a sale. A bid just below the floor outranks a blocked
 * one, that outranks a malformed one, and any bid outranks none.
 */
export function noAdReason(unsold: UnsoldImp): NoAdReason {
  const { impId, asked, refused, responses, verdicts } = unsold;
  // A campaign that wants the request and reaches its floor would have been sold.
  if (refused.some((refusal) => refusal.impId === impId && refusal.reason === "frequency_cap")) return "frequency_cap";
  // So would one be that is blocked, which does not bid: it counts as a bid that is.
  const hasBlocked = refused.some((refusal) => refusal.impId === impId && refusal.reason === "blocked");
  if (asked.size === 0 && !hasBlocked) return whyNobodyWasAsked(unsold);
  if (verdicts.length > 0 || hasBlocked) {
    const has = (reasons: readonly BidReason[]): boolean =>
      verdicts.some(({ reason }) => reason !== null && reasons.includes(reason));
    return has(BELOW) ? "no_bid_above_floor" : hasBlocked || has(BLOCKED) ? "blocked" : "invalid_bids";
  }
  const heard = responses.filter(({ participantId }) => asked.has(participantId));
  const statuses = new Set(heard.flatMap((response) => (asksFor(response, impId) ? [response.status] : [])));
  if (statuses.has("no_bid") || statuses.has("bid")) return "no_demand";
  // Whoever was heard only about other imps could not be asked for this one.
  return statuses.has("timeout") || heard.length === 0 ? "timeout" : "partner_errors";
}

function whyNobodyWasAsked({ impId, isLive, isSwitchedOff, isUnplayable, refused }: UnsoldImp): NoAdReason {
  // Also where there is nobody to refuse for it, as in an app without keys that a moderator has not seen yet.
  if (!isLive) return "app_not_live";
  const reasons = new Set<RefusalReason>();
  for (const refusal of refused) {
    if (refusal.impId === undefined || refusal.impId === impId) reasons.add(refusal.reason);
  }
  // A kill switch for one partner alone is not why all the others were not asked.
  if (isSwitchedOff || (reasons.has("switched_off") && reasons.size === 1)) return "switched_off";
  if (isUnplayable) return "format_unplayable";
  // What was learned of earlier requests.
  if (reasons.has("predicted_no_bid") || reasons.has("predicted_no_fill")) return "no_demand";
  if (reasons.has("consent_missing") || reasons.has("consent_unreachable")) return "consent_limits";
  return reasons.has("child_directed") || reasons.has("not_for_children")
    ? "child_directed_limits"
    : "no_partner_ready";
}

/** The no-bid reason for an OpenRTB caller when nothing sold. */
export const NBR_OF_NO_AD = {
  app_not_live: NBR.blockedPublisher,
  switched_off: NBR.unknown,
  format_unplayable: NBR.unknown,
  no_partner_ready: NBR.unknown,
  consent_limits: NBR.unknown,
  child_directed_limits: NBR.unknown,
  frequency_cap: NBR.dailyUserCap,
  timeout: NBR.insufficientTime,
  partner_errors: NBR.technicalError,
  no_demand: NBR.unknown,
  no_bid_above_floor: NBR.unknown,
  blocked: NBR.unknown,
  invalid_bids: NBR.unknown,
} as const satisfies Record<NoAdReason, Nbr>;
