import type { BidCandidate, Ranked } from "@millrace/auction";
import type { AuctionResult } from "../../auction/execute-auction.ts";
import type { AdFacts, OpenedToken } from "../../delivery/beacon-token.ts";

/** The part of an auction that notices read: one imp, with a returned bid for each of these loss notices. */
export function answeredAuction(auctionId: string, lurls: readonly string[]) {
  const setup = { auctionId, at: 0, request: { id: auctionId } };
  const bidAt = ({ candidateId }: BidCandidate) => ({ bid: { id: candidateId, lurl: lurls[Number(candidateId)] } });
  const candidates = lurls.map((_, nth) => ({
    impId: "1",
    candidateId: String(nth),
    participantId: `bidder-${nth}`,
    clearingPriceMicros: 1,
  }));
  return {
    auction: {
      setup,
      calls: [],
      decision: { verdictOf: () => undefined },
      bidAt,
      currencyAt: () => "USD",
    } as unknown as AuctionResult,
    returned: candidates as unknown as Ranked<BidCandidate>[],
  };
}

/** The opened beacon of such an ad, by its position in the response. */
export function openedToken(auctionId: string, nth: number): OpenedToken {
  const facts = { auctionId, impId: "1", candidateId: String(nth), provider: `bidder-${nth}` } as AdFacts;
  const id = `${auctionId} ${nth}`;
  const eventIds = { impression: `i${id}`, click: `c${id}`, loss: `l${id}`, player: `p${id}` };
  return { facts, eventIds, onImpression: {} };
}
