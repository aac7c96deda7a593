import type { Exclusions } from "@millrace/openrtb";
import type { Ranked } from "./candidate.ts";
import { decideImps, type Order } from "./decide-imps.ts";
import type { AuctionDecision, BidCandidate, BidPlace, BidVerdict, Eligibility, ParticipantRef } from "./decision.ts";
import type { AuctionInput } from "./input.ts";
import { type BidRules, exclusionsIn, type Judgement, judgeBid, kindOf, priceInUsd, tierOf } from "./judge-bid.ts";
import { NBR_OF_NO_AD } from "./no-ad-reason.ts";
import { saleCurrencies } from "./offers.ts";
import { OpenBid } from "./open-bid.ts";
import { outcomesOf } from "./outcomes.ts";
import { compareText, rank } from "./rank.ts";
import type { PartnerResponse, UnrecordedResponse } from "./response.ts";
import { verdictOf } from "./verdict.ts";

/** The bids on an imp by rank, and the valid ones among the first `judged` of them. */
interface ImpBids {
  ranked: readonly OpenBid[];
  judged: number;
  valid: Order;
}

interface HeardResponse {
  response: UnrecordedResponse;
  bids: readonly OpenBid[];
}

/**
 * The decision of an auction, made as far as its caller asks. Most callers ask for a winner alone, so bids are ranked by
 * price and judged from the highest down until enough of them are valid. Each bid is recorded and judged at most once,
 * and no answer depends on what was asked before.
 */
export class LazyDecision {
  /** The request or the device is marked as test: ads are shown but neither counted nor paid (OpenRTB 2.6, section 3.2.1). */
  readonly test: boolean;
  readonly #input: AuctionInput;
  readonly #eligible: Eligibility;
  readonly #rules: BidRules;
  readonly #heard: readonly HeardResponse[];
  readonly #imps: ReadonlyMap<string, ImpBids>;
  #full: AuctionDecision | undefined;

