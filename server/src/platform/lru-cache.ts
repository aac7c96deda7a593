import { LRUCache } from "lru-cache";

/**
 * A cache that drops the least recently used of more than `most` entries. It is bounded by a size of one per entry, because
 * lru-cache reserves the memory of `max` entries at once: most caches here are large to withstand attacks, and nearly empty.
 */
export const lruCache = <Key extends {}, Value extends {}>(most: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
