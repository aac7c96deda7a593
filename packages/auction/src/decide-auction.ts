import type { AuctionDecision } from "./decision.ts";
import { eligibility } from "./eligibility.ts";
import type { AuctionInput } from "./input.ts";
import { LazyDecision } from "./lazy-decision.ts";
import { unrecorded } from "./record-bid.ts";
import type { PartnerResponse } from "./response.ts";

/**
 * Decides an auction in full. A pure function: the same input and responses give the same decision on every machine, in
 * whatever order the responses arrived. `eligible` must be the result of `eligibility(input)`; passing it avoids
 * computing it twice.
 */
export function decideAuction(
  input: AuctionInput,
  responses: readonly PartnerResponse[],
  eligible = eligibility(input),
): AuctionDecision {
  const heard = responses.map((response) => ({ ...response, bids: response.bids.map(unrecorded) }));
  return new LazyDecision(input, heard, eligible).inFull();
}
