import {
  asksFor,
  type AuctionInput,
  type BidVerdict,
  describeReason,
  floorOfBid,
  type ImpDecision,
  offersOf,
  type PartnerResponse,
  type Refusal,
} from "@millrace/auction";
import { INHOUSE_PROVIDER, LINE_PROVIDER, type PartnerResult } from "@millrace/contract";
import { formatCpm, formatPercent } from "@millrace/units";

/** Ads that nobody pays this platform for. */
export type Unpaid = "inhouse" | "line";

/** What kind of ads a provider of rows has, if nobody pays for them. */
export const unpaidProvider = (provider: string): Unpaid | null =>
  provider === INHOUSE_PROVIDER.id ? "inhouse" : provider === LINE_PROVIDER.id ? "line" : null;

/** The ad that the answer put first. */
export interface ServedAd {
  provider: string;
  /** CPM at which it was ranked. */
  priceMicros: number;
  /** The kind of an ad that nobody pays this platform for. */
  unpaid: Unpaid | null;
  /** Its index in the imp's order; -1 if the trace ranks no such bid. */
  index: number;
}

/** An imp's decision, and the ad that came of it. */
export interface DecidedImp {
  imp: ImpDecision;
  served: ServedAd | null;
}

/** The facts about one partner in an auction. */
export interface PartnerFacts {
  participantId: string;
  refusals: readonly Refusal[];
  verdicts: readonly BidVerdict[];
  responses: readonly PartnerResponse[];
}

export interface TextedResult {
  result: PartnerResult;
  label: string;
  text: string;
  priceMicros: number | null;
}

export const RESULT_LABELS = {
  won: "Won",
  outbid: "Outbid",
  bid: "Bid",
  under_floor: "Under the floor",
  refused: "Refused",
  no_bid: "No bid",
  failed: "Answer failed",
  timeout: "Timeout",
  not_asked: "Not asked",
  asked: "Asked",
} as const satisfies Record<PartnerResult, string>;

export const withText = (result: PartnerResult, text: string, priceMicros: number | null = null): TextedResult => ({
  result,
  label: RESULT_LABELS[result],
  text,
  priceMicros,
});

/** How a partner came out for one imp, in a word and a sentence that say nothing beyond the trace. */
export function partnerResult(input: AuctionInput, decided: DecidedImp, partner: PartnerFacts): TextedResult {
  const { impId } = decided.imp;
  const refusal = partner.refusals.find((each) => each.impId === undefined || each.impId === impId);
  if (refusal) return withText("not_asked", refusalText(refusal, input));
  const bids = partner.verdicts.filter((verdict) => verdict.impId === impId);
  const results = bids.map((verdict) => bidResult(input, decided, partner, verdict));
  const best = results.toSorted(byRank)[0];
  return best ? { ...best, text: best.text + drawText(input, partner.participantId) } : withoutBid(partner, impId);
}

/** What a line item is expected to pay, and how likely the price was that it is ranked at. */
function drawText({ participants }: AuctionInput, participantId: string): string {
  const item = participants.find(({ id }) => id === participantId);
  if (item?.kind !== "line" || !item.draw || item.statedMicros === null) return "";
  const { expectedMicros, priceMicros, probability, isExplored } = item.draw;
  const stated = expectedMicros === item.statedMicros ? "" : `, ${formatCpm(item.statedMicros)} stated`;
  const ranked = isExplored
    ? `ranked at ${formatCpm(priceMicros)}, drawn to explore (${formatCpm(expectedMicros)} expected${stated})`
    : `ranked at the ${formatCpm(expectedMicros)} that it is expected to pay${stated}`;
  return `; ${ranked}, as in ${formatPercent(100 * probability)} of auctions`;
}

/** A reason that was drawn stands with its probability. */
function refusalText({ participantId, reason }: Refusal, input: AuctionInput): string {
  const text = describeReason(reason, input);
  if (reason !== "predicted_no_bid" && reason !== "predicted_no_fill") return text;
  const participant = input.participants.find(({ id }) => id === participantId);
  const skip = participant?.kind === "bidding" || participant?.kind === "line" ? participant.skip : undefined;
  return skip ? `${text}, as in ${formatPercent(100 * skip.probability)} of such requests` : text;
}

const RANK: readonly PartnerResult[] = ["won", "outbid", "under_floor", "refused"];
const byRank = (a: TextedResult, b: TextedResult) =>
  RANK.indexOf(a.result) - RANK.indexOf(b.result) || (b.priceMicros ?? -1) - (a.priceMicros ?? -1);

