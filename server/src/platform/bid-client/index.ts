export { BidClient } from "./bid-client.ts";
export type { AddressedCall } from "./outgoing-call.ts";
export { headersOf } from "./outcome.ts";
export type { CallAnswer, CallFailure, CallOutcome } from "./outcome.ts";
