import { memoryStorage, type Storage } from "../core/index.ts";

/** localStorage, or memory if it is unavailable: in private mode, in frames without an origin, or if disabled. */
export function browserStorage(): Storage {
  try {
    const store = window.localStorage;
    const probe = "millrace.probe";
    store.setItem(probe, "1");
    store.removeItem(probe);
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
