import { randomId } from "./random-id.ts";
import type { Host } from "./host.ts";

export interface Installation {
  /** A random UUID. */
  install_id: string;
  /** The UTC day of its first start, such as `2026-11-19`. */
  first_day?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads the installation from storage or creates a new one. The first day is stored together with the id and never later,
 * because an installation from before days were stored, or whose id the app provides, is not new today.
 */
export function installation(host: Host, prefix: string, provided: Partial<Installation>): Installation {
  if (provided.install_id !== undefined) return withDay(provided.install_id, provided.first_day);
  const { storage, clock, random } = host;
  const [idKey, dayKey] = [`${prefix}install_id`, `${prefix}first_day`];
  try {
    const kept = storage.get(idKey);
    if (kept !== null && /^[0-9a-f-]{36}$/.test(kept)) return withDay(kept, storage.get(dayKey));
  } catch {
    // Without storage an installation is new each time.
  }
  const created = { install_id: randomId(random), first_day: new Date(clock.now()).toISOString().slice(0, 10) };
  try {
    storage.set(dayKey, created.first_day);
    storage.set(idKey, created.install_id);
  } catch {
    // Without storage it lives as long as the page.
  }
  return created;
}

const withDay = (install_id: string, day: string | null | undefined): Installation => ({
  install_id,
  first_day: day && DAY.test(day) ? day : undefined,
});
