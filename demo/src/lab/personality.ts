import type { Format, Platform } from "@millrace/contract";

/** Every way in which a bidder of the lab can go wrong. Each must cost the exchange that one bid and nothing else. */
export const FAULTS = [
  "slow",
  "silent",
  "huge",
  "gzip-bomb",
  "broken-json",
  "negative-price",
  "infinite-price",
  "nan-price",
  "wrong-currency",
  "wrong-imp",
  "wrong-media",
  "reset",
  "unavailable",
] as const;
export type Fault = (typeof FAULTS)[number];

/** How a bidder of the lab behaves. Shares are of its requests, 0 to 1. */
export interface Personality {
  /** Its partner id, and its path at the lab. */
  id: string;
  name: string;
  /** Its vendor's id, beyond those that the Global Vendor List has given out. Without one it is never asked under the GDPR. */
  gvlId?: number;
  buys: readonly Format[];
  /** Where it buys; absent: everywhere. */
  countries?: readonly string[];
  platforms?: readonly Platform[];
  /** Its median bid against the market's. */
  priceFactor: number;
  /** Spread of the logarithm of its bids. */
  sigma: number;
  noBidShare: number;
  /** A careless bidder: it offers what it has, though the floor is higher. */
  ignoresFloor?: boolean;
  latency: { medianMs: number; sigma: number };
  faults?: readonly { fault: Fault; share: number }[];
  /** Out of order for `forMs` at the end of every `everyMs`, by the clock: what a circuit breaker is for. */
  outage?: { everyMs: number; forMs: number };
  /** Whether the demo's apps sell to it from the start. */
  activeInDemo: boolean;
}
