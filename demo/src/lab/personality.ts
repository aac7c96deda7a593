import type { Format, Platform, WorldRegion } from "@millrace/contract";

/** The faults of the lab's bidders. Each must cost the exchange only that one bid. */
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

/** The behaviour of a lab bidder. Shares are fractions of its requests, 0 to 1. */
export interface Personality {
  /** Its partner id, and its path on the lab server. */
  id: string;
  name: string;
  /** Its vendor id, above those that the Global Vendor List has assigned. Without one, it is never asked under the GDPR. */
  gvlId?: number;
  buys: readonly Format[];
  /** The countries in which it buys; all if absent. */
  countries?: readonly string[];
  platforms?: readonly Platform[];
  /** Where the exchange asks it; everywhere if absent. */
  regions?: readonly WorldRegion[];
  /** Where it has an address of its own. */
  addresses?: readonly WorldRegion[];
  /** Its median bid relative to the market's. */
  priceFactor: number;
  /** The standard deviation of the logarithm of its bids. */
  sigma: number;
  noBidShare: number;
  /** The value of a format's ads relative to its bids: up to this value, it raises its bid to meet a floor above the bid. */
  worth?: Partial<Record<Format, number>>;
  /** Bids even if its price is below the floor. */
  ignoresFloor?: boolean;
  latency: { medianMs: number; sigma: number };
  faults?: readonly { fault: Fault; share: number }[];
  /** Unavailable for the last `forMs` of every `everyMs`, to trigger the circuit breaker. */
  outage?: { everyMs: number; forMs: number };
  /** Whether it is active in the demo by default. */
  activeInDemo: boolean;
}
