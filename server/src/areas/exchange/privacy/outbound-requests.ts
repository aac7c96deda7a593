import type { Redaction } from "@millrace/auction";
import type { BidRequest } from "@millrace/openrtb";
import { type PreparedRequest, prepareRequest } from "@millrace/partners";
import { firstPartyDataBidders, withoutFirstPartyData } from "./first-party-data.ts";
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
 * The request that each partner of an auction is sent, with all signals stated, its privacy rules applied, and the publisher's own data if the
 * publisher gives it that. Partners under the same rules share one request, redacted and serialised once; usually there is only one.
 */
export class OutboundRequests {
  readonly #request: BidRequest;
  readonly #privacy: Privacy;
  readonly #dataBidders: ReadonlySet<string> | null;
  readonly #byRules = new Map<readonly RuleCode[], Outbound>();
  readonly #withoutData = new Map<readonly RuleCode[], Outbound>();

  constructor(request: BidRequest, privacy: Privacy) {
    this.#request = stateSignals(request, privacy);
    this.#privacy = privacy;
    this.#dataBidders = firstPartyDataBidders(request);
  }

  requestFor(participantId: string, gvlId: number | undefined): PreparedRequest {
    const rules = this.#privacy.rulesFor(gvlId);
    const seesData = this.#dataBidders === null || this.#dataBidders.has(participantId);
    const byRules = seesData ? this.#byRules : this.#withoutData;
    let outbound = byRules.get(rules);
    if (outbound === undefined) {
      const told = seesData ? this.#request : withoutFirstPartyData(this.#request);
      const { request, removed } = redactRequest(told, partsRemovedBy(rules));
      outbound = { prepared: prepareRequest(request), removed, rules, participantIds: [] };
      byRules.set(rules, outbound);
    }
    outbound.participantIds.push(participantId);
    return outbound.prepared;
  }

  /** The redactions per partner, for the trace. */
  redactions(): Redaction[] {
    return [...this.#byRules.values(), ...this.#withoutData.values()]
      .filter(({ rules }) => rules.length > 0)
      .map(({ participantIds, rules, removed }) => ({ participantIds, rules, removed }));
  }
}
