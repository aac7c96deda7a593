import { type BidCandidate, type BidPlace, MAX_NOTICE_LENGTH, microsToDecimal, type Ranked } from "@millrace/auction";
import { expandMacros, fitsExpanded, LOSS, type Loss, type MacroValues } from "@millrace/openrtb";
import type { AuctionResult } from "../auction/execute-auction.ts";
import type { AdFacts, ImpressionNotices, OpenedToken } from "../delivery/beacon-token.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Notice, NoticeOutbox } from "./notice-outbox.ts";
import type { NoticeKind } from "./notice-sender.ts";

/** A bid that was returned, and whose bidder is told if another ad of the answer is shown. */
interface Returned {
  impId: string;
  candidateId: string;
  provider: string;
  macros: MacroValues;
  lurl: string;
}

interface OpenAnswer {
  expiresAtMs: number;
  ads: Returned[];
  chars: number;
}

const MAX_ANSWERS = 50_000;
const MAX_CHARS = 32 * 2 ** 20;
/** About what an ad takes beside its address. */
const CHARS_BESIDE = 500;

/**
 * Decides which bidder is told what, and when. With the answer: the first ad of each imp that it has won, each bid that is not
 * in the answer that it has lost. With an impression: its bidder that it is billed, the others of the answer that they have
 * lost. What follows an impression for its own bidder travels in the beacon's token and is on disk before the beacon is
 * answered; losses of ads further down an answer wait in memory, and go with the process.
 */
export class Notices {
  readonly #outbox: Pick<NoticeOutbox, "send" | "hold">;
  readonly #clock: Clock;
  readonly #lifeMs: number;
  /** By auction, oldest first. */
  readonly #open = new Map<string, OpenAnswer>();
  #openChars = 0;

  constructor(outbox: Pick<NoticeOutbox, "send" | "hold">, clock: Clock, lifeMs: number) {
    this.#outbox = outbox;
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  /** An auction's answer goes out with these of its candidates. */
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
    if (ads.length > 0) this.#remember(auction.setup.auctionId, ads);
  }

  /**
   * Keeps impressions by `keep`, together with the notices of their tokens: they are on disk before it, and sent after it.
   * Rejects as `keep` does; then nothing is sent.
   */
  async withImpressions(shown: readonly OpenedToken[], keep: () => Promise<void>): Promise<void> {
    const notices = shown.flatMap(noticesOf);
    const all = await Promise.all(notices.map(({ id, ...notice }) => this.#outbox.hold(notice, id)));
    const held = all.filter((each) => each !== null);
    try {
      await keep();
    } catch (error) {
      for (const each of held) each.cancel();
      throw error;
    }
    for (const each of held) each.send();
    for (const { facts } of shown) this.#loseOthers(facts);
  }

  /** An ad of the answer was passed over or could not be shown. */
  onLoss(facts: AdFacts): void {
    this.#take(facts, (ad) => isSameAd(ad, facts), LOSS.internalError);
  }

  /** About how much waits in memory, in characters. */
  get waitingChars(): number {
    return this.#openChars;
  }

  forget(): void {
    const now = this.#clock.now();
    for (const [auctionId, { expiresAtMs }] of this.#open) {
      if (expiresAtMs > now) return;
      this.#drop(auctionId);
    }
  }

  #loseOthers(facts: AdFacts): void {
    this.#take(facts, (ad) => !isSameAd(ad, facts), LOSS.outbid);
    // The shown one has not lost.
    const open = this.#open.get(facts.auctionId);
    if (!open) return;
    open.ads = open.ads.filter((ad) => ad.impId !== facts.impId);
    if (open.ads.length === 0) this.#drop(facts.auctionId);
  }

  /** Tells those ads of the imp's answer that they have lost, once. */
  #take({ auctionId, impId }: AdFacts, hasLost: (ad: Returned) => boolean, code: Loss): void {
    const open = this.#open.get(auctionId);
    if (!open) return;
    const losers = open.ads.filter((ad) => ad.impId === impId && hasLost(ad));
    open.ads = open.ads.filter((ad) => !losers.includes(ad));
    for (const { lurl, macros, provider } of losers) {
      this.#send("loss", lurl, { ...macros, AUCTION_LOSS: code }, provider);
    }
    if (open.ads.length === 0) this.#drop(auctionId);
  }

