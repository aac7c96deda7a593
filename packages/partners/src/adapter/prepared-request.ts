import {
  AUCTION_TYPE,
  bidderChains,
  type BidRequest,
  chainFor,
  downgradeTo25,
  type Eid,
  type Imp,
  MEDIA_TYPES,
  type MediaType,
  type SupplyChain,
  upgradeTo26,
} from "@millrace/openrtb";
import { buyerIdsOf, withoutBuyerIds } from "./buyer-ids.ts";
import { type ChangeContext, changedFields, Refusal, type Splice } from "./changes.ts";
import { eidPermissionsOf, permittedEids, withoutRestrictedEids } from "./eid-permissions.ts";
import { FieldTexts, fieldsPiece, joined, type NameSet, nameSet, NOTHING, type Piece } from "./json-texts.ts";

export type OpenrtbVersion = "2.5" | "2.6";

/** One imp of a call: its media types there, and the partner's changes. */
export interface ImpSplice {
  id: string;
  /** The imp's other media types are removed. */
  mediaTypes: readonly MediaType[];
  splice: Splice<Imp>;
}

/**
 * The auction's request, serialised once and shared by all partners. Forty partners with different keys cost one
 * serialising and forty concatenations.
 */
export interface PreparedRequest {
  /** The shared request. Read-only: copy what you need to change. */
  readonly request: BidRequest;
  /** The request as a partner of this version gets it: for 2.5, fields that 2.6 added are at their old places. */
  of(version: OpenrtbVersion): BidRequest;
  /** The id by which a partner knows the user; undefined if the request has none for it. */
  buyerIdAt(partnerId: string): string | undefined;
  /** The user's extended ids that this partner may see, and others may not. */
  eidsFor(partnerId: string): readonly Eid[];
  /** The supply chain for this partner alone; undefined if it is told the request's. */
  chainFor(partnerId: string): SupplyChain | undefined;
  /** The JSON of an imp with a partner's changes; a refusal if one of them has no value. */
  impText(imp: ImpSplice, version: OpenrtbVersion, context: ChangeContext): Piece | Refusal;
  /**
   * The JSON of the request with these imps and a partner's changes of all other fields. `context.request` has the user and the source
   * as this partner sees them.
   */
  body(
    imps: readonly Piece[],
    version: OpenrtbVersion,
    splice: Splice<BidRequest>,
    context: ChangeContext,
  ): PreparedBody | Refusal;
}

export interface PreparedBody {
  text: string;
  /** The length in UTF-8; undefined if the text is not ASCII, so that the sender has to count. */
  bytes: number | undefined;
}

/**
 * Prepares an auction's request for all partners. Marks the auction and its deals as first price, because the standard's default
 * is second price, and an impression is charged at its bid. Removes what only the exchange may see: `ext.prebid`, which has the keys
 * and supply chains of all partners, the ids by which each of them knows the user, and extended ids that not all may see. Removes `qty`, too: a
 * play of an out-of-home screen is sold and paid as one impression, however many people are counted.
 */
export function prepareRequest(full: BidRequest): PreparedRequest {
  const upgraded = upgradeTo26(full);
  const imp = upgraded.imp.map((item) => asSold(withoutExt(item, ["prebid", "bidder", "qty"])));
  const request = { ...withoutExt(upgraded, ["prebid"]), at: AUCTION_TYPE.firstPrice, imp };
  const permissions = eidPermissionsOf(upgraded);
  const chains = bidderChains(upgraded);
  const user = request.user && withoutRestrictedEids(request.user, permissions);
  const sharedUser = user && withoutBuyerIds(user);
  if (sharedUser === undefined) delete request.user;
  else request.user = sharedUser;
  return new SharedRequest(request, {
    buyerIds: buyerIdsOf(upgraded),
    eidsFor: (partnerId) => permittedEids(upgraded.user, permissions, partnerId),
    chainFor: (partnerId) => chainFor(chains, partnerId),
  });
}

/** The imp without fields that would promise a price other than the one charged. */
function asSold(imp: Imp): Imp {
  const { qty, ...sold } = imp;
  const hasSecondPrice = imp.pmp?.deals?.some(({ at }) => at === AUCTION_TYPE.secondPricePlus) === true;
  if (!hasSecondPrice) return qty ? sold : imp;
  const deals = imp.pmp?.deals?.map((deal) =>
    deal.at === AUCTION_TYPE.secondPricePlus ? { ...deal, at: AUCTION_TYPE.firstPrice } : deal,
  );
  return { ...sold, pmp: { ...imp.pmp, deals } };
}

/**
 * Prepares a request that has been made for partners already. Only signals at their 2.5 places are copied to those of
 * 2.6, and `imp.ext.bidder` is left out, because each partner's own keys replace it. `user.buyeruid` stays: it is the partner's.
 */
export function prepareOutgoing(request: BidRequest): PreparedRequest {
  const upgraded = upgradeTo26(request);
  return new SharedRequest({ ...upgraded, imp: upgraded.imp.map((item) => withoutExt(item, ["bidder"])) });
}

function withoutExt<T extends BidRequest | Imp>(object: T, names: readonly string[]): T {
  const { ext } = object;
  if (ext === undefined || !names.some((name) => Object.hasOwn(ext, name))) return object;
  return { ...object, ext: Object.fromEntries(Object.entries(ext).filter(([name]) => !names.includes(name))) };
}

/** The texts of an imp in one version. */
interface ImpTexts {
  imp: Imp;
  fields: FieldTexts;
  ext: FieldTexts;
}

