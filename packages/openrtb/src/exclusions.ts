import type { BidRequest } from "./bid-request.ts";
import { demandedTransparency, type TransparencyDemand } from "./transparency.ts";
import { urlOf } from "./url-of.ts";

/** In AdCOM's list "Category Taxonomies". Publishers' lists have its ids, and so have lists without a `cattax`. */
export const CONTENT_TAXONOMY_1 = 1;

/** The taxonomy of a request's ids. Some senders write 0 for none. */
const taxonomyOf = (cattax: number | undefined): number => cattax || CONTENT_TAXONOMY_1;

/** Whether ids of the Content Taxonomy 1.0 may be added to lists of a `cattax`: they have such, or none at all. */
export const takesContentTaxonomy1 = (
  cattax: number | undefined,
  ...ids: readonly (readonly string[] | undefined)[]
): boolean => taxonomyOf(cattax) === CONTENT_TAXONOMY_1 || ids.every((list) => list === undefined || list.length === 0);

/** Ids of one taxonomy, in lower case. The same id means something else in another one. */
interface CategoryList {
  taxonomy: number;
  ids: ReadonlySet<string>;
}

/** Advertising restrictions, indexed for lookup. */
export interface Exclusions {
  /** Domains as `advertiserDomain` gives them; each blocks its subdomains. */
  advertisers: readonly ReadonlySet<string>[];
  /** Each category blocks its subcategories. */
  categories: readonly CategoryList[];
  /** The only allowed categories, with their subcategories. */
  allowedCategories: CategoryList | null;
  apps: ReadonlySet<string> | null;
  blockedSeats: ReadonlySet<string> | null;
  allowedSeats: ReadonlySet<string> | null;
  /** The only allowed languages, in lower case: of ISO 639-1, or of BCP 47 if the request has those. */
  allowedLanguages: ReadonlySet<string> | null;
  transparency: TransparencyDemand | null;
}

interface PublisherBlocks {
  advertisers?: readonly string[];
  categories?: readonly string[];
}

type Spelling = (item: string) => string;

const lowerCase: Spelling = (item) => item.trim().toLowerCase();

/** A host without a `www.` prefix. The domain `www.de` has none: `de` would stand for a whole country. */
export const withoutWww = (host: string): string => host.replace(/^www\.(?=[^.]+\.)/, "");

/** People type these lists, so an address or a `www.` prefix stands for its domain. */
const listedDomain: Spelling = (item) => withoutWww(advertiserDomain(item) ?? lowerCase(item));

// Indexes are cached by the list's identity: a publisher's lists live as long as the configuration, and a deal's list is
// checked for every bid on it.
const indexed = new WeakMap<readonly string[], ReadonlySet<string>>();

function indexOnce(list: readonly string[], spelling: Spelling): ReadonlySet<string> {
  let index = indexed.get(list);
  if (index === undefined) indexed.set(list, (index = new Set(list.map(spelling))));
  return index;
}

function lists(
  spelling: Spelling,
  ofRequest: readonly string[] = [],
  ofPublisher: readonly string[] = [],
): ReadonlySet<string>[] {
  const own = ofPublisher.length > 0 ? indexOnce(ofPublisher, spelling) : null;
  // A request that already has the publisher's list includes all of it; only its other entries need an index.
  const more = own === null ? ofRequest : ofRequest === ofPublisher ? [] : ofRequest.filter((item) => !own.has(item));
  return [...(more.length > 0 ? [new Set(more.map(spelling))] : []), ...(own === null ? [] : [own])];
}

const exact = (list: readonly string[] | undefined, spelling?: Spelling): ReadonlySet<string> | null =>
  list === undefined || list.length === 0 ? null : new Set(spelling === undefined ? list : list.map(spelling));

/** The blocked categories of the request in its own taxonomy, and the publisher's. */
function categoryLists({ bcat, cattax }: BidRequest, ofPublisher?: readonly string[]): CategoryList[] {
  const taxonomy = taxonomyOf(cattax);
  const isPublishers = taxonomy === CONTENT_TAXONOMY_1;
  const own = lists(lowerCase, isPublishers ? bcat : [], ofPublisher);
  const others = isPublishers ? [] : lists(lowerCase, bcat);
  return [...own.map((ids) => ({ taxonomy: CONTENT_TAXONOMY_1, ids })), ...others.map((ids) => ({ taxonomy, ids }))];
}

function allowedList({ acat, cattax }: BidRequest): CategoryList | null {
  const ids = exact(acat, lowerCase);
  return ids && { taxonomy: taxonomyOf(cattax), ids };
}

