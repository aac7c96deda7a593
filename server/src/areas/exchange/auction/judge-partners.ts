import type { CallResult } from "@millrace/auction";
import type { Breakers } from "./breakers.ts";

/** Under which conditions an auction called a partner. */
export interface CallTerms {
  /** The keys are the app's stored ones, and the host is the operator's. Otherwise a failure may be the fault of the caller or the publisher. */
  isOurs: boolean;
  /** The caller gave less time than the platform gives. */
  isHurried: boolean;
}

type Verdict = "answered" | "failed" | "unknown";

const TOO_MANY_REQUESTS = 429;

/** What one call says about whether its partner works, for all apps. */
export function verdictOn(
  { status, httpStatus = 0 }: Pick<CallResult, "status" | "httpStatus">,
  { isOurs, isHurried }: CallTerms,
): Verdict {
  // What was never sent says nothing about the partner: other publishers' keys or another device can be sent.
  if (status === "request_failed") return "unknown";
  if (status === "bid" || status === "no_bid") return "answered";
  // A partner that refuses this request, for example its keys, is there for others.
  if (status === "http_error" && httpStatus >= 400 && httpStatus < 500 && httpStatus !== TOO_MANY_REQUESTS) {
    return "answered";
  }
  return isOurs && !(status === "timeout" && isHurried) ? "failed" : "unknown";
}

/**
 * Collects what the calls of one auction say about its partners. Each partner gets one verdict, because a request decides how many
 * calls it takes: an answer to any of them counts, then a failure.
 */
export class PartnerVerdicts {
  readonly #byPartner = new Map<string, Verdict>();

  add(partnerId: string, result: Pick<CallResult, "status" | "httpStatus">, terms: CallTerms): void {
    const known = this.#byPartner.get(partnerId);
    if (known === "answered") return;
    const verdict = verdictOn(result, terms);
    if (known === undefined || verdict !== "unknown") this.#byPartner.set(partnerId, verdict);
  }

  /** `at` is on the clock of `performance.now()`. */
  tell(breakers: Breakers, at: number): void {
    for (const [partnerId, verdict] of this.#byPartner) {
      if (verdict === "unknown") breakers.untold(partnerId, at);
      else breakers.answered(partnerId, verdict === "answered", at);
    }
  }
}