/** The texts of a request in one version. */
interface VersionTexts {
  fields: FieldTexts;
  imps: Map<string, ImpTexts>;
}

/** What not all partners are told. */
interface PartnersOwn extends Pick<PreparedRequest, "eidsFor" | "chainFor"> {
  buyerIds: ReadonlyMap<string, string>;
}
const NOBODYS: PartnersOwn = { buyerIds: new Map(), eidsFor: () => [], chainFor: () => undefined };

class SharedRequest implements PreparedRequest {
  readonly request: BidRequest;
  readonly #own: PartnersOwn;
  #request25: BidRequest | undefined;
  #texts: VersionTexts | undefined;
  #texts25: VersionTexts | undefined;

  constructor(request: BidRequest, own = NOBODYS) {
    this.request = request;
    this.#own = own;
  }

  of(version: OpenrtbVersion): BidRequest {
    if (version === "2.6") return this.request;
    this.#request25 ??= downgradeTo25(this.request);
    return this.#request25;
  }

  buyerIdAt(partnerId: string): string | undefined {
    const { buyerIds } = this.#own;
    return buyerIds.size === 0 ? undefined : buyerIds.get(partnerId.toLowerCase());
  }

  eidsFor(partnerId: string): readonly Eid[] {
    return this.#own.eidsFor(partnerId);
  }

  chainFor(partnerId: string): SupplyChain | undefined {
    return this.#own.chainFor(partnerId);
  }

  impText({ id, mediaTypes, splice }: ImpSplice, version: OpenrtbVersion, context: ChangeContext): Piece | Refusal {
    const texts = this.#textsOf(version).imps.get(id);
    if (texts === undefined) return new Refusal("the request has no such imp");
    const imp = splice.computed.length === 0 ? texts.imp : limitMediaTypes(texts.imp, mediaTypes);
    const changed = changedFields(splice, imp, context, texts.fields);
    if (changed instanceof Refusal) return changed;
    const kept = texts.fields.without(splice.replaced);
    const fields = joined(kept, changed);
    if (!splice.ext) return { text: `{${fields.text}}`, isAscii: fields.isAscii };
    const ext = joined(texts.ext.without(splice.ext.names), splice.ext.fixed);
    // An imp has an id, so there are fields before its ext.
    return { text: `{${fields.text},"ext":{${ext.text}}}`, isAscii: fields.isAscii && ext.isAscii };
  }

  body(
    imps: readonly Piece[],
    version: OpenrtbVersion,
    splice: Splice<BidRequest>,
    context: ChangeContext,
  ): PreparedBody | Refusal {
    const texts = this.#textsOf(version).fields;
    const changed = changedFields(splice, context.request, context, texts);
    if (changed instanceof Refusal) return changed;
    const [first = NOTHING, ...others] = imps;
    const all = others.length === 0 ? first : others.reduce(joined, first);
    const kept = this.#keptFields(version, splice.replaced, context);
    const fields = joined(kept, changed);
    // A request has an id, so there are fields before its imps.
    const text = `{${fields.text},"imp":[${all.text}]}`;
    return { text, bytes: fields.isAscii && all.isAscii ? text.length : undefined };
  }

  /** The fields that no change replaces; of `OWN_FIELDS` those of this partner. */
  #keptFields(version: OpenrtbVersion, replaced: NameSet, { request, tmaxMs }: ChangeContext): Piece {
    const shared = this.of(version);
    const texts = this.#textsOf(version).fields;
    const own: Record<string, unknown> = {};
    if (tmaxMs !== undefined) own["tmax"] = tmaxMs;
    if (request.user !== shared.user) own["user"] = request.user;
    if (request.source !== shared.source) own["source"] = request.source;
    for (const name of replaced.names) delete own[name];
    const names = OWN_FIELDS.filter((name) => own[name] !== undefined);
    return names.length === 0
      ? texts.without(replaced)
      : joined(texts.without(plus(replaced, names)), fieldsPiece(own));
  }

  #textsOf(version: OpenrtbVersion): VersionTexts {
    if (version === "2.5") {
      this.#texts25 ??= textsOf(this.of("2.5"));
      return this.#texts25;
    }
    this.#texts ??= textsOf(this.request);
    return this.#texts;
  }
}

/** Fields that each partner may have of its own. */
const OWN_FIELDS = ["tmax", "user", "source"] as const;

const sets = new Map<string, NameSet>();

/** The set with these names, too; found by its number, because that builds no long text. */
function plus({ id, names }: NameSet, others: readonly string[]): NameSet {
  const key = `${id},${others.join()}`;
  let set = sets.get(key);
  if (set === undefined) {
    set = nameSet([...names, ...others]);
    sets.set(key, set);
  }
  return set;
}

function textsOf(request: BidRequest): VersionTexts {
  const { imp: imps, ...rest } = request;
  return {
    fields: new FieldTexts(rest),
    imps: new Map(
      imps.map((imp) => [imp.id, { imp, fields: new FieldTexts(imp), ext: new FieldTexts(imp.ext ?? {}) }]),
    ),
  };
}

/** The imp with only these media types. */
export function limitMediaTypes(imp: Imp, mediaTypes: readonly MediaType[]): Imp {
  const dropped = MEDIA_TYPES.filter((type) => imp[type] !== undefined && !mediaTypes.includes(type));
  if (dropped.length === 0) return imp;
  const limited = { ...imp };
  for (const type of dropped) delete limited[type];
  return limited;
}
