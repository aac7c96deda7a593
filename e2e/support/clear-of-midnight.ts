import { beforeEach } from "vitest";

const DAY_MS = 86_400_000;
/** Longer than any test that counts what happens today. */
const MARGIN_MS = 180_000;

/** The tests of a file that speak of today all begin and end in one: shortly before midnight, UTC, they wait for it. */
export function clearOfMidnight(): void {
  beforeEach(async () => {
    const leftMs = DAY_MS - (Date.now() % DAY_MS);
    if (leftMs < MARGIN_MS) await new Promise((resolve) => setTimeout(resolve, leftMs + 1000));
  }, MARGIN_MS * 2);
}

/** A day of the past, as the address names it. */
export const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