  /**
   * `eligible` must be the result of `eligibility(input)`, and `exclusions` that of `exclusionsIn(input)`; passing them avoids
   * computing them twice.
   */
  constructor(
    input: AuctionInput,
    responses: readonly UnrecordedResponse[],
    eligible: Eligibility,
    exclusions: Exclusions = exclusionsIn(input),
  ) {
    this.test = input.request.test === 1;
    this.#input = input;
    this.#eligible = eligible;
    this.#rules = rulesOf(input, eligible, exclusions);
    this.#heard = responses.map((response) => ({
      response,
      bids: response.bids.map((bid, index) => new OpenBid(response, index, bid)),
    }));
    this.#imps = this.#ranked();
  }

  /** The participants that may be asked, each with its imps. */
  get eligible(): readonly ParticipantRef[] {
    return this.#eligible.eligible;
  }

  /** The candidates of an imp, best first. A bid is judged when the walk reaches it. */
  *order(impId: string): Generator<Ranked<BidCandidate>, void, undefined> {
    for (let place = 0; ; place++) {
      const candidate = this.#validAt(impId, place);
      if (candidate === undefined) return;
      yield candidate;
    }
  }

  /** The verdict on a bid; undefined if there is no bid at this place. */
  verdictOf({ participantId, call, index }: BidPlace): BidVerdict | undefined {
    const heard = this.#heard.find(
      ({ response }) => response.participantId === participantId && response.call === call,
    );
    const bid = heard?.bids[index];
    return bid && this.#verdictOf(bid);
  }

  /** Every participant, bid and imp with its reason. */
  inFull(): AuctionDecision {
    return (this.#full ??= this.#decide());
  }

  /** The responses as a trace stores them, in the order of their arrival. */
  recordedResponses(): PartnerResponse[] {
    return this.#heard.map(
      ({ response: { participantId, call, status, latencyMs, httpStatus, nbr, impIds }, bids }) => {
        const recorded: PartnerResponse = {
          participantId,
          call,
          status,
          latencyMs,
          bids: bids.map((bid) => bid.recorded()),
        };
        if (httpStatus !== undefined) recorded.httpStatus = httpStatus;
        if (nbr !== undefined) recorded.nbr = nbr;
        if (impIds !== undefined) recorded.impIds = impIds;
        return recorded;
      },
    );
  }

  #ranked(): Map<string, ImpBids> {
    const rivals: OpenBid[] = [];
    for (const { bids } of this.#heard) {
      for (const bid of bids) {
        const price = this.#rankPriceOf(bid);
        if (price === null) continue;
        bid.priceMicros = price;
        if (price === 0) bid.tier = tierOf(kindOf(bid, this.#rules), price);
        rivals.push(bid);
      }
    }
    const imps = new Map<string, ImpBids>();
    for (const [impId, ranked] of rank(rivals, this.#input.seed)) imps.set(impId, { ranked, judged: 0, valid: [] });
    return imps;
  }

  /** The price of the candidate that the bid may become; null if it cannot become one. */
  #rankPriceOf(bid: OpenBid): number | null {
    // A deal may fix another price than the bid's own.
    if (bid.source.dealId !== undefined) return this.#judge(bid).candidate?.priceMicros ?? null;
    return priceInUsd(bid.source, bid, this.#rules);
  }

  #judge(bid: OpenBid): Judgement {
    return (bid.judgement ??= judgeBid(bid.recorded(), bid, this.#rules));
  }

  #validAt(impId: string, place: number): Ranked<BidCandidate> | undefined {
    const imp = this.#imps.get(impId);
    if (imp === undefined) return undefined;
    const { ranked, valid } = imp;
    while (valid.length <= place && imp.judged < ranked.length) {
      const { candidate } = this.#judge(ranked[imp.judged++] as OpenBid);
      if (candidate !== null) valid.push(rankedAt(valid.length + 1, candidate));
    }
    return valid[place];
  }

  #verdictOf(bid: OpenBid): BidVerdict {
    const [winner, second] = [this.#validAt(bid.impId, 0), this.#validAt(bid.impId, 1)];
    return verdictOf(bid, bid.recorded(), this.#judge(bid), { winner, second });
  }

  #decide(): AuctionDecision {
    const heard = this.#heard.toSorted(
      ({ response: a }, { response: b }) => compareText(a.participantId, b.participantId) || a.call - b.call,
    );
    const responses = heard.map(({ response }) => response);
    const verdicts = heard.flatMap(({ bids }) => bids.map((bid) => this.#verdictOf(bid)));
    const { eligible, refused, offers } = this.#eligible;
    const orders = new Map(offers.map(({ imp }) => [imp.id, [...this.order(imp.id)]]));
    const imps = decideImps(offers, orders, {
      input: this.#input,
      eligible: this.#eligible,
      responses,
      verdicts,
    });
    const sold = imps.some(({ order }) => order.length > 0);
    const reason = sold ? null : (imps[0]?.noAdReason ?? null);
    return {
      auctionId: this.#input.id,
      test: this.test,
      eligible,
      refused,
      participants: outcomesOf(this.#input.participants, this.#eligible, responses, verdicts),
      bids: verdicts,
      imps,
      nbr: reason === null ? null : NBR_OF_NO_AD[reason],
      noAdReason: reason,
    };
  }
}

function rulesOf(input: AuctionInput, { eligible, offers }: Eligibility, exclusions: Exclusions): BidRules {
  return {
    offers,
    asked: eligible,
    participants: input.participants,
    currencies: saleCurrencies(input),
    rates: input.ratesToUsd,
    exclusions,
  };
}

// Field by field: spreading into a longer object takes 50 times as long.
const rankedAt = (position: number, candidate: BidCandidate): Ranked<BidCandidate> => ({
  position,
  participantId: candidate.participantId,
  call: candidate.call,
  index: candidate.index,
  kind: candidate.kind,
  impId: candidate.impId,
  candidateId: candidate.candidateId,
  bidId: candidate.bidId,
  priceMicros: candidate.priceMicros,
  tier: candidate.tier,
  // First price: each would pay its own. Nobody pays an in-house one, nor a line item's to this platform.
  clearingPriceMicros: candidate.kind === "inhouse" || candidate.kind === "line" ? 0 : candidate.priceMicros,
  mediaType: candidate.mediaType,
  w: candidate.w,
  h: candidate.h,
  dealId: candidate.dealId,
  crid: candidate.crid,
  adomain: candidate.adomain,
});
