import { type Bid, type Imp, MEDIA_TYPES, type MediaType, MTYPE } from "@millrace/openrtb";
import type { PartnerHttpAnswer } from "./adapter.ts";
import { atPath } from "./ext-paths.ts";

/** What a rule may look at besides the bid. */
export interface BidContext {
  /** The imp that the bid is for, as the partner was asked for it; undefined if it was not. */
  imp: Imp | undefined;
  answer: PartnerHttpAnswer;
}

/** Finds a bid's media type; undefined if this rule cannot tell. */
export type MediaTypeRule = (bid: Bid, context: BidContext) => MediaType | undefined;

type Table = Readonly<Record<string, MediaType>>;

const isMediaType = (value: unknown): value is MediaType => MEDIA_TYPES.some((type) => type === value);

/** Standard: `mtype` (2.6, section 4.2.3), one of the allowed types. */
export function byMtype(...allowed: readonly MediaType[]): MediaTypeRule {
  return ({ mtype }) =>
    MEDIA_TYPES.find((type) => MTYPE[type] === mtype && (allowed.length === 0 || allowed.includes(type)));
}

/** By `mtype` alone. */
export const standardType = byMtype();

/** Always the same, for a partner that buys one media type, or as the last of several rules. */
export const always =
  (type: MediaType): MediaTypeRule =>
  () =>
    type;

interface Missing {
  /** The type of a bid without the field, as opposed to one with an unknown value. */
  missing?: MediaType;
}

/** A field of the bid's `ext`, as `prebid.type`: the type's name, or by the table. */
export function byExt(path: string, table?: Table, { missing }: Missing = {}): MediaTypeRule {
  const read = atPath(path);
  return ({ ext }) => {
    const value = read(ext);
    return value === undefined ? missing : inTable(value, table);
  };
}

/** A header of the response. */
export const byHeader =
  (name: string, table: Table): MediaTypeRule =>
  (_, { answer }) =>
    inTable(answer.headers[name.toLowerCase()], table);

function inTable(value: unknown, table: Table | undefined): MediaType | undefined {
  if (table === undefined) return isMediaType(value) ? value : undefined;
  const name = typeof value === "number" ? String(value) : value;
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The first of these types that the imp sells, unless the bid's `mtype` names another one that it sells. */
export function byImp(...order: readonly MediaType[]): MediaTypeRule {
  return (bid, context) => {
    const { imp } = context;
    const declared = standardType(bid, context);
    if (declared !== undefined && imp?.[declared] !== undefined) return declared;
    return imp && order.find((type) => imp[type] !== undefined);
  };
}

/** The imp's type if it sells only one of these. */
export function bySoleType(...types: readonly MediaType[]): MediaTypeRule {
  return (_, { imp }) => {
    const sold = imp ? types.filter((type) => imp[type] !== undefined) : [];
    return sold.length === 1 ? sold[0] : undefined;
  };
}

/** The type that the markup looks like, if the imp sells it. */
export const byMarkup: MediaTypeRule = ({ adm = "" }, { imp }) => {
  const type = /^\s*(?:<\?xml[^>]*\?>\s*)?<VAST\b/i.test(adm) ? "video" : /^\s*\{/.test(adm) ? "native" : "banner";
  return adm !== "" && imp?.[type] ? type : undefined;
};

/** What follows the last colon of the imp's id, as the adapter has added it there. */
export const byImpIdSuffix: MediaTypeRule = ({ impid }) => {
  const suffix = impid.slice(impid.lastIndexOf(":") + 1);
  return isMediaType(suffix) ? suffix : undefined;
};
