import type { Storage } from "./host.ts";

/** Storage in memory, for hosts without storage and for private mode. */
export function memoryStorage(): Storage {
  const entries = new Map<string, string>();
  return {
    keys: () => [...entries.keys()],
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
  };
}