/**
 * Merges the request's lists (badv, bcat, acat, bapp, bseat, wseat, wlang) with the publisher's own. The publisher's arrays are
 * cached by identity: pass new arrays when they change.
 */
export function exclusionsOf(request: BidRequest, publisher: PublisherBlocks = {}): Exclusions {
  return {
    advertisers: lists(listedDomain, request.badv, publisher.advertisers),
    categories: categoryLists(request, publisher.categories),
    allowedCategories: allowedList(request),
    apps: exact(request.bapp),
    blockedSeats: exact(request.bseat),
    allowedSeats: exact(request.wseat),
    allowedLanguages: exact(request.wlang ?? request.wlangb, lowerCase),
    transparency: demandedTransparency(request),
  };
}

const PLAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/;
// Keeps a user name before the host, so that `user@host` is not a valid domain.
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:\/\/|\/\/)?([^/?#\s]+)/i;
const PORT = /:[0-9]*$/;
const DOMAIN = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?\.)+[\p{L}\p{N}-]{2,}$/u;

/** The host of an advertiser domain or address, in lower-case ASCII; undefined if invalid. */
export function advertiserDomain(value: string): string | undefined {
  // Nearly all bids have this form.
  if (value.length <= 253 && PLAIN.test(value)) return value;
  const host = AUTHORITY.exec(value.slice(0, 500).trim())?.[1]?.toLowerCase().replace(PORT, "").replace(/\.$/, "");
  return host !== undefined && host.length <= 253 && DOMAIN.test(host) ? inAscii(host) : undefined;
}

/** One spelling for internationalized names and full-width letters: `bücher.example` is `xn--bcher-kva.example`. */
function inAscii(host: string): string | undefined {
  return urlOf(`http://${host}`)?.hostname;
}

/** Whether the domain or a parent domain is on a list. */
export function isAdvertiserBlocked(domain: string, { advertisers }: Exclusions): boolean {
  return advertisers.some((list) => coversDomain(list, domain));
}

/** Whether a deal's list has the advertiser's domain or a parent domain. */
export function isAdvertiserPicked(domain: string, wadomain: readonly string[]): boolean {
  return coversDomain(indexOnce(wadomain, listedDomain), domain);
}

function coversDomain(list: ReadonlySet<string>, domain: string): boolean {
  for (let rest = domain; rest !== "";) {
    if (list.has(rest)) return true;
    const dot = rest.indexOf(".");
    rest = dot < 0 ? "" : rest.slice(dot + 1);
  }
  return false;
}

export const isAppBlocked = (bundle: string | undefined, { apps }: Exclusions): boolean =>
  bundle !== undefined && apps?.has(bundle) === true;

/**
 * Whether a bid is in another language than those of the request. Lists of ISO 639-1 compare the language alone, so that `en-GB` is
 * `en`; a bid that names none passes, since most name none.
 */
export function isLanguageExcluded(
  { language, langb }: { language?: string; langb?: string },
  { allowedLanguages }: Exclusions,
): boolean {
  const own = lowerCase(language ?? langb ?? "");
  if (own === "" || allowedLanguages === null) return false;
  return !allowedLanguages.has(own) && !allowedLanguages.has(own.split("-")[0] ?? "");
}

/**
 * Whether one of a bid's categories is blocked or missing from the allowed ones. A bid without categories passes unless
 * categories are allowed by list. For a list of another taxonomy (OpenRTB 2.6, `cattax`), the bid counts as one without
 * categories. If a bid names no taxonomy, its categories are compared with every list: bidders use the request's without saying
 * so, and what is blocked must not be shown.
 */
export function isCategoryBlocked(
  { cat = [], cattax }: { cat?: readonly string[]; cattax?: number },
  { categories, allowedCategories }: Exclusions,
): boolean {
  const has = (list: CategoryList, own: string) => (!cattax || list.taxonomy === cattax) && coversCategory(list, own);
  if (categories.length > 0 && cat.some((own) => categories.some((list) => has(list, own)))) return true;
  return allowedCategories !== null && (cat.length === 0 || !cat.every((own) => has(allowedCategories, own)));
}

/** Whether the category or its parent (`IAB25` for `IAB25-3`) is on the list. */
function coversCategory({ ids }: CategoryList, category: string): boolean {
  const own = lowerCase(category);
  const dash = own.indexOf("-");
  return ids.has(own) || (dash >= 0 && ids.has(own.slice(0, dash)));
}