function bidResult(
  input: AuctionInput,
  { imp, served }: DecidedImp,
  partner: PartnerFacts,
  verdict: BidVerdict,
): TextedResult {
  const { call, index, reason, path, priceMicros } = verdict;
  if (verdict.status === "invalid" && reason !== null) {
    if (reason !== "below_floor" && reason !== "below_deal_floor") {
      return withText("refused", describeReason(reason, input) + (path === undefined ? "" : ` (${path})`), priceMicros);
    }
    const floor = floorOf(input, imp, partner, verdict);
    if (floor === null || priceMicros === null)
      return withText("under_floor", describeReason(reason, input), priceMicros);
    const whose = reason === "below_floor" ? "the" : "its deal's";
    return withText(
      "under_floor",
      `${formatCpm(floor - priceMicros)} under ${whose} floor of ${formatCpm(floor)}`,
      priceMicros,
    );
  }
  const place = imp.order.findIndex(
    (each) => each.participantId === partner.participantId && each.call === call && each.index === index,
  );
  const price = imp.order[place]?.priceMicros ?? priceMicros;
  // Ads are made from the top: whatever ranks above the one that was returned could not be made.
  if (served === null || place < served.index) return withText("refused", "Its markup could not be shown", price);
  if (imp.order[place]?.tier === 1)
    return place > served.index
      ? withText("outbid", "It only fills what nobody bought")
      : withText("won", "It fills what nobody bought, free of charge");
  const short = served.priceMicros - (price ?? 0);
  if (place > served.index) {
    return withText("outbid", short === 0 ? "The same price; a draw decided" : `${formatCpm(short)} short`, price);
  }
  const next = imp.order[place + 1];
  const isTie = next?.priceMicros === price;
  const isOnly = imp.order.length === 1;
  const isLine = imp.order[place]?.kind === "line";
  return withText(
    "won",
    isTie
      ? "The same price as the next; a draw decided"
      : isOnly
        ? isLine
          ? "The only ad to try"
          : "The only valid bid"
        : isLine
          ? "The highest expected price that could be tried"
          : "The highest bid that could be shown",
    price,
  );
}

/** The floor that the bid had to reach; null if it is in a currency without a rate. */
function floorOf(
  input: AuctionInput,
  imp: ImpDecision,
  { responses }: PartnerFacts,
  { call, index }: BidVerdict,
): number | null {
  const bid = responses.find((response) => response.call === call)?.bids[index];
  const offer = offersOf(input).find((each) => each.imp.id === imp.impId);
  return bid && offer ? floorOfBid(bid, offer, input.ratesToUsd) : null;
}

// Of several calls without a bid, the most telling failure, as in the decision.
const FAILURES = [
  "request_failed",
  "malformed_response",
  "response_too_large",
  "http_error",
  "connection_failed",
] as const;

function withoutBid({ responses: all, verdicts }: PartnerFacts, impId: string): TextedResult {
  if (all.length === 0) return withText("timeout", describeReason("not_answered", { deadlineMs: 0 }));
  const responses = all.filter((response) => asksFor(response, impId));
  if (responses.length === 0) return withText("failed", describeReason("request_failed", { deadlineMs: 0 }));
  if (verdicts.some(({ call }) => responses.some((response) => response.call === call)))
    return withText("no_bid", "Its bids were for other imps of the request");
  for (const status of FAILURES) {
    const failed = responses.find((response) => response.status === status);
    if (failed) return withText("failed", failureText(failed));
  }
  const late = responses.filter(({ status }) => status === "timeout");
  if (late.length > 0) {
    const waited = Math.max(...late.map(({ latencyMs }) => latencyMs));
    return withText("timeout", timeoutText(waited));
  }
  const nbr = responses.find((response) => response.nbr !== undefined)?.nbr;
  return withText("no_bid", nbr === undefined ? "" : `It gave OpenRTB's no-bid reason ${nbr}`);
}

/** A call is cut when bids close, which is before the deadline, and counted from when it was sent. */
export const timeoutText = (waitedMs: number): string => `No answer in ${Math.round(waitedMs)} ms, when bids closed`;

export function failureText({ status, httpStatus }: Pick<PartnerResponse, "status" | "httpStatus">): string {
  if (status === "http_error" && httpStatus !== undefined) return `It answered HTTP ${httpStatus}`;
  return describeReason(status === "bid" ? "no_bid" : status, { deadlineMs: 0 });
}
