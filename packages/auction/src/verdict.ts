import { LOSS, LOSS_OF_FAULT, type Loss } from "@millrace/openrtb";
import type { BidCandidate, BidPlace, BidVerdict } from "./decision.ts";
import type { Judgement } from "./judge-bid.ts";
import type { BidReason } from "./reasons.ts";
import type { RecordedBid } from "./response.ts";

/** The best candidates of an imp. */
interface Leaders {
  winner: BidCandidate | undefined;
  second: BidCandidate | undefined;
}

/** The verdict on a judged bid: how it came out, and the price to beat. */
export function verdictOf(
  place: BidPlace,
  { impId, bidId, faultPath }: RecordedBid,
  { fault, priceMicros, floorMicros }: Judgement,
  { winner, second }: Leaders,
): BidVerdict {
  const verdict: BidVerdict = {
    participantId: place.participantId,
    call: place.call,
    index: place.index,
    impId,
    bidId,
    status: fault === null ? "lost" : "invalid",
    reason: fault ?? "outbid",
    lossCode: fault === null ? LOSS.outbid : lossOf(fault),
    priceMicros,
    minToWinMicros: null,
    path: faultPath,
  };
  const isWinner =
    winner?.participantId === place.participantId && winner.call === place.call && winner.index === place.index;
  if (isWinner) {
    verdict.status = "won";
    verdict.reason = null;
    verdict.lossCode = LOSS.won;
    verdict.minToWinMicros = Math.min(winner.priceMicros, Math.max(second?.priceMicros ?? 0, floorMicros ?? 0));
  } else if (floorMicros !== null && isMatterOfPrice(verdict)) {
    verdict.minToWinMicros = Math.max(winner?.priceMicros ?? 0, floorMicros);
    if (verdict.status === "lost" && winner?.dealId !== undefined) verdict.lossCode = LOSS.lostToDeal;
  }
  return verdict;
}

function lossOf(reason: BidReason): Loss {
  if (reason === "outbid") return LOSS.outbid;
  switch (reason) {
    case "malformed_bid":
    case "not_asked":
    case "notice_too_long":
      return LOSS.invalidResponse;
    case "markup_too_long":
      return LOSS.creativeFiltered;
    default:
      return LOSS_OF_FAULT[reason];
  }
}

/** A bidder excluded for another reason must not learn prices. */
const isMatterOfPrice = ({ reason }: BidVerdict): boolean =>
  reason === "outbid" || reason === "below_floor" || reason === "below_deal_floor";
