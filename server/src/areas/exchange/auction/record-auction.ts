import { type BidCandidate, encodeTrace, type NoAdReason, type Ranked, traceOf } from "@millrace/auction";
import { type Format, UNPAID_PROVIDERS } from "@millrace/contract";
import { atSeconds, type EventSink } from "../../statistics/index.ts";
import type { CampaignBuyer } from "../campaigns/campaign-buyer.ts";
import type { AdFacts } from "../delivery/beacon-token.ts";
import { recordedImpId } from "../delivery/recorded-imp-id.ts";
import type { AuctionResult } from "./execute-auction.ts";
import { offerFacts } from "./offer-facts.ts";
import { partnerFacts } from "./partner-facts.ts";

export interface RecordDeps {
  events: Pick<EventSink, "append">;
  zones: { nameToCount(appId: number, zone: string): string };
  /** Hears of each answer in which campaigns took part; absent if the exchange buys for none. */
  campaigns?: Pick<CampaignBuyer, "answered"> | undefined;
  notices: { onAnswer(auction: AuctionResult, returned: readonly Ranked<BidCandidate>[]): void };
  /** Imps that were sold, and those that were not, by reason. */
  tally: { sold: number; unsold: Map<NoAdReason, number> };
  /** Runs a task after the response is sent; shutdown waits for it. */
  later(work: () => Promise<unknown> | void): void;
}

/** An ad of the response. */
interface ReturnedAd {
  candidate: Ranked<BidCandidate>;
  facts: Pick<AdFacts, "provider" | "priceMicros" | "campaign">;
}

/** The response to one imp. */
export interface Answered<Ad extends ReturnedAd = ReturnedAd> {
  impId: string;
  audience: { zone: string; country: string; device: string; format: Format };
  /** Best first. */
  ads: readonly Ad[];
}

/** Records the auction and notifies bidders, after the response is sent. */
export function recordAuction(
  deps: RecordDeps,
  auction: AuctionResult,
  answers: readonly Answered[],
  durationMs: number,
): void {
  // At once: what is held for ads that were not returned may be all that is left of a budget.
  if (auction.setup.campaigns) deps.campaigns?.answered(auction.setup, auction.setup.campaigns, answers);
  deps.later(() => {
    deps.notices.onAnswer(
      auction,
      answers.flatMap(({ ads }) => ads.map(({ candidate }) => candidate)),
    );
    const { setup, decision } = auction;
    for (const { impId, ads } of answers) count(deps, auction, impId, ads.length > 0);
    const rows: Promise<unknown>[] = [];
    // Stored before the requests, so that a reader of a request can read its trace too.
    if (setup.isTraced) {
      const trace = traceOf(auction.input, decision.recordedResponses(), decision.inFull());
      rows.push(
        deps.events.append("traces", {
          at: atSeconds(setup.at),
          auction_id: setup.auctionId,
          app_id: setup.app.id,
          trace: new TextDecoder().decode(encodeTrace(trace)),
          demo: setup.app.demo ? 1 : 0,
        }),
      );
    }
    // A test is not counted as a request, because it would lower the fill rate of real ones.
    for (const answer of decision.test ? [] : answers) {
      const zone = deps.zones.nameToCount(setup.app.id, answer.audience.zone);
      rows.push(deps.events.append("auctions", { ...auctionRow(auction, answer, durationMs), zone }));
    }
    return Promise.all(rows);
  });
}

function count({ tally }: RecordDeps, { decision }: AuctionResult, impId: string, isSold: boolean): void {
  if (isSold) {
    tally.sold++;
    return;
  }
  const reason = noAdReasonOf(decision, impId);
  tally.unsold.set(reason, (tally.unsold.get(reason) ?? 0) + 1);
}

function auctionRow(auction: AuctionResult, { impId, audience, ads }: Answered, durationMs: number) {
  const { setup, decision } = auction;
  const [first] = ads;
  return {
    at: atSeconds(setup.at),
    auction_id: setup.auctionId,
    imp_id: recordedImpId(impId),
    app_id: setup.app.id,
    format: audience.format,
    country: audience.country,
    platform: setup.app.platform,
    device: audience.device,
    ...partnerFacts(auction, impId),
    winner: first?.facts.provider ?? "",
    price_micros: first?.facts.priceMicros ?? 0,
    ...(first && isUnpaid(first) && { expected_micros: first.candidate.priceMicros }),
    ...offerFacts(setup, impId),
    campaign_id: first?.facts.campaign?.id ?? 0,
    arm: first?.facts.campaign?.arm ?? "",
    creative_id: first?.facts.campaign?.creativeId ?? 0,
    ...ownAds(ads),
    no_ad: first ? "" : noAdReasonOf(decision, impId),
    duration_ms: Math.round(durationMs * 100) / 100,
    demo: setup.app.demo ? 1 : 0,
  } as const;
}

function ownAds(ads: readonly ReturnedAd[]) {
  const own = ads.flatMap(({ facts: { campaign } }) => campaign ?? []);
  return {
    campaign_ids: own.map(({ id }) => id),
    creative_ids: own.map(({ creativeId }) => creativeId),
    arms: own.map(({ arm }) => arm),
  };
}

const isUnpaid = ({ facts }: ReturnedAd): boolean => UNPAID_PROVIDERS.includes(facts.provider);

/** Why an imp has no ad: the decision's reason, or `invalid_bids` if the winners' markup is unusable. */
export function noAdReasonOf(decision: AuctionResult["decision"], impId: string): NoAdReason {
  return decision.inFull().imps.find((imp) => imp.impId === impId)?.noAdReason ?? "invalid_bids";
}
