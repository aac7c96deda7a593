import { type BidCandidate, type BidPlace, microsToDecimal, type Ranked } from "@millrace/auction";
import { expandMacros, LOSS, type Loss, type MacroValues } from "@millrace/openrtb";
import type { AuctionResult } from "../auction/execute-auction.ts";
import type { AdFacts } from "../delivery/beacon-token.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { NoticeKind, NoticeSender } from "./notice-sender.ts";

/** A bid that was returned, and what its bidder is still to be told. */
interface Returned {
  impId: string;
  candidateId: string;
  provider: string;
  macros: MacroValues;
  nurl: string | undefined;
  burl: string | undefined;
  lurl: string | undefined;
  state: "open" | "won" | "billed" | "lost";
}

const MAX_AUCTIONS = 50_000;

/**
 * Who is told what, and when: the first ad of an answer that it has won, each bid that is not in the answer that it has
 * lost, an ad that was shown that it is billed, and the rest of its answer that they have lost.
 */
export class Notices {
  readonly #sender: Pick<NoticeSender, "send">;
  readonly #clock: Clock;
  readonly #lifeMs: number;
  /** By auction, oldest first. */
  readonly #open = new Map<string, { expiresAtMs: number; ads: Returned[] }>();

  constructor(sender: Pick<NoticeSender, "send">, clock: Clock, lifeMs: number) {
    this.#sender = sender;
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  /** An auction's answer goes out with these of its candidates. */
  onAnswer(auction: AuctionResult, returned: readonly Ranked<BidCandidate>[]): void {
    const ads: Returned[] = [];
    for (const candidate of returned) {
      const bid = auction.bidAt(candidate)?.bid;
      if (!bid) continue;
      const { nurl, burl, lurl } = bid;
      if (nurl === undefined && burl === undefined && lurl === undefined) continue;
      ads.push({
        impId: candidate.impId,
        candidateId: candidate.candidateId,
        provider: candidate.participantId,
        macros: macrosOf(auction, candidate, candidate.clearingPriceMicros),
        nurl,
        burl,
        lurl,
        state: "open",
      });
    }
    this.#sendLossNotices(auction, returned);
    if (ads.length === 0) return;
    for (const { impId } of auction.decision.imps) this.#win(ads.find((ad) => ad.impId === impId));
    if (this.#open.size >= MAX_AUCTIONS) this.#forgetOldest();
    this.#open.set(auction.setup.auctionId, { expiresAtMs: this.#clock.now() + this.#lifeMs, ads });
  }

  /** An ad was shown and counted: it is billed, and what else was in its answer has lost. */
  onImpression({ auctionId, impId, provider, candidateId }: AdFacts): void {
    for (const ad of this.#open.get(auctionId)?.ads ?? []) {
      if (ad.impId !== impId) continue;
      if (ad.provider !== provider || ad.candidateId !== candidateId) this.#lose(ad, LOSS.outbid);
      else if (ad.state === "open" || ad.state === "won") {
        this.#win(ad);
        ad.state = "billed";
        this.#send("billing", ad.burl, ad.macros, ad.provider);
      }
    }
  }

  /** An ad of the answer was passed over or could not be shown. */
  onLoss({ auctionId, impId, provider, candidateId }: AdFacts): void {
    const ads = this.#open.get(auctionId)?.ads ?? [];
    const ad = ads.find(
      (each) => each.impId === impId && each.provider === provider && each.candidateId === candidateId,
    );
    if (ad) this.#lose(ad, LOSS.internalError);
  }

  forget(): void {
    const now = this.#clock.now();
    for (const [auctionId, { expiresAtMs }] of this.#open) {
      if (expiresAtMs > now) return;
      this.#open.delete(auctionId);
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#open.delete(oldest);
  }

  #sendLossNotices(auction: AuctionResult, returned: readonly BidPlace[]): void {
    const isReturned = new Set(returned.map(placeOf));
    for (const verdict of auction.decision.bids) {
      const lurl = auction.bidAt(verdict)?.bid.lurl;
      if (lurl === undefined || lurl === "" || isReturned.has(placeOf(verdict))) continue;
      // A winner whose markup could not be used has lost after all.
      const code = verdict.status === "won" ? LOSS.invalidResponse : verdict.lossCode;
      const macros = macrosOf(auction, verdict, verdict.minToWinMicros, verdict);
      this.#send("loss", lurl, { ...macros, AUCTION_LOSS: code }, verdict.participantId);
    }
  }

  #win(ad: Returned | undefined): void {
    if (ad?.state !== "open") return;
    ad.state = "won";
    this.#send("win", ad.nurl, ad.macros, ad.provider);
  }

  #lose(ad: Returned, code: Loss): void {
    if (ad.state === "billed" || ad.state === "lost") return;
    ad.state = "lost";
    this.#send("loss", ad.lurl, { ...ad.macros, AUCTION_LOSS: code }, ad.provider);
  }

  #send(kind: NoticeKind, url: string | undefined, macros: MacroValues, bidder: string): void {
    if (url !== undefined && url !== "") this.#sender.send(kind, expandMacros(url, macros), bidder);
  }
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
