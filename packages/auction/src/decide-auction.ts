import { exclusionsOf, LOSS, LOSS_OF_FAULT, type Loss } from "@millrace/openrtb";
import { decideImps, type Order } from "./decide-imps.ts";
import type { AuctionDecision, BidCandidate, BidVerdict, Eligibility } from "./decision.ts";
import { eligibility } from "./eligibility.ts";
import type { AuctionInput } from "./input.ts";
import { judgeBid } from "./judge-bid.ts";
import { NBR_OF_NO_AD } from "./no-ad-reason.ts";
import { type Offer, offersOf, saleCurrencies } from "./offers.ts";
import { outcomesOf } from "./outcomes.ts";
import { compareText, rank } from "./rank.ts";
import type { BidReason } from "./reasons.ts";
import type { PartnerResponse } from "./response.ts";

/**
 * Decides an auction. A pure function: the same input and responses give the same decision on every machine, in
 * whatever order the responses arrived. `eligible` must be the result of `eligibility(input)`; passing it avoids
 * computing it twice.
 */
export function decideAuction(
  input: AuctionInput,
  responses: readonly PartnerResponse[],
  eligible: Eligibility = eligibility(input),
): AuctionDecision {
  const inOrder = [...responses].sort((a, b) => compareText(a.participantId, b.participantId) || a.call - b.call);
  const offers = offersOf(input);
  const { verdicts, ownFloors, candidates } = judgeAll(input, inOrder, offers, eligible);
  const orders = ordersOf(candidates, input.seed);
  announce(verdicts, ownFloors, orders);
  const imps = decideImps(offers, orders, { eligible, responses: inOrder, verdicts });
  const sold = imps.some(({ order }) => order.length > 0);
  const reason = sold ? null : (imps[0]?.noAdReason ?? null);
  return {
    auctionId: input.id,
    // Its ads are shown but neither counted nor paid (OpenRTB 2.6, section 3.2.1).
    test: input.request.test === 1,
    eligible: eligible.eligible,
    refused: eligible.refused,
    participants: outcomesOf(input.participants, eligible, inOrder, verdicts),
    bids: verdicts,
    imps,
    nbr: reason === null ? null : NBR_OF_NO_AD[reason],
    noAdReason: reason,
  };
}

function judgeAll(
  input: AuctionInput,
  responses: readonly PartnerResponse[],
  offers: Offer[],
  { eligible }: Eligibility,
) {
  const bench = {
    offers: new Map(offers.map((offer) => [offer.imp.id, offer])),
    asked: new Map(eligible.map(({ participantId, impIds }) => [participantId, impIds])),
    currencies: saleCurrencies(input),
    rates: input.ratesToUsd,
    exclusions: exclusionsOf(input.request, {
      advertisers: input.app.blockedAdvertisers,
      categories: input.app.blockedCategories,
    }),
  };
  const verdicts: BidVerdict[] = [];
  const ownFloors: (number | null)[] = [];
  const candidates: BidCandidate[] = [];
  for (const { participantId, call, bids } of responses) {
    for (const [index, bid] of bids.entries()) {
      const { fault, priceMicros, floorMicros, candidate } = judgeBid(bid, { participantId, call, index }, bench);
      if (candidate !== null) candidates.push(candidate);
      ownFloors.push(floorMicros);
      verdicts.push({
        participantId,
        call,
        index,
        impId: bid.impId,
        bidId: bid.bidId,
        status: fault === null ? "lost" : "invalid",
        reason: fault ?? "outbid",
        lossCode: fault === null ? LOSS.outbid : lossOf(fault),
        priceMicros,
        minToWinMicros: null,
        path: bid.faultPath,
      });
    }
  }
  return { verdicts, ownFloors, candidates };
}

function ordersOf(candidates: readonly BidCandidate[], seed: string): Map<string, Order> {
  const orders = new Map<string, Order>();
  for (const [impId, placed] of rank(candidates, seed)) {
    orders.set(
      impId,
      // Field by field: spreading into a longer object takes 50 times as long.
      placed.map(({ position, clearingPriceMicros, candidate }) => ({
        position,
        participantId: candidate.participantId,
        call: candidate.call,
        index: candidate.index,
        kind: candidate.kind,
        impId: candidate.impId,
        candidateId: candidate.candidateId,
        bidId: candidate.bidId,
        priceMicros: candidate.priceMicros,
        clearingPriceMicros,
        mediaType: candidate.mediaType,
        w: candidate.w,
        h: candidate.h,
        dealId: candidate.dealId,
        crid: candidate.crid,
        adomain: candidate.adomain,
      })),
    );
  }
  return orders;
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

/** Adds its imp's winner and the price to beat to each verdict. `ownFloors` is parallel to `verdicts`. */
function announce(
  verdicts: readonly BidVerdict[],
  ownFloors: readonly (number | null)[],
  orders: ReadonlyMap<string, Order>,
): void {
  for (const [place, verdict] of verdicts.entries()) {
    const [winner, second] = orders.get(verdict.impId) ?? [];
    const ownFloor = ownFloors[place] ?? null;
    const isWinner =
      winner?.participantId === verdict.participantId && winner.call === verdict.call && winner.index === verdict.index;
    if (isWinner) {
      verdict.status = "won";
      verdict.reason = null;
      verdict.lossCode = LOSS.won;
      verdict.minToWinMicros = Math.min(winner.priceMicros, Math.max(second?.priceMicros ?? 0, ownFloor ?? 0));
    } else if (ownFloor !== null && isMatterOfPrice(verdict)) {
      verdict.minToWinMicros = Math.max(winner?.priceMicros ?? 0, ownFloor);
      if (verdict.status === "lost" && winner?.dealId !== undefined) verdict.lossCode = LOSS.lostToDeal;
    }
  }
}

/** A bidder excluded for another reason must not learn prices. */
const isMatterOfPrice = ({ reason }: BidVerdict): boolean =>
  reason === "outbid" || reason === "below_floor" || reason === "below_deal_floor";
