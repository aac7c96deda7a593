import {
  type AuctionDecision,
  type AuctionInput,
  describeReason,
  type NoAdReason,
  NO_AD_REASONS,
  type ParticipantKind,
  type Trace,
} from "@millrace/auction";
import {
  CAMPAIGN_PROVIDER,
  type explainAuction,
  INHOUSE_PROVIDER,
  notCountedText,
  type ReplyInput,
} from "@millrace/contract";
import { impressionMicros } from "@millrace/units";
import { floorSource } from "./floor-source.ts";
import { type ImpStory, impDetail, impSentence } from "./imp-sentence.ts";
import { type DecidedImp, type ServedAd, type TextedResult, type Unpaid, unpaidProvider } from "./partner-result.ts";
import { isShareOf, priceSplit } from "./price-split.ts";
import type { StoredEvent, StoredRequest } from "./stored-auction.ts";

type ImpReply = ReplyInput<typeof explainAuction>["imps"][number];
type ImpDecision = AuctionDecision["imps"][number];
type Order = ImpDecision["order"];

/** An imp of a traced auction with everything that is known of it. */
export interface TracedImp {
  trace: Trace;
  decided: DecidedImp;
  row: StoredRequest | undefined;
  /** Its impressions and clicks. */
  events: readonly StoredEvent[];
  results: readonly (TextedResult & { name: string; kind: ParticipantKind })[];
  zone: { zone: string; name: string };
  knownSharePpm: number;
  nameOf(provider: string): string;
}

/**
 * The ad that the answer put first, as the request's row says. A bid whose markup cannot be shown is ranked and not
 * returned, so it need not be the first of the order; a test has no row.
 */
export function servedAd({ order }: ImpDecision, row: StoredRequest | undefined): ServedAd | null {
  if (row === undefined) {
    const [first] = order;
    return first
      ? { provider: first.participantId, priceMicros: first.priceMicros, unpaid: unpaidOf(first), index: 0 }
      : null;
  }
  if (row.winner === "") return null;
  const index = order.findIndex(
    (ad) => isAdOf(ad, row.winner, row.campaignId) && ad.clearingPriceMicros === row.priceMicros,
  );
  const ad = order[index];
  return {
    provider: ad?.participantId ?? row.winner,
    priceMicros: ad?.priceMicros ?? row.priceMicros,
    unpaid: ad ? unpaidOf(ad) : unpaidProvider(row.winner),
    index,
  };
}

/** The kind of an ad that nobody pays this platform for. */
const unpaidOf = ({ kind }: Order[number]): Unpaid | null => (kind === "inhouse" || kind === "line" ? kind : null);

/** Rows and events name all campaigns alike, and all in-house ones; of line items they have the number, too. */
function isAdOf({ kind, participantId }: Order[number], provider: string, id: number): boolean {
  if (kind === "inhouse") return provider === INHOUSE_PROVIDER.id;
  if (kind === "line") return participantId === `${provider}-${id}`;
  return kind === "campaign" ? provider === CAMPAIGN_PROVIDER.id : participantId === provider;
}

export function explainImp(traced: TracedImp): ImpReply {
  const { trace, decided, row, results, zone, nameOf } = traced;
  const { input, decision } = trace;
  const { imp, served } = decided;
  const shown = decision.test ? null : shownAd(traced);
  const noAd = served === null ? noAdOf(row, imp) : null;
  const next = served && imp.order[served.index + 1];
  const story: ImpStory = {
    format: imp.format,
    isTest: decision.test,
    floorMicros: imp.floorMicros,
    noAd,
    served: served && {
      name: nameOf(served.provider),
      priceMicros: served.priceMicros,
      unpaid: served.unpaid,
      latencyMs: latencyOf(trace, imp.order[served.index]),
    },
    next: next
      ? {
          name: nameOf(next.participantId),
          priceMicros: next.priceMicros,
          isFiller: next.tier === 1,
          isSamePartner: next.participantId === served?.provider,
        }
      : null,
    shown: shown && { ...shown, name: nameOf(shown.provider) },
    notCounted: traced.events.find(({ kind, invalid }) => kind === "impression" && invalid !== "")?.invalid ?? null,
    results,
  };
  if (story.notCounted !== null) story.notCounted = notCountedText(story.notCounted);
  return {
    imp: imp.impId,
    format: imp.format,
    zone: zone.zone,
    zone_name: zone.name,
    sentence: impSentence(story),
    detail: impDetail(story),
    floor: imp.floorMicros,
    floor_by: floorSource(input, imp),
    no_ad: noAd && { code: noAd, text: describeReason(noAd, input) },
    order: imp.order.map(({ position, participantId, priceMicros, mediaType }) => ({
      position,
      provider: participantId,
      name: nameOf(participantId),
      price: priceMicros,
      media_type: mediaType,
    })),
    price: decision.test ? null : priceOf(traced, shown),
    answered_ms: row ? Math.round(row.durationMs * 100) / 100 : null,
  };
}

