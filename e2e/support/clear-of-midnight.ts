import { beforeEach } from "vitest";

const DAY_MS = 86_400_000;
/** Longer than any test that counts events of today. */
const MARGIN_MS = 180_000;

/** Keeps each test of the file within one UTC day: shortly before midnight, it waits until midnight has passed. */
export function clearOfMidnight(): void {
  beforeEach(async () => {
    const leftMs = DAY_MS - (Date.now() % DAY_MS);
    if (leftMs < MARGIN_MS) await new Promise((resolve) => setTimeout(resolve, leftMs + 1000));
  }, MARGIN_MS * 2);
}

/** The date `days` days ago, as addresses write it. */
export const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
