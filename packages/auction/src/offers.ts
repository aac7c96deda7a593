import type { Deal, Imp } from "@millrace/openrtb";
import { floorMicros } from "./floors.ts";
import { formatOf } from "./format.ts";
import type { AdFormat, AuctionInput, FloorDraw } from "./input.ts";
import { inUsdMicros, priceToMicros, rateToUsd } from "./price.ts";

/** An imp as it is put up for sale. */
export interface Offer {
  imp: Imp;
  format: AdFormat;
  /** CPM in micro-dollars; null if the request's floor is in a currency without a rate. */
  floorMicros: number | null;
  /** The part of it that is not the request's: the publisher's floor, or the drawn one if that is higher. */
  ownFloorMicros: number;
}

type Rates = AuctionInput["ratesToUsd"];

/** A floor of the request or of a deal in micro-dollars; null if its currency has no rate. */
export function requestFloorMicros(of: Pick<Imp | Deal, "bidfloor" | "bidfloorcur">, rates: Rates): number | null {
  if (of.bidfloor === undefined || of.bidfloor === 0) return 0;
  const rate = rateToUsd(of.bidfloorcur ?? "USD", rates);
  const micros = priceToMicros(of.bidfloor);
  return rate === undefined || micros === null ? null : inUsdMicros(micros, rate);
}

/** The part of an auction's input that makes its offers. */
export type OfferInput = Pick<AuctionInput, "request" | "formats" | "ratesToUsd" | "floorDraws"> & {
  app: Pick<AuctionInput["app"], "floors">;
  device: Pick<AuctionInput["device"], "country">;
};

/** The request's imps with their formats and floors, in the request's order. */
export function offersOf(input: OfferInput): Offer[] {
  return input.request.imp.map((imp) => {
    const format = formatOf(imp, input);
    const asked = requestFloorMicros(imp, input.ratesToUsd);
    const drawn = floorDrawOf(input, imp.id)?.floorMicros ?? 0;
    const ownFloorMicros = floorMicros(input.app.floors, drawn, input.device.country, format);
    return { imp, format, floorMicros: asked === null ? null : Math.max(asked, ownFloorMicros), ownFloorMicros };
  });
}

/** The floor of an offer for bids of a length for which the request has its own floor; null if that is in a currency without a rate. */
export function lengthFloorMicros(
  bidfloor: number | undefined,
  { imp: { bidfloorcur }, ownFloorMicros }: Pick<Offer, "imp" | "ownFloorMicros">,
  rates: Rates,
): number | null {
  const asked = requestFloorMicros({ bidfloor, bidfloorcur }, rates);
  return asked === null ? null : Math.max(asked, ownFloorMicros);
}

/** What was drawn as the floor of an imp; undefined where floors are not automatic. */
export const floorDrawOf = ({ floorDraws }: Pick<AuctionInput, "floorDraws">, impId: string): FloorDraw | undefined =>
  floorDraws?.find((draw) => draw.impId === impId);

/** The accepted currencies: those of the request that have a rate. A partner may bid in its own too (`acceptsCurrency`). */
export function saleCurrencies({ request, ratesToUsd }: AuctionInput): string[] {
  const asked = request.cur === undefined || request.cur.length === 0 ? ["USD"] : request.cur;
  return asked.filter((currency) => rateToUsd(currency, ratesToUsd) !== undefined);
}

/**
 * Whether a partner's bids in a currency count: in one of the request, or in one that the partner is asked for in its
 * place, because prices are converted to dollars. Whether there is a rate is another question.
 */
export function acceptsCurrency(
  currency: string,
  { accepted, own }: { accepted: readonly string[]; own: readonly string[] },
): boolean {
  return accepted.includes(currency) || (accepted.includes("USD") && own.includes(currency));
}
