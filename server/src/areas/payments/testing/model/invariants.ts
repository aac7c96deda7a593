/** What must hold after every step, whatever happened. Each has a planted fault that breaks it. */
export const INVARIANTS = [
  "debits equal credits",
  "the header is the ledger's balance",
  "the finance report ends at the header's balance",
  "the balance history adds up to the campaign balance",
  "a campaign spends no more than the balance",
  "nothing is negative that may not be",
  "one payout for a publisher and month",
  "a payout is what was owed",
  "a payout is ordered once",
  "what is paid here is paid at the provider",
  "a closed month never changes",
  "nothing that is booked changes",
  "a refusal that is repeated is refused again",
  "what is repeated is done once",
  "no more is deducted than was earned",
  "the books say what the events say",
  "spend that no impression proves goes back once",
  "a restated statement posts its difference once",
  "the count finds every difference",
  "what was killed has happened or not",
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** Thrown when an invariant does not hold. */
export class BrokenInvariant extends Error {
  readonly invariant: Invariant;
  constructor(invariant: Invariant, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
  }
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part));

/** Throws unless both are the same, bigints included. */
export function mustBe(invariant: Invariant, found: unknown, expected: unknown, of = ""): void {
  if (text(found) !== text(expected))
    throw new BrokenInvariant(invariant, `${of} is ${text(found)}, not ${text(expected)}`);
}

export function must(invariant: Invariant, holds: boolean, otherwise: string): void {
  if (!holds) throw new BrokenInvariant(invariant, otherwise);
}
