export { BidClient } from "./bid-client.ts";
export { headersOf } from "./outcome.ts";
export type { CallAnswer, CallFailure, CallOutcome } from "./outcome.ts";
export type { OutgoingCall } from "./outgoing-call.ts";
