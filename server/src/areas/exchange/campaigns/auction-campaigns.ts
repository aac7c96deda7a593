import {
  type BidPlace,
  type CampaignParticipant,
  microsToDecimal,
  unrecordedBid,
  type UnrecordedBid,
  type UnrecordedResponse,
} from "@millrace/auction";
import { MTYPE } from "@millrace/openrtb";
import type { PartnerBid } from "@millrace/partners";
import { AD_EXPIRES_SECONDS } from "./ad-markup.ts";
import type { ChosenAd, Choice, Missed } from "./choose-campaigns.ts";

/** A campaign's answer, as if it had been called. */
interface CampaignCall {
  response: UnrecordedResponse;
  bids: PartnerBid[];
}

/** How many of the campaigns that missed an imp become participants, so that a trace can explain why. */
const MOST_EXPLAINED = 3;

/** The campaigns of one auction: its participants, their bids, and what is held for them. */
export class AuctionCampaigns {
  readonly participants: readonly CampaignParticipant[];
  readonly calls: readonly CampaignCall[];
  readonly missed: readonly Missed[];
  /** By participant, in the order of its bids. */
  readonly #ads = new Map<string, ChosenAd[]>();

  constructor({ ads, missed }: Choice, { auctionId, isTraced }: { auctionId: string; isTraced: boolean }) {
    this.missed = missed;
    for (const ad of ads) {
      const own = this.#ads.get(ad.campaign.participantId);
      if (own) own.push(ad);
      else this.#ads.set(ad.campaign.participantId, [ad]);
    }
    this.participants = participantsOf(ads, missed);
    this.calls = [...this.#ads].map(([participantId, own]) => callOf(participantId, own, { auctionId, isTraced }));
  }

  /** The ad of a bid; undefined if it is no campaign's. */
  adAt({ participantId, index }: BidPlace): ChosenAd | undefined {
    return this.#ads.get(participantId)?.[index];
  }

  get ads(): ChosenAd[] {
    return [...this.#ads.values()].flat();
  }
}

function participantsOf(ads: readonly ChosenAd[], missed: readonly Missed[]): CampaignParticipant[] {
  const byId = new Map<string, CampaignParticipant & { impIds: string[]; gates: Missed[] }>();
  const explained = new Map<string, number>();
  const join = ({ campaign: { participantId, name, targeting }, impId }: Pick<Missed, "campaign" | "impId">) => {
    let participant = byId.get(participantId);
    if (!participant) {
      participant = { kind: "campaign", id: participantId, name, targeting, impIds: [], gates: [] };
      byId.set(participantId, participant);
    }
    participant.impIds.push(impId);
    return participant;
  };
  for (const ad of ads) join(ad);
  for (const miss of missed) {
    const count = explained.get(miss.impId) ?? 0;
    explained.set(miss.impId, count + 1);
    if (count < MOST_EXPLAINED) join(miss).gates.push(miss);
  }
  return [...byId.values()].map(({ gates, ...participant }) =>
    gates.length === 0 ? participant : { ...participant, gates: gates.map(({ impId, reason }) => ({ impId, reason })) },
  );
}

function callOf(
  participantId: string,
  ads: readonly ChosenAd[],
  { auctionId, isTraced }: { auctionId: string; isTraced: boolean },
): CampaignCall {
  const bids = ads.map((ad, index) => bidOf(ad, index, isTraced));
  const options = { hashMarkup: isTraced, requestId: auctionId };
  const unrecorded: UnrecordedBid[] = bids.map((bid) => unrecordedBid(bid, "USD", options));
  return { response: { participantId, call: 0, status: "bid", latencyMs: 0, bids: unrecorded }, bids };
}

function bidOf(
  { campaign, creative, impId, priceMicros, markup }: ChosenAd,
  index: number,
  isTraced: boolean,
): PartnerBid {
  const { mediaType, adm, facts } = markup;
  return {
    mediaType,
    bid: {
      id: `${creative.uuid}-${index}`,
      impid: impId,
      price: Number(microsToDecimal(priceMicros)),
      mtype: MTYPE[mediaType],
      // A trace has its hash. Otherwise markup is only made for the ads that are returned, with the links of their own.
      adm: isTraced ? adm(creative.clickUrl) : creative.uuid,
      adomain: creative.adomain,
      bundle: campaign.bundle,
      ...(creative.categories.length > 0 && { cat: creative.categories }),
      cid: campaign.uuid,
      crid: creative.uuid,
      // Later, what is held for it has ended, and its impression is not paid.
      exp: AD_EXPIRES_SECONDS,
      ...facts,
    },
  };
}
