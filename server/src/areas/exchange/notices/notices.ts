import {
  type BidCandidate,
  type BidPlace,
  inUsdMicros,
  MAX_NOTICE_LENGTH,
  microsToDecimal,
  priceToMicros,
  rateToUsd,
  type Ranked,
} from "@millrace/auction";
import { expandMacro, expandMacros, fitsExpanded, LOSS, type Loss, type MacroValues } from "@millrace/openrtb";
import type { AuctionResult } from "../auction/execute-auction.ts";
import { type AdFacts, type ImpressionNotices, NO_NOTICES, type OpenedToken } from "../delivery/beacon-token.ts";
import type { Notice, NoticeOutbox } from "./notice-outbox.ts";
import type { NoticeKind } from "./notice-sender.ts";
import type { OpenAnswers, Returned, ReturnedAds } from "./open-answers.ts";

/** The address to call with an impression, from the one in its token. */
type LinkOf = (shown: OpenedToken, url: string) => Pick<Notice, "url" | "deviceSha1">;

/** Identifies an ad of an answer. */
export type AnsweredAd = Pick<AdFacts, "auctionId" | "impId" | "provider" | "candidateId">;
export const answeredAd = ({ auctionId, impId, provider, candidateId }: AnsweredAd): AnsweredAd => ({
  auctionId,
  impId,
  provider,
  candidateId,
});

/**
 * Decides which notices bidders get, and when. With the response: a win for the first ad of each imp, a loss for each bid
 * that is not returned. With an impression: billing for its bidder, a loss for the other returned ads. The notices of the
 * impression's own bidder are in the beacon's token, and losses of the other ads wait in a journal; both are on disk before
 * the beacon is acknowledged.
 */
export class Notices {
  readonly #outbox: Pick<NoticeOutbox, "send" | "hold">;
  readonly #answers: OpenAnswers;
  readonly #linkOf: LinkOf;

  /** `linkOf` completes the addresses that campaigns have for their impressions. */
  constructor(
    outbox: Pick<NoticeOutbox, "send" | "hold">,
    answers: OpenAnswers,
    linkOf: LinkOf = (_shown, url) => ({ url }),
  ) {
    this.#outbox = outbox;
    this.#answers = answers;
    this.#linkOf = linkOf;
  }

  /** Sends the notices that follow a response with these candidates. */
  onAnswer(auction: AuctionResult, returned: readonly Ranked<BidCandidate>[]): void {
    this.#sendLossNotices(auction, returned);
    const won = new Set<string>();
    const ads: Returned[] = [];
    for (const candidate of returned) {
      const bid = auction.bidAt(candidate)?.bid;
      if (!bid) continue;
      const { impId, candidateId, participantId: provider } = candidate;
      const isFirst = !won.has(impId);
      won.add(impId);
      if ((!isFirst || isEmpty(bid.nurl)) && isEmpty(bid.lurl)) continue;
      const macros = macrosOf(auction, candidate, candidate.clearingPriceMicros);
      if (isFirst) this.#send("win", bid.nurl, macros, provider);
      if (!isEmpty(bid.lurl)) ads.push({ impId, candidateId, provider, macros, lurl: bid.lurl });
    }
    if (ads.length > 0) this.#answers.add(auction.setup.auctionId, ads);
  }

