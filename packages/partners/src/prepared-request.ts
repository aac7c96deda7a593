import type { BidRequest } from "@millrace/openrtb";

/** The auction's request with its serialised parts, shared by all partners of the auction. */
export interface PreparedRequest {
  /** What all partners are asked. Never change it: copy what you need to. */
  readonly request: BidRequest;
}
