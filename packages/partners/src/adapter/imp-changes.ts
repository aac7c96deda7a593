import { type Audio, type Banner, type Imp, isObject, type Video } from "@millrace/openrtb";
import { type ChangeContext, ExtFields, type ImpChanges, Refusal } from "./changes.ts";

// Building blocks for the changes of imps. Each returns what belongs into `imp` of a plan.

/** Adds fields to the imp's `ext`; undefined ones are left out. The keys in `ext.bidder` go, unless they are among the fields. */
export const plusExt = (fields: object): ExtFields => new ExtFields(fields);

/** Replaces the imp's `ext` by these of its fields and the given ones; an empty `ext` is left out. */
export function onlyExt(kept: readonly string[], fields: object = {}): (imp: Imp) => Imp["ext"] {
  return ({ ext = {} }) => {
    const result = {
      ...Object.fromEntries(Object.entries(ext).filter(([name]) => kept.includes(name))),
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    };
    return Object.keys(result).length === 0 ? undefined : result;
  };
}

/** Whether the user is rewarded for watching, in either version of OpenRTB. */
export function isRewarded({ rwdd, ext }: Imp): boolean {
  const prebid = ext?.["prebid"];
  return rwdd === 1 || (isObject(prebid) && prebid["is_rewarded_inventory"] === 1);
}

interface BannerRules {
  /** When the banner gets the size of its first format. A 0 counts as missing, but for `any-null`. */
  size?: "both-missing" | "any-missing" | "any-null" | "always";
  /** Refuse a banner that has no size then. */
  orRefuse?: boolean;
  /** Remove the format whose size is used. */
  shift?: boolean;
  /** Other fields of the banner. */
  fields?: Partial<Banner>;
}

/** Sets fields of a banner, and its `w` and `h` from its first format. */
export function bannerWith({ size, orRefuse = false, shift = false, fields }: BannerRules) {
  return ({ banner }: Imp): Banner | Refusal | undefined => {
    if (banner === undefined) return undefined;
    const result = { ...banner, ...fields };
    const missing = [result.w, result.h].filter((side) => !side).length;
    const [first, ...others] = banner.format ?? [];
    if (isSizeWanted(result, missing, size) && first?.w && first.h) {
      const sized: Banner = { ...result, w: first.w, h: first.h };
      if (!shift) return sized;
      if (others.length > 0) return { ...sized, format: others };
      delete sized.format;
      return sized;
    }
    return orRefuse && missing > 0 ? new Refusal("the banner has no size") : result;
  };
}

function isSizeWanted({ w, h }: Banner, missing: number, size: BannerRules["size"]): boolean {
  if (size === "any-null") return w === undefined || h === undefined;
  return size === "always" || (size === "any-missing" && missing > 0) || (size === "both-missing" && missing === 2);
}

/** Wraps the native request, as Native 1.1 and older did: `{"native":{...}}`. */
export function wrappedNative({ native }: Imp): Imp["native"] | Refusal {
  if (native === undefined) return undefined;
  try {
    const request: unknown = JSON.parse(native.request);
    if (isObject(request) && Object.hasOwn(request, "native")) return native;
    return { ...native, request: JSON.stringify({ native: request }) };
  } catch {
    return new Refusal("the native request is no JSON");
  }
}

interface FloorRules {
  /** The publisher's floor at the partner, from a key; CPM in US dollars. */
  floor?: number | undefined;
  /** Whether `floor` replaces the imp's, only fills a missing one, or counts if it is higher. */
  mode?: "replace" | "if-missing" | "higher";
  /** Converts the floor to this currency. */
  currency?: string | undefined;
  /** Without a rate, send the floor as it is instead of refusing the imp. */
  keepWithoutRate?: boolean;
  /** When `bidfloorcur` is named although the floor has not been converted. */
  nameCurrency?: "with-floor" | "always";
}

