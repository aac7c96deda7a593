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

/** What a partner changes in an imp without touching the rest: serialised on its own and spliced in. */
export interface ImpChanges {
  /** The media types to keep of those the imp offers. */
  mediaTypes: readonly MediaType[];
  tagid?: string | undefined;
  /** The publisher's keys, for `imp.ext.bidder`. The same object must always mean the same keys. */
  bidder?: object;
}

/**
 * The auction's request, serialised once and shared by all partners. Forty partners that differ in their keys alone
 * cost one JSON.stringify of the request and forty joins of text.
 */
export interface PreparedRequest {
  /** What all partners are asked, for those that need more than a splice. Never change it: copy what you need to. */
  readonly request: BidRequest;
  /** The same with the fields of 2.6 at their 2.5 places. */
  readonly request25: BidRequest;
  /** The body with these imps and everything else as it is. Imps without any media type left are not in it. */
  body(imps: readonly { id: string; changes: ImpChanges }[], version: OpenrtbVersion): PreparedBody;
}

export interface PreparedBody {
  text: string;
  /** Its length in UTF-8; undefined if some character takes more than one byte and the sender has to count. */
  bytes: number | undefined;
}

/**
 * Prepares a request. Signals at their 2.5 places are said at those of 2.6 too, so that every partner finds them, and the
 * auction is called what it is, first price: the standard's default is second price. What is meant for the exchange alone
 * is taken out: `ext.prebid`, which carries the keys of all partners, and `imp.ext.bidder`, where each partner finds its own.
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

/** A piece of text, and whether each of its characters is one byte in UTF-8. */
interface Piece {
  text: string;
  isAscii: boolean;
}

// oxlint-disable-next-line no-control-regex -- the first 128 characters are exactly those of one byte
const ASCII = /^[\u0000-\u007f]*$/;
const pieceOf = (text: string): Piece => ({ text, isAscii: ASCII.test(text) });

/** An imp's text in the pieces between which a partner's part goes: `{..., "ext":{...` + keys + `}}`. */
interface ImpText {
  /** With the opening brace, all but `tagid` and `ext`; empty where no media type is left. */
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
    // One number per version and choice of media types, so that the lookup builds no text.
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

/** The imp with only these media types; undefined where none is left. */
function limitMediaTypes(imp: Imp, mediaTypes: readonly MediaType[]): Imp | undefined {
  const offered = MEDIA_TYPES.filter((type) => imp[type] !== undefined);
  const kept = offered.filter((type) => mediaTypes.includes(type));
  if (kept.length === 0) return undefined;
  if (kept.length === offered.length) return imp;
  const limited = { ...imp };
  for (const type of offered) if (!kept.includes(type)) delete limited[type];
  return limited;
}

// Keys live as long as the configuration, so their text is worth keeping.
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

/** Most ids need no escapes, and looking for that costs a fifth of JSON.stringify. */
const quoted = (text: string): string => (/^[\w.:-]*$/.test(text) ? `"${text}"` : JSON.stringify(text));

function spliced({ head, ext, tagid }: ImpText, changes: ImpChanges): string {
  const tag = changes.tagid ?? tagid;
  let text = head;
  if (tag !== undefined) text += `,"tagid":${quoted(tag)}`;
  if (changes.bidder === undefined) return ext === "" ? `${text}}` : `${text},"ext":{${ext}}}`;
  return `${text},"ext":{${ext === "" ? "" : `${ext},`}"bidder":${keysPiece(changes.bidder).text}}}`;
}
