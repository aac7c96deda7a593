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

/**
 * A partner's changes to an imp, serialised separately and spliced into the shared text. Cached by identity, so neither the
 * object nor its keys may change.
 */
export interface ImpChanges {
  /** The imp's other media types are removed. */
  mediaTypes: readonly MediaType[];
  tagid?: string | undefined;
  /** The publisher's keys, for `imp.ext.bidder`. */
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
  /** The field with its leading comma; empty without one. */
  tagid: string;
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
      const made = textOfChanges(changes);
      text += (isFirst ? "" : ",") + spliced(imp, made);
      isAscii &&= imp.isAscii && made.isAscii;
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

const NOTHING: ImpText = { head: "", ext: "", tagid: "", isAscii: true };

function impText(imp: Imp | undefined, mediaTypes: readonly MediaType[], version: OpenrtbVersion): ImpText {
  const limited = imp === undefined ? undefined : limitMediaTypes(imp, mediaTypes);
  if (limited === undefined) return NOTHING;
  const { ext, tagid, ...rest } = version === "2.5" ? downgradeImpTo25(limited) : limited;
  const head = JSON.stringify(rest).slice(0, -1);
  const extText = ext === undefined ? "" : JSON.stringify(ext).slice(1, -1);
  const tagidText = tagid === undefined ? "" : tagidField(tagid);
  const isAscii = ASCII.test(head) && ASCII.test(extText) && ASCII.test(tagidText);
  return { head, ext: extText, tagid: tagidText, isAscii };
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

/** The JSON of what a partner changes. */
interface ChangesText {
  /** The `tagid` field with its leading comma; undefined if the imp keeps its own. */
  tagid: string | undefined;
  /** The `bidder` field of `ext`; empty without one. */
  bidder: string;
  isAscii: boolean;
}

// Adapters keep changes as long as the configuration, so their JSON is worth caching.
const changesTexts = new WeakMap<ImpChanges, ChangesText>();

function textOfChanges(changes: ImpChanges): ChangesText {
  let text = changesTexts.get(changes);
  if (text === undefined) {
    const tagid = changes.tagid === undefined ? undefined : tagidField(changes.tagid);
    const bidder = changes.bidder === undefined ? "" : `"bidder":${JSON.stringify(changes.bidder)}`;
    text = { tagid, bidder, isAscii: ASCII.test(tagid ?? "") && ASCII.test(bidder) };
    changesTexts.set(changes, text);
  }
  return text;
}

const tagidField = (tagid: string): string => `,"tagid":${JSON.stringify(tagid)}`;

function spliced({ head, ext, tagid }: ImpText, changes: ChangesText): string {
  const text = head + (changes.tagid ?? tagid);
  if (changes.bidder === "") return ext === "" ? `${text}}` : `${text},"ext":{${ext}}}`;
  return `${text},"ext":{${ext === "" ? "" : `${ext},`}${changes.bidder}}}`;
}
