import type { Storage } from "./seams.ts";

/** Storage that ends with the process: for hosts that keep nothing, and for private mode. */
export function memoryStorage(): Storage {
  const entries = new Map<string, string>();
  return {
    keys: () => [...entries.keys()],
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
  };
}
