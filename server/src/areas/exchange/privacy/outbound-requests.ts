import type { Redaction } from "@millrace/auction";
import type { BidRequest } from "@millrace/openrtb";
import { type PreparedRequest, prepareRequest } from "@millrace/partners";
import type { Privacy } from "./privacy-of.ts";
import { partsRemovedBy, type RuleCode } from "./privacy-table.ts";
import { redactRequest } from "./redact-request.ts";
import { stateSignals } from "./state-signals.ts";

interface Outbound {
  prepared: PreparedRequest;
  removed: readonly string[];
  rules: readonly RuleCode[];
  participantIds: string[];
}

/**
 * The request that each partner of an auction is sent, with all signals stated and its privacy rules applied. Partners under the same rules
 * share one request, redacted and serialised once; usually there is only one.
 */
export class OutboundRequests {
  readonly #request: BidRequest;
  readonly #privacy: Privacy;
  readonly #byRules = new Map<readonly RuleCode[], Outbound>();

  constructor(request: BidRequest, privacy: Privacy) {
    this.#request = stateSignals(request, privacy);
    this.#privacy = privacy;
  }

  requestFor(participantId: string, gvlId: number | undefined): PreparedRequest {
    const rules = this.#privacy.rulesFor(gvlId);
    let outbound = this.#byRules.get(rules);
    if (outbound === undefined) {
      const { request, removed } = redactRequest(this.#request, partsRemovedBy(rules));
      outbound = { prepared: prepareRequest(request), removed, rules, participantIds: [] };
      this.#byRules.set(rules, outbound);
    }
    outbound.participantIds.push(participantId);
    return outbound.prepared;
  }

  /** The redactions per partner, for the trace. */
  redactions(): Redaction[] {
    return [...this.#byRules.values()]
      .filter(({ rules }) => rules.length > 0)
      .map(({ participantIds, rules, removed }) => ({ participantIds, rules, removed }));
  }
}
