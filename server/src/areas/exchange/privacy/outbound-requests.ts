import type { Redaction } from "@millrace/auction";
import type { BidRequest } from "@millrace/openrtb";
import { type PreparedRequest, prepareRequest } from "@millrace/partners";
import type { Privacy } from "./privacy-of.ts";
import { partsRemovedBy, type RuleCode } from "./privacy-table.ts";
import { redactRequest } from "./redact-request.ts";

interface Outbound {
  prepared: PreparedRequest;
  removed: readonly string[];
  rules: readonly RuleCode[];
  participantIds: string[];
}

/**
 * What each partner of an auction is sent: the request without what its rules keep back. Partners under the same rules share one
 * request, which is redacted and serialised once; there are as many as the signals tell partners apart, usually one.
 */
export class OutboundRequests {
  readonly #request: BidRequest;
  readonly #privacy: Privacy;
  readonly #byRules = new Map<readonly RuleCode[], Outbound>();

  constructor(request: BidRequest, privacy: Privacy) {
    this.#request = request;
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

  /** Who was not told what, for the trace. */
  redactions(): Redaction[] {
    return [...this.#byRules.values()]
      .filter(({ rules }) => rules.length > 0)
      .map(({ participantIds, rules, removed }) => ({ participantIds, rules, removed }));
  }
}
