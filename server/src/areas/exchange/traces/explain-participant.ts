import {
  type AuctionInput,
  type BidVerdict,
  describeReason,
  type ParticipantKind,
  type ParticipantOutcome,
  type PartnerResponse,
  type Reason,
  type Trace,
} from "@millrace/auction";
import type { AppConfig } from "../config/snapshot.ts";
import { grouped } from "../../../platform/grouped.ts";
import { isRuleCode, describeRule } from "../privacy/privacy-table.ts";
import { failureText, type PartnerFacts, timeoutText } from "./partner-result.ts";
import { recordedAnswer, sentRequests } from "./recorded-wire.ts";

/** A reason's code, and the same as a sentence. */
export const reasonOf = (code: Reason, input: Pick<AuctionInput, "deadlineMs">) => ({
  code,
  text: describeReason(code, input),
});

/** The facts about each partner of a trace. */
export function partnerFacts({ decision, responses }: Trace): (participantId: string) => PartnerFacts {
  const refusals = grouped(decision.refused, ({ participantId }) => participantId);
  const verdicts = grouped(decision.bids, ({ participantId }) => participantId);
  const calls = grouped(responses, ({ participantId }) => participantId);
  return (participantId) => ({
    participantId,
    refusals: refusals.get(participantId) ?? [],
    verdicts: verdicts.get(participantId) ?? [],
    responses: (calls.get(participantId) ?? []).toSorted((a, b) => a.call - b.call),
  });
}

/** Tells campaigns, in-house ones and partners apart. */
export function participantKinds({ participants }: AuctionInput): (participantId: string) => ParticipantKind {
  const kinds = new Map(participants.map(({ id, kind }) => [id, kind]));
  return (participantId) => kinds.get(participantId) ?? "bidding";
}

/** A participant with its calls, bids and refusals. */
export function explainParticipant(
  trace: Trace,
  { participantId, outcome, latencyMs }: ParticipantOutcome,
  { refusals, verdicts, responses }: PartnerFacts,
  { showsKeys, ...config }: { app: AppConfig; configVersion: string; showsKeys: boolean },
) {
  const { input, decision } = trace;
  const isCalled = participantKinds(input)(participantId) === "bidding";
  const sent = showsKeys ? sentRequests(trace, participantId, config) : null;
  return {
    provider: participantId,
    outcome: { code: outcome, text: outcomeText(outcome, responses, input) },
    // Campaigns bid without a call.
    latency_ms: isCalled ? latencyMs : null,
    calls: (isCalled ? responses : []).map((call) => ({
      status: { code: call.status, text: outcomeText(call.status, [call], input) },
      http_status: call.httpStatus ?? null,
      latency_ms: call.latencyMs,
      sent: sent?.[call.call] ?? null,
      answer: recordedAnswer(decision.auctionId, call),
    })),
    privacy: privacyOf(input, participantId),
    refusals: refusals.map(({ impId, reason }) => ({ imp: impId ?? null, reason: reasonOf(reason, input) })),
    bids: verdicts.map((verdict) => bidOf(verdict, input)),
  };
}

/** The outcome of calls in a sentence. A call that was cut says how long it had, which is less than the deadline. */
function outcomeText(
  outcome: ParticipantOutcome["outcome"] | PartnerResponse["status"],
  responses: readonly PartnerResponse[],
  input: AuctionInput,
): string {
  if (outcome === "bid") return "Bid";
  if (outcome === "timeout") return timeoutText(Math.max(0, ...responses.map(({ latencyMs }) => latencyMs)));
  const failed = responses.find(({ status }) => status === outcome);
  return outcome === "http_error" && failed ? failureText(failed) : describeReason(outcome, input);
}

/** A participant's redactions. Rules of another version, and those without effect, have no sentence. */
function privacyOf({ redactions = [], participants }: AuctionInput, participantId: string) {
  const redaction = redactions.find(({ participantIds }) => participantIds.includes(participantId));
  const participant = participants.find(({ id }) => id === participantId);
  const gvlId = participant?.kind === "bidding" ? participant.gvlId : undefined;
  return (redaction?.rules ?? []).flatMap((rule) => {
    const told = isRuleCode(rule) ? describeRule(rule, redaction?.removed ?? [], gvlId) : null;
    return told === null ? [] : [{ rule, ...told }];
  });
}

function bidOf({ impId, bidId, status, reason, path, priceMicros, minToWinMicros }: BidVerdict, input: AuctionInput) {
  return {
    imp: impId,
    bid: bidId,
    status,
    reason: reason && reasonOf(reason, input),
    field: path ?? null,
    price: priceMicros,
    min_to_win: minToWinMicros,
  };
}
