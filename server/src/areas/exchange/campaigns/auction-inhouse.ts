import {
  type BidPlace,
  type DeviceFacts,
  inhousePlaceRefusal,
  inhouseRefusal,
  type InhouseParticipant,
  microsToDecimal,
  type Offer,
  seededHash,
  unrecordedBid,
  type UnrecordedResponse,
} from "@millrace/auction";
import { MTYPE } from "@millrace/openrtb";
import type { PartnerBid } from "@millrace/partners";
import { type AdMarkup, fullScreenSize, isUpright, videoIn } from "./ad-markup.ts";
import type { InhouseBook } from "./inhouse-book.ts";
import type { LiveInhouse } from "./live-inhouse.ts";

/** A request as in-house campaigns see it. */
export interface InhouseRequest {
  auctionId: string;
  appId: number;
  facts: DeviceFacts;
  offers: readonly Offer[];
  isTraced: boolean;
}

/** How many of an app's campaigns that want a request take part; the others get their turn in other auctions. */
const MOST_ADS = 5;
/** How many of those that do not want it become participants, so that a trace can explain why. */
const MOST_EXPLAINED = 3;

/** An ad of an in-house campaign in a place. */
export interface InhouseAd {
  campaign: LiveInhouse;
  impId: string;
  markup: AdMarkup;
  /** CPM at which it is ranked. */
  priceMicros: number;
}

/** A campaign with its ads of an auction, and the places that would take an ad of its kind, but not its own. */
interface Candidate {
  campaign: LiveInhouse;
  ads: InhouseAd[];
  misfits: string[];
}

/** The in-house campaigns of one auction: its participants and their bids. */
export class AuctionInhouse {
  readonly participants: readonly InhouseParticipant[];
  readonly calls: readonly { response: UnrecordedResponse; bids: PartnerBid[] }[];
  /** By participant, in the order of its bids. */
  readonly #ads: ReadonlyMap<string, readonly InhouseAd[]>;

  constructor(
    chosen: readonly Candidate[],
    others: readonly Candidate[],
    { auctionId, isTraced }: Pick<InhouseRequest, "auctionId" | "isTraced">,
  ) {
    this.#ads = new Map(chosen.map(({ campaign, ads }) => [campaign.participantId, ads]));
    this.participants = [...chosen, ...others].map(({ campaign: { participantId, title, targeting }, misfits }) => ({
      kind: "inhouse",
      id: participantId,
      name: title,
      targeting,
      ...(misfits.length > 0 && { gates: misfits.map((impId) => ({ impId, reason: "creative_misfit" as const })) }),
    }));
    const options = { hashMarkup: isTraced, requestId: auctionId };
    this.calls = chosen.map(({ campaign: { participantId }, ads }) => {
      const bids = ads.map((ad, index) => bidOf(ad, index, isTraced));
      const unrecorded = bids.map((bid) => unrecordedBid(bid, "USD", options));
      return { response: { participantId, call: 0, status: "bid", latencyMs: 0, bids: unrecorded }, bids };
    });
  }

  /** Whether a participant is one of them. */
  has(participantId: string): boolean {
    return participantId.startsWith("inhouse-") && this.participants.some(({ id }) => id === participantId);
  }

  /** The ad of a bid; undefined if it is another's. */
  adAt({ participantId, index }: BidPlace): InhouseAd | undefined {
    return this.#ads.get(participantId)?.[index];
  }
}

/** The in-house campaigns of an app that take part in an auction; null if there are none. */
export function inhouseOf(book: Pick<InhouseBook, "of">, request: InhouseRequest): AuctionInhouse | null {
  const all = book.of(request.appId);
  if (all.size === 0) return null;
  const [wanting, others]: [Candidate[], Candidate[]] = [[], []];
  for (const campaign of all.values()) {
    const candidate = candidateOf(campaign, request);
    (candidate.ads.length > 0 ? wanting : others).push(candidate);
  }
  if (wanting.length > MOST_ADS) {
    const priceOf = ({ ads }: Candidate) => Math.max(...ads.map(({ priceMicros }) => priceMicros));
    const turn = ({ campaign }: Candidate) => seededHash(request.auctionId, campaign.participantId);
    wanting.sort((one, other) => priceOf(other) - priceOf(one) || turn(one) - turn(other));
  }
  return new AuctionInhouse(wanting.slice(0, MOST_ADS), others.slice(0, MOST_EXPLAINED), request);
}

function candidateOf(campaign: LiveInhouse, { auctionId, facts, offers }: InhouseRequest): Candidate {
  const candidate: Candidate = { campaign, ads: [], misfits: [] };
  if (inhouseRefusal(campaign.targeting, facts) !== undefined) return candidate;
  for (const offer of offers) {
    if (inhousePlaceRefusal(campaign.targeting, offer) !== undefined) continue;
    const ad = adIn(campaign, offer, auctionId);
    if (ad) candidate.ads.push({ campaign, impId: offer.imp.id, ...ad });
    else candidate.misfits.push(offer.imp.id);
  }
  return candidate;
}

/** Its video where a place takes it, or else its images; null if it has neither for the place. */
function adIn(
  { targeting: { formats, videoFormats = [] }, ...campaign }: LiveInhouse,
  offer: Offer,
  auctionId: string,
): Pick<InhouseAd, "markup" | "priceMicros"> | null {
  const { video, orientation, priceMicros, imagePriceMicros, imageUrl: iurl, html: adm } = campaign;
  const { imp, format } = offer;
  const isItsPlayer = orientation === "all" || isUpright(imp.video) !== (orientation === "landscape");
  const markup = video && isItsPlayer && videoFormats.includes(format) ? videoIn(video, offer, auctionId) : null;
  if (markup) return { markup, priceMicros };
  if (imp.banner === undefined || !formats.includes(format)) return null;
  return {
    markup: { mediaType: "banner", adm, facts: { iurl, ...fullScreenSize(imp) } },
    priceMicros: imagePriceMicros,
  };
}

function bidOf({ campaign, impId, priceMicros, markup }: InhouseAd, index: number, isTraced: boolean): PartnerBid {
  const { uuid, adomain, clickUrl } = campaign;
  const { mediaType, adm, facts } = markup;
  return {
    mediaType,
    bid: {
      id: `${uuid}-${index}`,
      impid: impId,
      price: Number(microsToDecimal(priceMicros)),
      mtype: MTYPE[mediaType],
      // As of campaigns: a trace has its hash, and markup is only made for the ads that are returned.
      adm: isTraced ? adm(clickUrl) : uuid,
      adomain,
      cid: uuid,
      crid: uuid,
      ...facts,
    },
  };
}
