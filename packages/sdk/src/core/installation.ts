import { randomId } from "./random-id.ts";
import type { Host } from "./seams.ts";

/** The identity of this installation. */
export interface Installation {
  /** A random UUID. */
  install_id: string;
  /** The UTC day of its first start, as `2026-11-19`. */
  first_day?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The installation as storage has it, or a new one. The day is made together with the id, never later: an installation that
 * was there before days were kept, or whose id the app brings itself, is not new today.
 */
export function installation(host: Host, prefix: string, brought: Partial<Installation>): Installation {
  if (brought.install_id !== undefined) return withDay(brought.install_id, brought.first_day);
  const { storage, clock, random } = host;
  const [idKey, dayKey] = [`${prefix}install_id`, `${prefix}first_day`];
  try {
    const kept = storage.get(idKey);
    if (kept !== null && /^[0-9a-f-]{36}$/.test(kept)) return withDay(kept, storage.get(dayKey));
  } catch {
    // Without storage an installation is new each time.
  }
  const made = { install_id: randomId(random), first_day: new Date(clock.now()).toISOString().slice(0, 10) };
  try {
    storage.set(dayKey, made.first_day);
    storage.set(idKey, made.install_id);
  } catch {
    // It lives as long as the page.
  }
  return made;
}

const withDay = (install_id: string, day: string | null | undefined): Installation =>
  day !== null && day !== undefined && DAY.test(day) ? { install_id, first_day: day } : { install_id };
