import type { CALLBACK_FAILURES, CallbackOutcome } from "@millrace/contract";

const FAILURE_TEXTS = {
  closed_address: "the address is in a private network",
  bad_address: "the address is wrong",
  failed: "no answer",
  timeout: "no answer",
  too_many_redirects: "a redirect",
} as const satisfies Record<(typeof CALLBACK_FAILURES)[number], string>;

/** How a call to the publisher's server ended, which may have taken so many seconds. */
export function outcomeText(outcome: CallbackOutcome, limitSeconds: number): string {
  if (typeof outcome === "number") return `status ${outcome}`;
  return outcome === "timeout" ? `no answer within ${limitSeconds} seconds` : FAILURE_TEXTS[outcome];
}

/** How a test call ended. */
export const endOfCall = (
  { delivered, outcome }: { delivered: boolean; outcome: CallbackOutcome },
  limitSeconds: number,
): string => `${delivered ? "Delivered" : "Not delivered"}: ${outcomeText(outcome, limitSeconds)}.`;
