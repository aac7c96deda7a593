import { memoryStorage, type Storage } from "../core/index.ts";

/**
 * localStorage, or memory if it is unavailable: in frames without an origin, or if disabled. One that takes nothing more is
 * still read.
 */
export function browserStorage(): Storage {
  try {
    const store = window.localStorage;
    // Throws where there is none.
    void store.length;
    return {
      keys: () => Object.keys(store),
      get: (key) => store.getItem(key),
      set: (key, value) => store.setItem(key, value),
      remove: (key) => store.removeItem(key),
    };
  } catch {
    return memoryStorage();
  }
}
