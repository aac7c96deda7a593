import {
  AUCTION_TYPE,
  type BidRequest,
  downgradeImpTo25,
  downgradeTo25,
  type Imp,
  MEDIA_TYPES,
  type MediaType,
  upgradeTo26,
} from "@millrace/openrtb";

export type OpenrtbVersion = "2.5" | "2.6";

/** A partner's changes to an imp, serialised separately and spliced into the shared text. */
export interface ImpChanges {
  /** The imp's other media types are removed. */
  mediaTypes: readonly MediaType[];
  tagid?: string | undefined;
  /** The publisher's keys, for `imp.ext.bidder`. Cached by identity, so the object must not change. */
  bidder?: object;
}

/**
 * The auction's request, serialised once and shared by all partners. Forty partners with different keys cost one
 * JSON.stringify and forty concatenations.
 */
export interface PreparedRequest {
  /** The shared request, for adapters that need more than a splice. Read-only: copy what you need to change. */
  readonly request: BidRequest;
  /** The same, with 2.6 fields at their 2.5 places. */
  readonly request25: BidRequest;
  /** The request's JSON with only these imps. An imp without any remaining media type is left out. */
  body(imps: readonly { id: string; changes: ImpChanges }[], version: OpenrtbVersion): PreparedBody;
}

export interface PreparedBody {
  text: string;
  /** The length in UTF-8; undefined if the text is not ASCII, so that the sender has to count. */
  bytes: number | undefined;
}

/**
 * Prepares a request for all partners. Copies signals from their 2.5 places to those of 2.6, and marks the auction as
 * first price, because the standard's default is second price. Removes what only the exchange may see: `ext.prebid`, which
 * has the keys of all partners, and `imp.ext.bidder`, which each partner's own keys replace.
 */
export function prepareRequest(full: BidRequest): PreparedRequest {
  const upgraded = upgradeTo26(full);
  const imp = upgraded.imp.map((item) => withoutExt(item, ["prebid", "bidder"]));
  return new SharedRequest({ ...withoutExt(upgraded, ["prebid"]), at: AUCTION_TYPE.firstPrice, imp });
}

function withoutExt<T extends BidRequest | Imp>(of: T, names: readonly string[]): T {
  const { ext } = of;
  if (ext === undefined || !names.some((name) => Object.hasOwn(ext, name))) return of;
  return { ...of, ext: Object.fromEntries(Object.entries(ext).filter(([name]) => !names.includes(name))) };
}

interface Piece {
  text: string;
  isAscii: boolean;
}

// oxlint-disable-next-line no-control-regex -- ASCII includes the control characters
const ASCII = /^[\u0000-\u007f]*$/;
const pieceOf = (text: string): Piece => ({ text, isAscii: ASCII.test(text) });

/** The parts of an imp's JSON around a partner's keys: `{..., "ext":{...` + keys + `}}`. */
interface ImpText {
  /** From the opening brace, everything but `tagid` and `ext`; empty if no media type remains. */
  head: string;
  /** The fields within `ext`, without braces. */
  ext: string;
  tagid: string | undefined;
  isAscii: boolean;
}

class SharedRequest implements PreparedRequest {
  readonly request: BidRequest;
  #request25: BidRequest | undefined;
  readonly #bases = new Map<OpenrtbVersion, Piece>();
  readonly #imps: (Map<string, ImpText> | undefined)[] = [];

  constructor(request: BidRequest) {
    this.request = request;
  }

  get request25(): BidRequest {
    this.#request25 ??= downgradeTo25(this.request);
    return this.#request25;
  }

  body(imps: readonly { id: string; changes: ImpChanges }[], version: OpenrtbVersion): PreparedBody {
    const base = this.#base(version);
    let text = base.text;
    let isAscii = base.isAscii;
    let isFirst = true;
    for (const { id, changes } of imps) {
      const imp = this.#impText(id, changes.mediaTypes, version);
      if (imp.head === "") continue;
      text += (isFirst ? "" : ",") + spliced(imp, changes);
      isAscii &&= imp.isAscii && areAscii(changes);
      isFirst = false;
    }
    text += "]}";
    return { text, bytes: isAscii ? text.length : undefined };
  }

