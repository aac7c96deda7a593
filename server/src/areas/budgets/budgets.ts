/** Money of a campaign, reserved for an ad. Its id and price go into the ad's beacons. */
export interface Hold {
  readonly campaignId: number;
  readonly leaseId: string;
  readonly micros: number;
}

/** Why nothing can be held; `lease_pending` if PostgreSQL has not answered yet. */
export type NoHold = "budget_spent" | "daily_budget_spent" | "balance_spent" | "lease_pending";

/** An impression to bill, or one to take back. */
export interface Spend {
  campaignId: number;
  leaseId: string;
  micros: number;
  /** The moment of the impression; it is billed on this UTC day. */
  atMs: number;
}

export interface Spent {
  todayMicros: number;
  totalMicros: number;
  /** Whether too little of the balance is left for an impression at the bid; missing if that was not asked. */
  isBalanceSpent?: boolean;
}

/** What campaigns may spend, leased from PostgreSQL, which alone decides. */
export interface Budgets {
  /**
   * Reserves a price for an ad, in memory, at once; or why not. More money is asked of PostgreSQL in the background
   * before it runs out. A hold ends after `LONGEST_HOLD_MS` at the latest. RangeError unless the price is a positive integer.
   */
  hold(campaignId: number, micros: number, expiresAtMs: number): Hold | NoHold;
  /** Gives a hold back: its ad was not returned, or another ad of the same answer was shown. Repeating it does nothing. */
  release(hold: Hold): void;
  /**
   * Bills impressions in PostgreSQL, batched across callers. One boolean each: false if it can no longer be billed (the
   * lease is over, a limit was cut). Rejects if the store cannot be reached: the caller answers 503.
   */
  spend(spends: readonly Spend[]): Promise<boolean[]>;
  /** Takes back impressions that were billed and could not be stored. Rejects as `spend` does. */
  takeBack(spends: readonly Spend[]): Promise<void>;
  /** Another process has billed an impression of this one's lease: what was held for it is free in the store. */
  spentElsewhere(leaseId: string, micros: number): void;
  /** What is spent today and in all, as PostgreSQL last said; undefined until it has. Asks again when it is old. */
  spentOf(campaignId: number): Spent | undefined;
  /** A campaign's limits have changed: its leases are returned, and new ones are asked for at once. */
  changed(campaignId: number): void;
  /** An account's balance has changed. */
  accountChanged(accountId: number): void;
}

/** The longest time between an ad's answer and its impression. */
export const LONGEST_HOLD_MS = 30 * 60_000;
/** A lease gives holds for this long, and then waits for their impressions only. */
export const ISSUING_MS = 60_000;
/** An impression in time may reach the store this much later. */
export const GRACE_MS = 60_000;
/** Longer than the last impression of the last hold takes, with room for a slow answer to the lease's own question. */
export const LEASE_LIFE_MS = ISSUING_MS + LONGEST_HOLD_MS + 2 * GRACE_MS;