/** The row's reason: the decision knows none if bids won whose markup could not be shown. */
export function noAdOf(row: StoredRequest | undefined, imp: Pick<ImpDecision, "noAdReason">): NoAdReason {
  return NO_AD_REASONS.find((reason) => reason === row?.noAd) ?? imp.noAdReason ?? "invalid_bids";
}

interface ShownAd {
  provider: string;
  priceMicros: number;
  unpaid: Unpaid | null;
  isServed: boolean;
  afterMs: number;
  revenueMicros: number;
}

/** The ad of the first counted impression; null if none was counted. */
function shownAd({ trace, decided: { imp, served }, events, knownSharePpm }: TracedImp): ShownAd | null {
  const share = trace.input.revenueSharePpm ?? knownSharePpm;
  for (const event of events) {
    if (event.kind !== "impression" || event.invalid !== "") continue;
    const index = rankOf(imp.order, event, share);
    const ad = imp.order[index];
    if (!ad) continue;
    return {
      provider: ad.participantId,
      priceMicros: ad.priceMicros,
      unpaid: unpaidOf(ad),
      isServed: index === served?.index,
      afterMs: Math.max(0, event.atMs - trace.input.at),
      revenueMicros: event.revenueMicros,
    };
  }
  return null;
}

/** The place of the event's ad in the order. Of several bids of one partner, the revenue tells which. */
function rankOf(order: Order, { provider, campaignId, revenueMicros }: StoredEvent, sharePpm: number): number {
  const exact = order.findIndex(
    (ad) =>
      isAdOf(ad, provider, campaignId) && isShareOf(revenueMicros, impressionMicros(ad.clearingPriceMicros), sharePpm),
  );
  return exact >= 0 ? exact : order.findIndex((ad) => isAdOf(ad, provider, campaignId));
}

function priceOf({ trace, decided, knownSharePpm, nameOf }: TracedImp, shown: ShownAd | null): ImpReply["price"] {
  const ad = shown ?? decided.served;
  // Nobody pays for a cross promotion, and a line item's seller pays elsewhere.
  if (ad?.unpaid !== null) return null;
  return pricedAd({
    provider: ad.provider,
    name: nameOf(ad.provider),
    priceMicros: ad.priceMicros,
    sharePpm: trace.input.revenueSharePpm ?? null,
    knownSharePpm,
    revenueMicros: shown?.revenueMicros ?? null,
  });
}

type Priced = Parameters<typeof priceSplit>[0] & { provider: string; name: string };

export function pricedAd({ provider, name, ...priced }: Priced): NonNullable<ImpReply["price"]> {
  const { feePpm, feeBy, impression, thousand } = priceSplit(priced);
  return {
    provider,
    name,
    fee_ppm: feePpm,
    fee_by: feeBy,
    impression,
    thousand,
    is_earned: priced.revenueMicros !== null,
  };
}

/** How long the call took that brought this bid; null if the trace does not rank it. */
function latencyOf({ responses }: Trace, ad: Order[number] | undefined): number | null {
  // Only partners are called.
  if (ad?.kind !== "bidding") return null;
  const response = responses.find(({ participantId, call }) => participantId === ad.participantId && call === ad.call);
  return response?.latencyMs ?? null;
}

/** The zone of an imp: as its row counts it, or as its request named it. */
export function zoneOf(
  { request }: AuctionInput,
  impId: string,
  row: StoredRequest | undefined,
  names: ReadonlyMap<string, { name: string }>,
): { zone: string; name: string } {
  const zone = row?.zone ?? request.imp.find(({ id }) => id === impId)?.tagid ?? "";
  return { zone, name: names.get(zone)?.name ?? zone };
}