  #base(version: OpenrtbVersion): Piece {
    let base = this.#bases.get(version);
    if (base === undefined) {
      const { imp: _, ...rest } = version === "2.5" ? this.request25 : this.request;
      base = pieceOf(`${JSON.stringify(rest).slice(0, -1)},"imp":[`);
      this.#bases.set(version, base);
    }
    return base;
  }

  #impText(id: string, mediaTypes: readonly MediaType[], version: OpenrtbVersion): ImpText {
    // A number for each version and set of media types, so that the lookup builds no string.
    const variant = maskOf(mediaTypes) * 2 + (version === "2.5" ? 1 : 0);
    let imps = this.#imps[variant];
    if (imps === undefined) this.#imps[variant] = imps = new Map<string, ImpText>();
    let text = imps.get(id);
    if (text === undefined) {
      const imp = this.request.imp.find((item) => item.id === id);
      text = impText(imp, mediaTypes, version);
      imps.set(id, text);
    }
    return text;
  }
}

function maskOf(mediaTypes: readonly MediaType[]): number {
  let mask = 0;
  for (const type of mediaTypes) mask |= 1 << MEDIA_TYPES.indexOf(type);
  return mask;
}

const NOTHING: ImpText = { head: "", ext: "", tagid: undefined, isAscii: true };

function impText(imp: Imp | undefined, mediaTypes: readonly MediaType[], version: OpenrtbVersion): ImpText {
  const limited = imp === undefined ? undefined : limitMediaTypes(imp, mediaTypes);
  if (limited === undefined) return NOTHING;
  const { ext, tagid, ...rest } = version === "2.5" ? downgradeImpTo25(limited) : limited;
  const head = JSON.stringify(rest).slice(0, -1);
  const extText = ext === undefined ? "" : JSON.stringify(ext).slice(1, -1);
  return { head, ext: extText, tagid, isAscii: ASCII.test(head) && ASCII.test(extText) && ASCII.test(tagid ?? "") };
}

/** The imp with only these media types; undefined if none remains. */
function limitMediaTypes(imp: Imp, mediaTypes: readonly MediaType[]): Imp | undefined {
  const offered = MEDIA_TYPES.filter((type) => imp[type] !== undefined);
  const kept = offered.filter((type) => mediaTypes.includes(type));
  if (kept.length === 0) return undefined;
  if (kept.length === offered.length) return imp;
  const limited = { ...imp };
  for (const type of offered) if (!kept.includes(type)) delete limited[type];
  return limited;
}

// Keys live as long as the configuration, so their JSON is worth caching.
const pieces = new WeakMap<object, Piece>();

function keysPiece(keys: object): Piece {
  let piece = pieces.get(keys);
  if (piece === undefined) {
    piece = pieceOf(JSON.stringify(keys));
    pieces.set(keys, piece);
  }
  return piece;
}

const areAscii = ({ tagid, bidder }: ImpChanges): boolean =>
  (tagid === undefined || ASCII.test(tagid)) && (bidder === undefined || keysPiece(bidder).isAscii);

/** Most ids need no escapes, and this check takes a fifth of the time of JSON.stringify. */
const quoted = (text: string): string => (/^[\w.:-]*$/.test(text) ? `"${text}"` : JSON.stringify(text));

function spliced({ head, ext, tagid }: ImpText, changes: ImpChanges): string {
  const tag = changes.tagid ?? tagid;
  let text = head;
  if (tag !== undefined) text += `,"tagid":${quoted(tag)}`;
  if (changes.bidder === undefined) return ext === "" ? `${text}}` : `${text},"ext":{${ext}}}`;
  return `${text},"ext":{${ext === "" ? "" : `${ext},`}"bidder":${keysPiece(changes.bidder).text}}}`;
}
