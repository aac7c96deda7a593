import type { BidVerdict, Eligibility, ParticipantOutcome } from "./decision.ts";
import type { Participant } from "./input.ts";
import type { PartnerResponse } from "./response.ts";

// Of several calls without a bid, the one that tells most of what is wrong.
const WORST_FIRST = [
  "request_failed",
  "malformed_response",
  "response_too_large",
  "http_error",
  "connection_failed",
  "timeout",
  "no_bid",
] as const satisfies ParticipantOutcome["outcome"][];

/** How each participant came out, in the order of the participants. */
export function outcomesOf(
  participants: readonly Participant[],
  { eligible }: Eligibility,
  responses: readonly PartnerResponse[],
  verdicts: readonly BidVerdict[],
): ParticipantOutcome[] {
  const asked = new Set(eligible.map(({ participantId }) => participantId));
  const callsOf = grouped(responses);
  const bidsOf = grouped(verdicts);
  return participants.map(({ id: participantId }) => {
    const calls = callsOf.get(participantId) ?? [];
    const bids = bidsOf.get(participantId) ?? [];
    const latencyMs = calls.length === 0 ? null : Math.max(...calls.map((call) => call.latencyMs));
    const outcome = !asked.has(participantId) ? "refused" : outcomeOf(calls, bids);
    return { participantId, outcome, latencyMs, bids: bids.length };
  });
}

function outcomeOf(calls: readonly PartnerResponse[], bids: readonly BidVerdict[]): ParticipantOutcome["outcome"] {
  if (bids.some(({ status }) => status === "won")) return "won";
  if (bids.some(({ status }) => status === "lost")) return "lost";
  if (bids.length > 0) return "invalid";
  if (calls.length === 0) return "not_answered";
  return WORST_FIRST.find((status) => calls.some((call) => call.status === status)) ?? "no_bid";
}

function grouped<T extends { participantId: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.participantId);
    if (group === undefined) groups.set(item.participantId, [item]);
    else group.push(item);
  }
  return groups;
}
