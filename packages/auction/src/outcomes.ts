import type { BidVerdict, Eligibility, ParticipantOutcome } from "./decision.ts";
import type { Participant } from "./input.ts";
import type { CallResult } from "./response.ts";

// Of several calls without a bid, the most telling failure.
const WORST_FIRST = [
  "request_failed",
  "malformed_response",
  "response_too_large",
  "http_error",
  "connection_failed",
  "timeout",
  "no_bid",
] as const satisfies ParticipantOutcome["outcome"][];

interface Tally {
  latencyMs: number;
  statuses: CallResult["status"][];
  bids: number;
  won: boolean;
  valid: boolean;
}

/** Each participant's result, in the order of the participants. */
export function outcomesOf(
  participants: readonly Participant[],
  { eligible }: Eligibility,
  responses: readonly CallResult[],
  verdicts: readonly BidVerdict[],
): ParticipantOutcome[] {
  const asked = new Set<string>();
  for (const { participantId } of eligible) asked.add(participantId);
  const tallies = tally(responses, verdicts);
  return participants.map(({ id: participantId }) => {
    const heard = tallies.get(participantId);
    const outcome = asked.has(participantId) ? outcomeOf(heard) : "refused";
    return { participantId, outcome, latencyMs: heard?.latencyMs ?? null, bids: heard?.bids ?? 0 };
  });
}

function tally(responses: readonly CallResult[], verdicts: readonly BidVerdict[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { participantId, latencyMs, status } of responses) {
    const heard = tallies.get(participantId);
    if (heard === undefined) {
      tallies.set(participantId, { latencyMs, statuses: [status], bids: 0, won: false, valid: false });
    } else {
      heard.latencyMs = Math.max(heard.latencyMs, latencyMs);
      heard.statuses.push(status);
    }
  }
  for (const { participantId, status } of verdicts) {
    const heard = tallies.get(participantId);
    if (heard === undefined) continue;
    heard.bids += 1;
    heard.won ||= status === "won";
    heard.valid ||= status !== "invalid";
  }
  return tallies;
}

function outcomeOf(heard: Tally | undefined): ParticipantOutcome["outcome"] {
  if (heard === undefined) return "not_answered";
  if (heard.won) return "won";
  if (heard.bids > 0) return heard.valid ? "lost" : "invalid";
  return WORST_FIRST.find((status) => heard.statuses.includes(status)) ?? "no_bid";
}
