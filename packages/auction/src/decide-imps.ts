import type { Ranked } from "./candidate.ts";
import type { BidCandidate, BidVerdict, Eligibility, ImpDecision } from "./decision.ts";
import { noAdReason } from "./no-ad-reason.ts";
import type { AuctionInput } from "./input.ts";
import type { Offer } from "./offers.ts";
import type { CallResult } from "./response.ts";

/** An imp's candidates, best first. */
export type Order = Ranked<BidCandidate>[];

/** The circumstances and bids of the auction. */
interface AuctionRecord {
  input: Pick<AuctionInput, "app" | "isSwitchedOff" | "isUnplayable">;
  eligible: Eligibility;
  responses: readonly CallResult[];
  verdicts: readonly BidVerdict[];
}

/** Each imp's order, or the reason it has none, in the order of the offers. */
export function decideImps(
  offers: readonly Offer[],
  orders: ReadonlyMap<string, Order>,
  record: AuctionRecord,
): ImpDecision[] {
  const { input, eligible, responses, verdicts } = record;
  const askedByImp = new Map<string, Set<string>>();
  for (const { participantId, impIds } of eligible.eligible) {
    for (const impId of impIds) listed(askedByImp, impId, () => new Set<string>()).add(participantId);
  }
  const verdictsByImp = new Map<string, BidVerdict[]>();
  for (const verdict of verdicts) listed(verdictsByImp, verdict.impId, () => []).push(verdict);
  return offers.map(({ imp, format, floorMicros }) => {
    const impId = imp.id;
    const order = orders.get(impId) ?? [];
    const unsold = {
      impId,
      isLive: input.app.live,
      isSwitchedOff: input.isSwitchedOff === true,
      isUnplayable: input.isUnplayable === true,
      asked: askedByImp.get(impId) ?? new Set(),
      refused: eligible.refused,
      responses,
      verdicts: verdictsByImp.get(impId) ?? [],
    };
    return {
      impId,
      format,
      floorMicros: floorMicros ?? 0,
      order,
      noAdReason: order.length > 0 ? null : noAdReason(unsold),
    };
  });
}

function listed<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = make()));
  return found;
}