/** The imp's floor and its currency. A floor in a currency without a rate is refused: it cannot be guessed. */
export function floorChanges({
  floor,
  mode = "replace",
  currency,
  keepWithoutRate,
  nameCurrency,
}: FloorRules): ImpChanges {
  const before = (imp: Imp): { bidfloor: number | undefined; from: string } => {
    const own = { bidfloor: imp.bidfloor, from: imp.bidfloorcur || "USD" };
    if (floor === undefined || floor <= 0) return own;
    if (mode === "if-missing" && own.bidfloor) return own;
    // Floors in different currencies cannot be compared here; the auction enforces the imp's own in any case.
    if (mode === "higher" && own.from === "USD" && (own.bidfloor ?? 0) >= floor) return own;
    return { bidfloor: floor, from: "USD" };
  };
  if (floor === undefined && currency === undefined) return {};
  if (currency === undefined) {
    return {
      bidfloor: (imp) => before(imp).bidfloor,
      // The imp's own currency must not become that of the key's floor.
      bidfloorcur: (imp) => imp.bidfloorcur && before(imp).from,
    };
  }
  const to = currency;
  return {
    bidfloor(imp, { ratesToUsd }) {
      const { bidfloor, from } = before(imp);
      if (!bidfloor || from === to) return bidfloor;
      const result = converted(bidfloor, from, to, ratesToUsd);
      return (
        result ?? (keepWithoutRate ? bidfloor : new Refusal(`there is no rate from ${from} to ${to} for the floor`))
      );
    },
    bidfloorcur(imp, { ratesToUsd }) {
      const { bidfloor, from } = before(imp);
      if (nameCurrency === "always" && (!bidfloor || from === to)) return to;
      if (!bidfloor) return imp.bidfloorcur;
      if (from === to) return nameCurrency === "with-floor" ? to : imp.bidfloorcur;
      return converted(bidfloor, from, to, ratesToUsd) === undefined ? imp.bidfloorcur : to;
    },
  };
}

/** Converts the other floors of an imp where its changes convert or replace `bidfloor`: all are in one currency (section 3.2.35). */
export function withStreamFloors(changes: ImpChanges): ImpChanges {
  const { bidfloorcur, video, audio } = changes;
  if (typeof bidfloorcur !== "function") return changes;
  const converting =
    <Stream extends Video | Audio>(changed: (imp: Imp, context: ChangeContext) => Stream | Refusal | undefined) =>
    (imp: Imp, context: ChangeContext): Stream | Refusal | undefined => {
      const stream = changed(imp, context);
      if (stream === undefined || stream instanceof Refusal || !(stream.durfloors || stream.mincpmpersec))
        return stream;
      const to = bidfloorcur(imp, context) || "USD";
      return to instanceof Refusal ? to : inCurrency(stream, imp.bidfloorcur || "USD", to, context);
    };
  return {
    ...changes,
    video: converting((imp, context) => (typeof video === "function" ? video(imp, context) : (video ?? imp.video))),
    audio: converting((imp, context) => (typeof audio === "function" ? audio(imp, context) : (audio ?? imp.audio))),
  };
}

function inCurrency<Stream extends Video | Audio>(
  stream: Stream,
  from: string,
  to: string,
  { ratesToUsd }: ChangeContext,
) {
  if (from === to) return stream;
  if (converted(1, from, to, ratesToUsd) === undefined)
    return new Refusal(`there is no rate from ${from} to ${to} for the floors by length`);
  const inTo = (amount = 0) => converted(amount, from, to, ratesToUsd) ?? 0;
  return {
    ...stream,
    ...(stream.durfloors && {
      durfloors: stream.durfloors.map((range) => ({ ...range, bidfloor: inTo(range.bidfloor) })),
    }),
    ...(stream.mincpmpersec && { mincpmpersec: inTo(stream.mincpmpersec) }),
  };
}

/** An amount in another currency, rounded up to a millionth so that a bid of it is never below the floor; undefined without a rate. */
function converted(amount: number, from: string, to: string, rates: ChangeContext["ratesToUsd"]): number | undefined {
  const [fromRate, toRate] = [rateOf(from, rates), rateOf(to, rates)];
  if (fromRate === undefined || toRate === undefined) return undefined;
  const fromMicros = Math.round(amount * 1e6);
  const micros = fromMicros * (fromRate / toRate);
  const exact = Math.round(micros);
  const result = Math.abs(micros - exact) < 1e-6 ? exact : Math.ceil(micros);
  // The auction compares both in whole micro-dollars, and may round the floor up and the price down.
  const isShort = Math.round(result * toRate) < Math.round(fromMicros * fromRate);
  return (isShort ? result + 1 : result) / 1e6;
}

function rateOf(currency: string, rates: ChangeContext["ratesToUsd"]): number | undefined {
  if (currency === "USD") return 1;
  const rate = rates !== undefined && Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  return rate !== undefined && Number.isFinite(rate) && rate > 0 ? rate : undefined;
}
