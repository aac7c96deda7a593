import type { BidRequest } from "./bid-request.ts";

/** What may not be advertised, ready for lookup. */
export interface Exclusions {
  /** Domains in lower case; each blocks its subdomains. */
  advertisers: readonly ReadonlySet<string>[];
  /** Categories; each blocks its subcategories. */
  categories: readonly ReadonlySet<string>[];
  apps: ReadonlySet<string> | null;
  blockedSeats: ReadonlySet<string> | null;
  allowedSeats: ReadonlySet<string> | null;
}

interface PublisherBlocks {
  advertisers?: readonly string[];
  categories?: readonly string[];
}

const indexOf = (list: readonly string[]): ReadonlySet<string> => new Set(list.map((item) => item.toLowerCase()));

// A publisher's lists live as long as the configuration and may be long; each is indexed once.
const indexed = new WeakMap<readonly string[], ReadonlySet<string>>();

function rememberedIndexOf(list: readonly string[]): ReadonlySet<string> {
  let index = indexed.get(list);
  if (index === undefined) indexed.set(list, (index = indexOf(list)));
  return index;
}

function lists(ofRequest: readonly string[] = [], ofPublisher: readonly string[] = []): ReadonlySet<string>[] {
  const found: ReadonlySet<string>[] = [];
  if (ofRequest.length > 0) found.push(indexOf(ofRequest));
  if (ofPublisher.length > 0) found.push(rememberedIndexOf(ofPublisher));
  return found;
}

const exact = (list: readonly string[] | undefined): ReadonlySet<string> | null =>
  list === undefined || list.length === 0 ? null : new Set(list);

/**
 * Joins the request's lists (badv, bcat, bapp, bseat, wseat) with the publisher's own.
 * The publisher's arrays are remembered by identity: pass new arrays when they change.
 */
export function exclusionsOf(request: BidRequest, publisher: PublisherBlocks = {}): Exclusions {
  return {
    advertisers: lists(request.badv, publisher.advertisers),
    categories: lists(request.bcat, publisher.categories),
    apps: exact(request.bapp),
    blockedSeats: exact(request.bseat),
    allowedSeats: exact(request.wseat),
  };
}

const PLAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/;
const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/|\/\/)?([^/?#:\s]+)/i;
const DOMAIN = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?\.)+[\p{L}\p{N}-]{2,}$/u;

/** Lower-case host of an advertiser domain, also of one sent as an address; undefined if it is none. */
export function advertiserDomain(value: string): string | undefined {
  // What nearly all bids send.
  if (value.length <= 253 && PLAIN.test(value)) return value;
  const host = HOST.exec(value.slice(0, 500).trim())?.[1]?.toLowerCase().replace(/\.$/, "");
  return host !== undefined && host.length <= 253 && DOMAIN.test(host) ? host : undefined;
}

/** Whether the domain, or one above it, is on a list. */
export function isAdvertiserBlocked(domain: string, { advertisers }: Exclusions): boolean {
  for (const list of advertisers) {
    for (let rest = domain; rest !== "";) {
      if (list.has(rest)) return true;
      const dot = rest.indexOf(".");
      rest = dot < 0 ? "" : rest.slice(dot + 1);
    }
  }
  return false;
}

/** Whether the category, or the one it belongs to (`IAB25` for `IAB25-3`), is on a list. */
export function isCategoryBlocked(category: string, { categories }: Exclusions): boolean {
  const own = category.toLowerCase();
  const dash = own.indexOf("-");
  const parent = dash < 0 ? own : own.slice(0, dash);
  return categories.some((list) => list.has(own) || list.has(parent));
}
