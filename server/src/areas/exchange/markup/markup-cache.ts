import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { cachedMarkup } from "@millrace/contract";
import { LRUCache } from "lru-cache";

/** The address of a cached document, and the parts from which ad servers build it (`hb_*` keys). */
export interface CachedMarkup {
  id: string;
  url: string;
  host: string;
  path: string;
}

export interface MarkupCache {
  /** Stores a document for at most `ttlSeconds`, or for the cache's own limit. */
  keep(document: string, ttlSeconds?: number): CachedMarkup;
  /** Finds a document; undefined if its id is not ours, or it has expired or was dropped. */
  find(id: string): Promise<Buffer | undefined>;
  readonly bytes: number;
}

/** The documents of all processes. */
export interface SharedDocuments {
  put(name: string, document: string, ttlMs: number): void;
  get(name: string): Promise<string | null>;
}

/** The default for videos in Prebid's cache. */
const TTL_SECONDS = 3600;
const MAX_BYTES = 32 * 1024 * 1024;
/** The memory of an entry besides its document. */
const ENTRY_BYTES = 300;
const NAME_BYTES = 12;
const TAG_BYTES = 12;

/**
 * An in-memory cache of documents (VAST, and bids as JSON) for players and ad servers that get an address instead of markup. Drops the
 * oldest documents beyond `maxBytes`. An id is 96 random bits, signed by a key, in 32 characters (ad servers take up to 40), so that
 * guesses are refused without a lookup and ids reveal nothing about each other. A player may ask another process for its document.
 */
export function markupCache(
  {
    publicUrl,
    now,
    key = randomBytes(32),
    shared,
  }: { publicUrl: string; now: () => number; key?: KeyObject | Buffer; shared?: SharedDocuments | undefined },
  { maxBytes = MAX_BYTES, ttlSeconds = TTL_SECONDS } = {},
): MarkupCache {
  const documents = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (document) => document.length + ENTRY_BYTES,
    ttl: ttlSeconds * 1000,
    ttlResolution: 0,
    perf: { now },
  });
  const { host, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/$/, "")}${cachedMarkup.path}`;
  const tagOf = (name: Buffer) => createHmac("sha256", key).update(name).digest().subarray(0, TAG_BYTES);

  return {
    keep(document, seconds = ttlSeconds) {
      const name = randomBytes(NAME_BYTES);
      const id = Buffer.concat([name, tagOf(name)]).toString("base64url");
      const ttl = Math.max(1, Math.min(seconds, ttlSeconds)) * 1000;
      documents.set(id, Buffer.from(document), { ttl });
      shared?.put(id, document, ttl);
      return { id, url: `${publicUrl}${cachedMarkup.path}?uuid=${id}`, host, path };
    },
    async find(id) {
      const bytes = Buffer.from(id, "base64url");
      if (bytes.length !== NAME_BYTES + TAG_BYTES) return undefined;
      const isOurs = timingSafeEqual(bytes.subarray(NAME_BYTES), tagOf(bytes.subarray(0, NAME_BYTES)));
      if (!isOurs) return undefined;
      const own = documents.get(id);
      if (own || !shared) return own;
      const found = await shared.get(id).catch(() => null);
      return found === null ? undefined : Buffer.from(found);
    },
    get bytes() {
      return documents.calculatedSize;
    },
  };
}