  /**
   * Calls `keep` to store impressions that happened at `atMs`. The notices in their tokens, and those of the ads that have lost to them, are stored
   * on disk before it and sent after it. If `keep` rejects, nothing is sent.
   */
  async withImpressions(shown: readonly OpenedToken[], keep: () => Promise<void>, atMs: number): Promise<void> {
    const over = this.#takeAnswers(shown);
    const notices = [...shown.flatMap((ad) => noticesOf(ad, atMs, this.#linkOf)), ...lossesTo(shown, over)];
    const all = notices.map(({ id, ...notice }) => this.#outbox.hold(notice, id));
    // Most impressions have none.
    const held = all.length === 0 ? [] : (await Promise.all(all)).filter((each) => each !== null);
    try {
      await keep();
    } catch (error) {
      for (const each of held) each.cancel();
      for (const answer of over) this.#answers.putBack(answer);
      throw error;
    }
    for (const each of held) each.send();
    // A response's losses are added after it is sent, so its impression can come first.
    const late = this.#takeAnswers(shown);
    this.#sendAll(lossesTo(shown, late));
    for (const answer of [...over, ...late]) this.#answers.end(answer);
  }

  /** Another process has stored the impression of a returned ad: the others have lost. */
  onShownElsewhere(facts: AnsweredAd): void {
    const over = this.#answers.take(facts.auctionId, ({ impId }) => impId === facts.impId);
    if (!over) return;
    this.#sendAll(lossesTo([{ facts }], [over]));
    this.#answers.end(over);
  }

  /** A returned ad was skipped or could not be shown. */
  onLoss(facts: AnsweredAd): void {
    const lost = this.#answers.take(facts.auctionId, (ad) => isSameAd(ad, facts));
    if (!lost) return;
    this.#sendAll(lossesOf(lost, LOSS.internalError));
    this.#answers.end(lost);
  }

  /** Takes all ads of the shown imps, including the shown ones. */
  #takeAnswers(shown: readonly OpenedToken[]): ReturnedAds[] {
    const returned: ReturnedAds[] = [];
    for (const { facts } of shown) {
      const ads = this.#answers.take(facts.auctionId, ({ impId }) => impId === facts.impId);
      if (ads) returned.push(ads);
    }
    return returned;
  }

  #sendAll(notices: readonly Notice[]): void {
    for (const { kind, url, bidder } of notices) this.#outbox.send({ kind, url, bidder });
  }

  #sendLossNotices(auction: AuctionResult, returned: readonly BidPlace[]): void {
    const isReturned = new Set(returned.map(placeOf));
    for (const { response, bids } of auction.calls) {
      const { participantId, call } = response;
      for (const [index, { bid }] of bids.entries()) {
        if (isEmpty(bid.lurl)) continue;
        const place = { participantId, call, index };
        if (isReturned.has(placeOf(place))) continue;
        const verdict = auction.decision.verdictOf(place);
        if (!verdict) continue;
        // A winner with unusable markup counts as lost.
        const code = verdict.status === "won" ? LOSS.invalidResponse : verdict.lossCode;
        const macros = macrosOf(auction, verdict, verdict.minToWinMicros, verdict);
        macros.AUCTION_LOSS = code;
        this.#send("loss", bid.lurl, macros, participantId);
      }
    }
  }

  #send(kind: NoticeKind, address: string | undefined, macros: MacroValues, bidder: string): void {
    const url = filled(address, macros);
    if (url !== null) this.#outbox.send({ kind, url, bidder });
  }
}

function noticesOf(shown: OpenedToken, atMs: number, linkOf: LinkOf): (Notice & { id: string })[] {
  const { facts, eventIds, onImpression } = shown;
  if (onImpression === NO_NOTICES) return [];
  return (["win", "billing"] as const).flatMap((kind) => {
    const address = onImpression[kind];
    if (isEmpty(address)) return [];
    const url = expandMacro(address, IMPRESSION_TIME, atMs);
    return { kind, ...linkOf(shown, url), bidder: bidderOf(facts), id: `${kind} ${eventIds.impression}` };
  });
}

/** Each campaign waits for its own addresses only, as each bidder does. */
const bidderOf = ({ provider, campaign }: AdFacts): string => (campaign ? `campaign-${campaign.id}` : provider);

const isEmpty = (url: string | undefined): url is undefined | "" => url === undefined || url === "";

const isSameAd = (ad: Returned, { impId, provider, candidateId }: AnsweredAd): boolean =>
  ad.impId === impId && ad.provider === provider && ad.candidateId === candidateId;

/** The notices for the bidders of these ads, once for each id. */
const lossesOf = ({ auctionId, ads }: ReturnedAds, code: Loss): (Notice & { id: string })[] =>
  ads.flatMap(({ impId, candidateId, provider, lurl, macros }) => {
    const url = filled(lurl, { ...macros, AUCTION_LOSS: code });
    return url === null
      ? []
      : { kind: "loss", url, bidder: provider, id: `loss ${auctionId} ${impId} ${candidateId} ${provider}` };
  });

