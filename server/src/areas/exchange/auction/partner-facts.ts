import {
  asksFor,
  type BiddingParticipant,
  inUsdMicros,
  MAX_PRICE_MICROS,
  rateToUsd,
  type UnrecordedResponse,
} from "@millrace/auction";
import { CAMPAIGN_PROVIDER } from "@millrace/contract";
import type { AuctionRow } from "../../statistics/index.ts";
import type { AuctionResult } from "./execute-auction.ts";

/** Replaces the probability in requests from which nothing is learned: `bid_evidence_daily` leaves them out. */
const NO_EVIDENCE = -1;

export type PartnerFacts = Pick<
  AuctionRow,
  "asked" | "outcomes" | "latencies_ms" | "bids_micros" | "ask_probabilities"
>;

interface FactsInput {
  calls: AuctionResult["calls"];
  decision: Pick<AuctionResult["decision"], "eligible">;
  setup: { campaigns: Pick<NonNullable<AuctionResult["setup"]["campaigns"]>, "participants"> | null } & Partial<
    Pick<AuctionResult["setup"], "inhouse" | "lines" | "ratesToUsd"> & {
      app: Pick<AuctionResult["setup"]["app"], "skipsPartners">;
      bidders: Pick<AuctionResult["setup"]["bidders"], "participants" | "areNamed">;
    }
  >;
}

/**
 * The partners that were asked for an imp and what each did, as parallel arrays; all campaigns are one of them. The facts
 * need no verdicts: a bid counts as made, whether or not it is valid.
 */
export function partnerFacts({ calls, decision, setup }: FactsInput, impId: string): PartnerFacts {
  const facts: PartnerFacts = { asked: [], outcomes: [], latencies_ms: [], bids_micros: [] };
  const places = new Map<string, number>();
  for (const { participantId, impIds } of decision.eligible) {
    if (!impIds.includes(impId)) continue;
    // A publisher's own ads are nobody's demand, and a line item's seller is not asked.
    if (setup.inhouse?.has(participantId) === true || setup.lines?.lineOf({ participantId }) !== undefined) continue;
    const isCampaign = setup.campaigns?.participants.some(({ id }) => id === participantId) === true;
    const provider = isCampaign ? CAMPAIGN_PROVIDER.id : participantId;
    const known = isCampaign ? facts.asked.indexOf(provider) : -1;
    places.set(participantId, known < 0 ? facts.asked.length : known);
    if (known >= 0) continue;
    facts.asked.push(provider);
    // Until a call says otherwise: a partner without a call was sent nothing.
    facts.outcomes.push("request_failed");
    facts.latencies_ms.push(0);
    facts.bids_micros.push(0);
  }
  const answered = new Set<number>();
  for (const { response } of calls) {
    const place = places.get(response.participantId);
    if (place === undefined) continue;
    const verdict = verdictOf(response, impId, setup.ratesToUsd);
    if (verdict === null) continue;
    const { bid, outcome } = verdict;
    // Of a partner's several calls, one with a bid counts first, then one that failed.
    if (!answered.has(place) || rankOf(outcome) > rankOf(facts.outcomes[place])) facts.outcomes[place] = outcome;
    answered.add(place);
    facts.latencies_ms[place] = Math.max(facts.latencies_ms[place] ?? 0, response.latencyMs);
    facts.bids_micros[place] = Math.max(facts.bids_micros[place] ?? 0, bid);
  }
  // Anybody may name partners with any keys: what came of it says nothing of the app's own requests.
  if (setup.bidders?.areNamed === true) facts.ask_probabilities = facts.asked.map(() => NO_EVIDENCE);
  else if (setup.app?.skipsPartners === true) noteProbabilities(facts, setup.bidders?.participants ?? []);
  return facts;
}

/** Partners that were asked although they are predicted not to bid stand for those that were skipped. */
function noteProbabilities(facts: PartnerFacts, participants: readonly BiddingParticipant[]): void {
  const drawn = new Map(participants.flatMap(({ id, skip }) => (skip ? [[id, skip.probability] as const] : [])));
  if (!facts.asked.some((id) => drawn.has(id))) return;
  facts.ask_probabilities = facts.asked.map((id) => drawn.get(id) ?? 1);
}

/** What a call says about an imp; null if it neither asked for it nor got a bid on it. */
function verdictOf(
  response: UnrecordedResponse,
  impId: string,
  ratesToUsd: Record<string, number> | undefined,
): { bid: number; outcome: UnrecordedResponse["status"] } | null {
  const bid = highestBid(response, impId, ratesToUsd);
  if (bid !== null) return { bid, outcome: response.status };
  if (!asksFor(response, impId)) return null;
  return { bid: 0, outcome: response.status === "bid" ? "no_bid" : response.status };
}

/** The highest price of a response's bids on an imp: null without bids, 0 if none has a price that could be paid in dollars. */
function highestBid(
  { bids }: UnrecordedResponse,
  impId: string,
  ratesToUsd: Record<string, number> | undefined,
): number | null {
  let highest: number | null = null;
  for (const bid of bids) {
    if (bid.impId !== impId) continue;
    const rate = rateToUsd(bid.cur, ratesToUsd);
    const price = bid.priceMicros === null || rate === undefined ? 0 : inUsdMicros(bid.priceMicros, rate);
    const isPayable = price > 0 && price <= MAX_PRICE_MICROS;
    highest = Math.max(highest ?? 0, isPayable ? price : 0);
  }
  return highest;
}

const rankOf = (outcome: string | undefined): number => (outcome === "bid" ? 2 : outcome === "no_bid" ? 0 : 1);
