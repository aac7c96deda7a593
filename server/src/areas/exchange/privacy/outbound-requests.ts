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
  participantIds: Set<string>;
}

/**
 * The request that each partner of an auction is sent: it states all signals, follows the partner's privacy rules, and has the publisher's
 * own data only if the publisher lets the partner see them. Partners under the same rules share one request, redacted and serialised once;
 * usually there is only one.
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

  /** The request for a call under one of the partner's names: its id, or an alias of it. */
  requestFor(participantId: string, gvlId: number | undefined, name = participantId): PreparedRequest {
    const rules = this.#privacy.rulesFor(gvlId);
    const seesData = this.#dataBidders === null || this.#dataBidders.has(name.toLowerCase());
    const byRules = seesData ? this.#byRules : this.#withoutData;
    let outbound = byRules.get(rules);
    if (outbound === undefined) {
      const told = seesData ? this.#request : withoutFirstPartyData(this.#request);
      const { request, removed } = redactRequest(told, partsRemovedBy(rules));
      outbound = { prepared: prepareRequest(request), removed, rules, participantIds: new Set() };
      byRules.set(rules, outbound);
    }
    outbound.participantIds.add(participantId);
    return outbound.prepared;
  }

  /** The redactions per partner, for the trace. */
  redactions(): Redaction[] {
    return [...this.#byRules.values(), ...this.#withoutData.values()]
      .filter(({ rules }) => rules.length > 0)
      .map(({ participantIds, rules, removed }) => ({ participantIds: [...participantIds], rules, removed }));
  }
}
