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
import { fullScreenSize } from "./ad-markup.ts";
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

/** Of an app's campaigns that want a request, so many take part; others have their turn in other auctions. */
const MOST_ADS = 5;
/** Of those that do not want it, so many become participants, so that a trace can explain why. */
const MOST_EXPLAINED = 3;

/** The in-house campaigns of one auction: its participants and their bids. */
export class AuctionInhouse {
  readonly participants: readonly InhouseParticipant[];
  readonly calls: readonly { response: UnrecordedResponse; bids: PartnerBid[] }[];
  readonly #byId: ReadonlyMap<string, LiveInhouse>;

  constructor(
    chosen: readonly LiveInhouse[],
    others: readonly LiveInhouse[],
    { auctionId, offers, isTraced }: InhouseRequest,
  ) {
    this.#byId = new Map(chosen.map((campaign) => [campaign.participantId, campaign]));
    this.participants = [...chosen, ...others].map(({ participantId, title, targeting }) => ({
      kind: "inhouse",
      id: participantId,
      name: title,
      targeting,
    }));
    const options = { hashMarkup: isTraced, requestId: auctionId };
    this.calls = chosen.map((campaign) => {
      const bids = offers.flatMap((offer, index) =>
        inhousePlaceRefusal(campaign.targeting, offer) === undefined ? bidOf(campaign, offer, index) : [],
      );
      const unrecorded = bids.map((bid) => unrecordedBid(bid, "USD", options));
      const { participantId } = campaign;
      return { response: { participantId, call: 0, status: "bid", latencyMs: 0, bids: unrecorded }, bids };
    });
  }

  /** Whether a participant is one of them. */
  has(participantId: string): boolean {
    return participantId.startsWith("inhouse-") && this.participants.some(({ id }) => id === participantId);
  }

  /** The campaign of a bid; undefined if it is another's. */
  adAt({ participantId }: Pick<BidPlace, "participantId">): LiveInhouse | undefined {
    return this.#byId.get(participantId);
  }
}

/** The in-house campaigns of an app that take part in an auction; null if there are none. */
export function inhouseOf(book: Pick<InhouseBook, "of">, request: InhouseRequest): AuctionInhouse | null {
  const all = book.of(request.appId);
  if (all.size === 0) return null;
  const [wanting, others]: [LiveInhouse[], LiveInhouse[]] = [[], []];
  for (const campaign of all.values()) {
    const { targeting } = campaign;
    const wants =
      inhouseRefusal(targeting, request.facts) === undefined &&
      request.offers.some((offer) => inhousePlaceRefusal(targeting, offer) === undefined);
    (wants ? wanting : others).push(campaign);
  }
  if (wanting.length > MOST_ADS) {
    const turn = (campaign: LiveInhouse) => seededHash(request.auctionId, campaign.participantId);
    wanting.sort((one, other) => other.priceMicros - one.priceMicros || turn(one) - turn(other));
  }
  return new AuctionInhouse(wanting.slice(0, MOST_ADS), others.slice(0, MOST_EXPLAINED), request);
}

function bidOf(campaign: LiveInhouse, { imp }: Offer, index: number): PartnerBid {
  const { uuid, priceMicros, adomain, imageUrl, clickUrl } = campaign;
  return {
    mediaType: "banner",
    bid: {
      id: `${uuid}-${index}`,
      impid: imp.id,
      price: Number(microsToDecimal(priceMicros)),
      mtype: MTYPE.banner,
      adm: campaign.html(clickUrl),
      adomain,
      cid: uuid,
      crid: uuid,
      iurl: imageUrl,
      ...fullScreenSize(imp),
    },
  };
}
