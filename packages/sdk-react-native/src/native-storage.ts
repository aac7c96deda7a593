import { memoryStorage, type Storage } from "@millrace/sdk/core";
import type { AsyncStorage } from "./native-modules.ts";

const PREFIX = "millrace.";
/** A device that writes for longer than this does not hold back what is sent. */
const WRITE_LIMIT_MS = 1_000;

/** The device's storage for the core, which reads and writes without waiting. */
export interface NativeStorage extends Storage {
  /** Reads what was stored. Never rejects: without it, the device is like a new one. */
  load(): Promise<void>;
  /** Resolves once everything is on the device, or after a second. */
  written(): Promise<void>;
}

/** Everything is in memory and on the device, one write after the other; a device without storage has the memory alone. */
export function nativeStorage(device: AsyncStorage | undefined): NativeStorage {
  const memory = memoryStorage();
  let loading: Promise<void> | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function read(from: AsyncStorage): Promise<void> {
    const keys = (await from.getAllKeys()).filter((key) => key.startsWith(PREFIX));
    const results = await Promise.allSettled(keys.map((key) => from.getItem(key)));
    for (const [index, key] of keys.entries()) {
      const result = results[index];
      if (result?.status === "fulfilled" && typeof result.value === "string") memory.set(key, result.value);
    }
  }
  const write = (run: (to: AsyncStorage) => Promise<void>) => {
    if (!device) return;
    writing = writing.then(() => run(device)).catch(() => {});
  };

  return {
    load: () => (loading ??= device ? read(device).catch(() => {}) : Promise.resolve()),
    async written() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, WRITE_LIMIT_MS)));
      await Promise.race([writing, limit]);
      clearTimeout(timer);
    },
    keys: () => memory.keys(),
    get: (key) => memory.get(key),
    set(key, value) {
      memory.set(key, value);
      write((to) => to.setItem(key, value));
    },
    remove(key) {
      memory.remove(key);
      write((to) => to.removeItem(key));
    },
  };
}