  #remember(auctionId: string, ads: Returned[]): void {
    const chars = ads.reduce((sum, { lurl }) => sum + lurl.length + CHARS_BESIDE, 0);
    this.#open.set(auctionId, { expiresAtMs: this.#clock.now() + this.#lifeMs, ads, chars });
    this.#openChars += chars;
    for (const [oldest] of this.#open) {
      if (this.#open.size <= MAX_ANSWERS && this.#openChars <= MAX_CHARS) return;
      this.#drop(oldest);
    }
  }

  #drop(auctionId: string): void {
    this.#openChars -= this.#open.get(auctionId)?.chars ?? 0;
    this.#open.delete(auctionId);
  }

  #sendLossNotices(auction: AuctionResult, returned: readonly BidPlace[]): void {
    const isReturned = new Set(returned.map(placeOf));
    for (const verdict of auction.decision.bids) {
      const lurl = auction.bidAt(verdict)?.bid.lurl;
      if (isEmpty(lurl) || isReturned.has(placeOf(verdict))) continue;
      // A winner whose markup could not be used has lost after all.
      const code = verdict.status === "won" ? LOSS.invalidResponse : verdict.lossCode;
      const macros = macrosOf(auction, verdict, verdict.minToWinMicros, verdict);
      this.#send("loss", lurl, { ...macros, AUCTION_LOSS: code }, verdict.participantId);
    }
  }

  #send(kind: NoticeKind, url: string | undefined, macros: MacroValues, bidder: string): void {
    // The bid with an address that is too long was dropped, so its bidder is not told either.
    if (isEmpty(url) || !fitsExpanded(url, macros, MAX_NOTICE_LENGTH)) return;
    this.#outbox.send({ kind, url: expandMacros(url, macros), bidder });
  }
}

function noticesOf({ facts, eventIds, onImpression }: OpenedToken): (Notice & { id: string })[] {
  return (["win", "billing"] as const).flatMap((kind) => {
    const url = onImpression[kind];
    return isEmpty(url) ? [] : { kind, url, bidder: facts.provider, id: `${kind} ${eventIds.impression}` };
  });
}

const isEmpty = (url: string | undefined): url is undefined | "" => url === undefined || url === "";

const isSameAd = (ad: Returned, { provider, candidateId }: AdFacts): boolean =>
  ad.provider === provider && ad.candidateId === candidateId;

/**
 * What a returned ad's bidder is told with its impression. The two together are no longer than one notice may be, so that
 * proxies let the beacon through; a win notice that does not fit beside the billing notice is left out.
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
  if (!isEmpty(burl)) made.billing = expandMacros(burl, macros);
  const win = hasWin ? expandMacros(nurl, macros) : "";
  if (win !== "" && win.length + (made.billing?.length ?? 0) <= MAX_NOTICE_LENGTH) made.win = win;
  return made;
}

const placeOf = ({ participantId, call, index }: BidPlace) => `${call} ${index} ${participantId}`;

/** The standard's macros for a bid; `priceMicros` is the CPM that it or the winner pays. `verdict` saves looking for it. */
export function macrosOf(
  { setup: { request, at }, bidAt, decision }: AuctionResult,
  place: BidPlace & { impId: string },
  priceMicros: number | null,
  verdict = decision.bids.find(
    ({ participantId, call, index }) =>
      participantId === place.participantId && call === place.call && index === place.index,
  ),
): MacroValues {
  const read = bidAt(place);
  const values: MacroValues = {
    AUCTION_ID: request.id,
    AUCTION_IMP_ID: place.impId,
    AUCTION_CURRENCY: "USD",
    AUCTION_IMP_TS: at,
    AUCTION_MULTIPLIER: 1,
  };
  if (read) {
    values.AUCTION_BID_ID = read.bid.id;
    values.AUCTION_SEAT_ID = read.seat ?? "";
    values.AUCTION_AD_ID = read.bid.adid ?? "";
  }
  if (priceMicros !== null) values.AUCTION_PRICE = microsToDecimal(priceMicros);
  const minToWin = verdict?.minToWinMicros ?? null;
  if (minToWin !== null) values.AUCTION_MIN_TO_WIN = microsToDecimal(minToWin);
  return values;
}