/** The loss notices for ads that were not shown. */
const lossesTo = (
  shown: readonly { facts: AnsweredAd }[],
  answers: readonly ReturnedAds[],
): (Notice & { id: string })[] =>
  answers.flatMap((answer) => {
    const isShown = (ad: Returned) =>
      shown.some(({ facts }) => facts.auctionId === answer.auctionId && isSameAd(ad, facts));
    return lossesOf({ ...answer, ads: answer.ads.filter((ad) => !isShown(ad)) }, LOSS.outbid);
  });

/** Expands a notice's address; null if there is none or it is too long, in which case the bid was dropped anyway. */
const filled = (url: string | undefined, macros: MacroValues): string | null =>
  isEmpty(url) || !fitsExpanded(url, macros, MAX_NOTICE_LENGTH) ? null : expandMacros(url, macros);

/**
 * The notices that a returned ad's bidder gets with its impression. Both together must fit the length of one notice, so
 * that proxies accept the beacon's address; otherwise the win notice is left out.
 */
export function impressionNotices(
  auction: AuctionResult,
  candidate: Ranked<BidCandidate>,
  isFirst: boolean,
): ImpressionNotices {
  const { nurl, burl } = auction.bidAt(candidate)?.bid ?? {};
  const hasWin = !isFirst && !isEmpty(nurl);
  if (!hasWin && isEmpty(burl)) return {};
  const macros = macrosOf(auction, candidate, candidate.clearingPriceMicros);
  const made: ImpressionNotices = {};
  if (!isEmpty(burl)) made.billing = untilShown(burl, macros);
  const win = hasWin ? untilShown(nurl, macros) : "";
  if (win !== "" && win.length + (made.billing?.length ?? 0) <= MAX_NOTICE_LENGTH) made.win = win;
  return made;
}

/** When the impression is shown, in milliseconds since 1970: known only then (OpenRTB 2.6-202303, section 4.4). */
const IMPRESSION_TIME = "AUCTION_IMP_TS";

/** An address as its token keeps it. Where the macro makes it too long for one, it gets the auction's time. */
function untilShown(address: string, macros: MacroValues): string {
  const kept = expandMacros(address, macros, IMPRESSION_TIME);
  return kept.length <= MAX_NOTICE_LENGTH ? kept : expandMacros(address, macros);
}

const placeOf = ({ participantId, call, index }: BidPlace) => `${call} ${index} ${participantId}`;

/**
 * The standard's macros for a bid, with prices in its own currency (section 4.4). `priceMicros` is the CPM in micro-dollars that
 * it or the winner pays; `verdict` saves a lookup.
 */
export function macrosOf(
  { setup: { request, at, ratesToUsd }, bidAt, currencyAt, decision }: AuctionResult,
  place: BidPlace & { impId: string },
  priceMicros: number | null,
  verdict = decision.verdictOf(place),
): MacroValues {
  const read = bidAt(place);
  const currency = currencyAt(place) ?? "USD";
  const rate = rateToUsd(currency, ratesToUsd) ?? 1;
  const own = rate === 1 ? null : priceToMicros(read?.bid.price);
  // Its own price comes back as it was, and not as what is left of it after two conversions.
  const priceText = (micros: number) =>
    microsToDecimal(own !== null && inUsdMicros(own, rate) === micros ? own : Math.round(micros / rate));
  const values: MacroValues = {
    AUCTION_ID: request.id,
    AUCTION_IMP_ID: place.impId,
    AUCTION_CURRENCY: currency,
    AUCTION_IMP_TS: at,
    AUCTION_MULTIPLIER: 1,
  };
  if (read) {
    // Section 4.4 has the response's id there. Most responses have none, and their bidders expect the bid's.
    values.AUCTION_BID_ID = read.responseId ?? read.bid.id;
    values.AUCTION_SEAT_ID = read.seat ?? "";
    values.AUCTION_AD_ID = read.bid.adid ?? "";
  }
  if (priceMicros !== null) values.AUCTION_PRICE = priceText(priceMicros);
  const minToWin = verdict?.minToWinMicros ?? null;
  if (minToWin !== null) values.AUCTION_MIN_TO_WIN = priceText(minToWin);
  return values;
}
