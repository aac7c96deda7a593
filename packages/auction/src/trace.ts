import type { AuctionDecision } from "./decision.ts";
import type { AuctionInput } from "./input.ts";
import type { PartnerResponse } from "./response.ts";

/** Raised whenever a decision could come out otherwise from the same inputs. */
export const TRACE_VERSION = 1;

/** A decision with all it depended on. */
export interface Trace {
  version: typeof TRACE_VERSION;
  input: AuctionInput;
  responses: PartnerResponse[];
  decision: AuctionDecision;
}
