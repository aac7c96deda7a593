import { beforeEach } from "vitest";

const DAY_MS = 86_400_000;
/** Longer than most tests that count events of today. */
const MARGIN_MS = 180_000;

/** Keeps each test of the file, which takes less than `marginMs`, within one UTC day: shortly before midnight, it waits. */
export function clearOfMidnight(marginMs = MARGIN_MS): void {
  beforeEach(async () => {
    const leftMs = DAY_MS - (Date.now() % DAY_MS);
    if (leftMs < marginMs) await new Promise((resolve) => setTimeout(resolve, leftMs + 1000));
  }, marginMs * 2);
}

/** The date `days` days ago, as addresses write it. */
export const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
