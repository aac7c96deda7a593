import type { GateReason } from "@millrace/auction";

// What auctions ask of the parts that keep a campaign's caps, pace and money.

/** Budget reserved for a returned ad. */
export interface Hold {
  campaignId: number;
  leaseId: string;
  micros: number;
}

export type NoHold = Extract<GateReason, "budget_spent" | "daily_budget_spent" | "balance_spent" | "lease_pending">;

export interface Spend {
  campaignId: number;
  leaseId: string;
  micros: number;
  atMs: number;
}

export interface Budgets {
  hold(campaignId: number, micros: number, expiresAtMs: number): Hold | NoHold;
  release(hold: Hold): void;
  spend(spends: readonly Spend[]): Promise<boolean[]>;
}

export interface Pacing {
  /** The bid as CPM in micro-dollars, and the share of auctions to take part in. */
  planOf(campaignId: number, atMs: number): { bidMicros: number; share: number };
}

/** How long a returned ad can be shown and billed, and so how long its money and its place below the caps are held. */
export const CAMPAIGN_AD_LIFE_MS = 30 * 60_000;
