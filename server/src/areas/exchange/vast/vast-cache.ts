import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Where a cached document is found: by its address, or by the parts that ad servers put together from `hb_*` keys. */
export interface CachedVast {
  id: string;
  url: string;
  host: string;
  path: string;
}

export interface VastCache {
  /** Keeps a document for at most so many seconds, or as long as the cache keeps any. */
  keep(xml: string, ttlSeconds?: number): CachedVast;
  /** The document of an id; undefined for an id that is not ours, has expired, or had to make room. */
  find(id: string): Buffer | undefined;
  readonly bytes: number;
}

/** As long as Prebid Server's cache keeps a video by default. */
const TTL_SECONDS = 3600;
const MAX_BYTES = 32 * 1024 * 1024;
/** What an entry takes beside its document. */
const ENTRY_BYTES = 300;
const NAME_BYTES = 12;
const TAG_BYTES = 12;
export const CACHED_VAST_PATH = "/vast/cache";

/**
 * Documents for players that are given an address instead of markup, in memory: the oldest makes room for the newest, so
 * that a flood of requests takes no more than `maxBytes`. An id is 96 random bits and a signature by a key of this process,
 * in 32 characters (ad servers take values of up to 40): a guess costs nothing but its check, and ids tell nothing of each
 * other.
 */
export function vastCache(
  { publicUrl, now }: { publicUrl: string; now: () => number },
  { maxBytes = MAX_BYTES, ttlSeconds = TTL_SECONDS } = {},
): VastCache {
  const key = randomBytes(32);
  const documents = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (document) => document.length + ENTRY_BYTES,
    ttl: ttlSeconds * 1000,
    ttlResolution: 0,
    perf: { now },
  });
  const { host, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/$/, "")}${CACHED_VAST_PATH}`;
  const tagOf = (name: Buffer) => createHmac("sha256", key).update(name).digest().subarray(0, TAG_BYTES);

  return {
    keep(xml, seconds = ttlSeconds) {
      const name = randomBytes(NAME_BYTES);
      const id = Buffer.concat([name, tagOf(name)]).toString("base64url");
      documents.set(id, Buffer.from(xml), { ttl: Math.max(1, Math.min(seconds, ttlSeconds)) * 1000 });
      return { id, url: `${publicUrl}${CACHED_VAST_PATH}?uuid=${id}`, host, path };
    },
    find(id) {
      const bytes = Buffer.from(id, "base64url");
      if (bytes.length !== NAME_BYTES + TAG_BYTES) return undefined;
      const isOurs = timingSafeEqual(bytes.subarray(NAME_BYTES), tagOf(bytes.subarray(0, NAME_BYTES)));
      return isOurs ? documents.get(id) : undefined;
    },
    get bytes() {
      return documents.calculatedSize;
    },
  };
}
