import { LRUCache } from "lru-cache";

/**
 * A cache that drops the least recently used entries once all weigh more than `most`; each weighs one unless `weightOf` says otherwise,
 * with a whole number above zero. The cache is always bounded by weight, because lru-cache reserves the memory of `max` entries at once: most
 * caches here are large to withstand attacks, and nearly empty.
 */
export const lruCache = <Key extends {}, Value extends {}>(
  most: number,
  weightOf: (value: Value, key: Key) => number = () => 1,
): LRUCache<Key, Value> => new LRUCache({ maxSize: most, sizeCalculation: weightOf });
