import type { CallFailure, CallOutcome } from "./outcome.ts";

/** A call in flight: its request and the callback for its outcome. */
export interface PendingCall {
  /** The whole request, head and body, in one piece: one write, one packet for most. */
  payload: string | Buffer;
  encoding: "latin1" | "utf8";
  /** `performance.now()` when the call was handed over. */
  startedAt: number;
  retryStale: boolean;
  pool: { abandon(call: PendingCall): void };
  /** The connection it is on; null while it waits for one. */
  connection: { isBusyWith(call: PendingCall): boolean; release(drain: boolean): void } | null;
  settled: boolean;
  /** Its place among the calls that were sent together. */
  index: number;
  /** Told once, by `finish`. */
  onDone: (index: number, outcome: CallOutcome) => void;
}

export function finish(call: PendingCall, outcome: CallOutcome): void {
  if (call.settled) return;
  call.settled = true;
  call.onDone(call.index, outcome);
}

export function finishFailed(call: PendingCall, failure: CallFailure): void {
  finish(call, { ok: false, failure, latencyMs: performance.now() - call.startedAt });
}
