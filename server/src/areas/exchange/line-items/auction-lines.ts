import {
  type BidPlace,
  type Consent,
  type LineParticipant,
  lineRefusal,
  linePlaceRefusal,
  microsToDecimal,
  type Offer,
  unrecordedBid,
  type UnrecordedResponse,
} from "@millrace/auction";
import { drawPrice, drawSkip, expectedPrice, type PriceFactors, type Skips } from "@millrace/learning";
import { MTYPE, type MediaType } from "@millrace/openrtb";
import type { PartnerBid } from "@millrace/partners";
import type { LineItemConfig } from "../config/snapshot.ts";

const NOTHING_KNOWN: PriceFactors = {};

/** What is believed of prices, by line items' ids as participants; undefined where nothing is known. */
export interface KnownPrices {
  of(participantId: string): PriceFactors | undefined;
}

/** Where adapters are predicted to have no ad, by line items' ids as participants; undefined for one that is tried everywhere. */
export interface KnownFills {
  of(participantId: string): Skips | undefined;
}

/** A request as line items see it. */
export interface LineRequest {
  auctionId: string;
  appId: number;
  country: string;
  offers: readonly Offer[];
  consent: Consent;
  /** The adapters that the app's SDK has. */
  adapters: readonly string[];
  platform: string;
  /** In this share of auctions, prices are drawn from what is believed of them. */
  explorationShare: number;
  /** What is believed of line items' prices. */
  known: KnownPrices;
  /** Null if none is skipped. */
  fills: KnownFills | null;
  /** The caller shows whatever ad is returned. */
  isPlace: boolean;
  isTraced: boolean;
}

/** A line item in an auction: what its owner states, and what an impression is expected to pay. */
export interface AuctionLine {
  item: LineItemConfig;
  statedMicros: number;
  expectedMicros: number;
}

/** The line items of one auction: its participants and their bids. */
export class AuctionLines {
  readonly participants: readonly LineParticipant[];
  readonly calls: readonly { response: UnrecordedResponse; bids: PartnerBid[] }[];
  readonly #lines = new Map<string, AuctionLine>();

  constructor(items: readonly LineItemConfig[], request: LineRequest) {
    const calls: { response: UnrecordedResponse; bids: PartnerBid[] }[] = [];
    this.participants = items.map((item) => {
      const participant = participantOf(item, request);
      const { id, statedMicros } = participant;
      if (statedMicros === null || lineRefusal(participant, request.consent) !== undefined) return participant;
      const draw = drawOf(participant, statedMicros, request);
      const { expectedMicros, priceMicros } = draw;
      const bids = request.offers.flatMap((offer) =>
        linePlaceRefusal(participant, offer) === undefined ? [bidOf(item, priceMicros, offer)] : [],
      );
      if (bids.length === 0) return participant;
      const options = { hashMarkup: request.isTraced, requestId: request.auctionId };
      const unrecorded = bids.map((bid) => unrecordedBid(bid, "USD", options));
      calls.push({ response: { participantId: id, call: 0, status: "bid", latencyMs: 0, bids: unrecorded }, bids });
      this.#lines.set(id, { item, statedMicros, expectedMicros });
      return { ...participant, draw };
    });
    this.calls = calls;
  }

  /** The line item of a bid; undefined if it is another's. */
  lineOf({ participantId }: Pick<BidPlace, "participantId">): AuctionLine | undefined {
    return this.#lines.get(participantId);
  }
}

/** The line items of an app in an auction; null if it has none. */
export const linesOf = (items: readonly LineItemConfig[], request: LineRequest): AuctionLines | null =>
  items.length === 0 ? null : new AuctionLines(items, request);

function participantOf(item: LineItemConfig, request: LineRequest): LineParticipant {
  const { country, adapters, isPlace } = request;
  const { source, gvlId } = item;
  return {
    kind: "line",
    id: item.participantId,
    name: item.name,
    serves: source.kind,
    enabled: item.enabled,
    format: item.format,
    zones: item.zones,
    size: source.kind === "html" ? source.size : null,
    statedMicros: item.prices.get(country) ?? item.prices.get("") ?? null,
    ...(gvlId !== undefined && { gvlId }),
    ...(source.kind === "sdk" && { hasAdapter: adapters.includes(source.adapter), ...skipOf(item, request) }),
    isPlace,
  };
}

/** What was drawn for an adapter that is predicted to have no ad. Nothing for any other, nor for one that cannot be tried. */
function skipOf(
  { participantId, format, enabled, source }: LineItemConfig,
  { auctionId, appId, country, platform, adapters, fills }: LineRequest,
): Pick<LineParticipant, "skip"> {
  const isTried = enabled && source.kind === "sdk" && adapters.includes(source.adapter);
  const skips = isTried ? fills?.of(participantId) : undefined;
  const cell = { format, country, platform, appId };
  const skip = skips && drawSkip({ seed: auctionId, partnerId: participantId }, skips, [cell]);
  return skip ? { skip: { isSkipped: skip.value, probability: skip.probability } } : {};
}

/** What is drawn depends on the auction's id and on what is known, so the trace keeps it. */
function drawOf(
  { id, format }: LineParticipant,
  statedMicros: number,
  { auctionId, country, platform, explorationShare, known }: LineRequest,
): NonNullable<LineParticipant["draw"]> {
  const factors = known.of(id) ?? NOTHING_KNOWN;
  const cell = { format, country, platform };
  const { expectedMicros } = expectedPrice(factors, cell, statedMicros);
  const drawn = drawPrice({ seed: auctionId, id, explorationShare }, factors, cell, statedMicros);
  return { expectedMicros, ...drawn };
}

/** The tag is returned with its macros: they are filled for the ads of the answer alone, and a trace has the tag's hash. */
function bidOf({ uuid, source }: LineItemConfig, priceMicros: number, { imp }: Offer): PartnerBid {
  const mediaType = mediaTypeOf(source.kind, imp);
  return {
    mediaType,
    bid: {
      id: uuid,
      impid: imp.id,
      price: Number(microsToDecimal(priceMicros)),
      mtype: MTYPE[mediaType],
      adm: source.kind === "vast" ? source.url : source.kind === "html" ? source.html : source.adapter,
      crid: uuid,
      ...(source.kind === "html" && source.size),
    },
  };
}

function mediaTypeOf(kind: LineItemConfig["source"]["kind"], imp: Offer["imp"]): MediaType {
  if (kind === "html") return "banner";
  if (imp.video !== undefined) return "video";
  return imp.audio === undefined ? (imp.native === undefined ? "banner" : "native") : "audio";
}
