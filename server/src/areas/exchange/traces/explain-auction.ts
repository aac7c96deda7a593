import {
  decodeTrace,
  type AuctionDecision,
  type AuctionInput,
  type BidVerdict,
  describeReason,
  type Reason,
  replay,
  type Trace,
} from "@millrace/auction";
import { type explainAuction, type ReplyInput, UNKNOWN_COUNTRY } from "@millrace/contract";
import { grouped } from "../../../platform/grouped.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { isRuleCode, describeRule } from "../privacy/privacy-table.ts";
import type { findPlayerEvents, StoredTrace } from "./find-trace.ts";

type Explanation = ReplyInput<typeof explainAuction>;

/** Explains a trace: the participants, their results and the reasons. */
export function explain(
  stored: StoredTrace,
  app: AppConfig,
  playerEvents: Awaited<ReturnType<typeof findPlayerEvents>>,
): Explanation {
  const { input, decision }: Trace = decodeTrace(stored.bytes);
  const { deadlineMs } = input;
  const reasonOf = (code: Reason) => ({ code, text: describeReason(code, { deadlineMs }) });
  const names = new Map(input.participants.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const bidsBy = grouped(decision.bids, ({ participantId }) => participantId);
  const refusalsBy = grouped(decision.refused, ({ participantId }) => participantId);
  return {
    auction: decision.auctionId,
    app: { uuid: app.uuid, name: app.name },
    at: new Date(input.at).toISOString(),
    seed: input.seed,
    config_version: input.configVersion,
    deadline_ms: deadlineMs,
    country: input.device.country ?? UNKNOWN_COUNTRY,
    test: decision.test,
    no_ad: decision.noAdReason && reasonOf(decision.noAdReason),
    imps: decision.imps.map((imp) => impOf(imp, nameOf, reasonOf)),
    participants: decision.participants.map(({ participantId, outcome, latencyMs }) => ({
      provider: participantId,
      name: nameOf(participantId),
      outcome: reasonOf(outcome),
      latency_ms: latencyMs,
      privacy: privacyOfParticipant(input, participantId),
      refusals: (refusalsBy.get(participantId) ?? []).map(({ impId, reason }) => ({
        imp: impId ?? null,
        reason: reasonOf(reason),
      })),
      bids: (bidsBy.get(participantId) ?? []).map((verdict) => bidOf(verdict, reasonOf)),
    })),
    player_events: playerEvents.map(({ provider, event, error_code, at_ms }) => ({
      provider,
      event,
      error_code: error_code === 0 ? null : error_code,
      at: new Date(at_ms).toISOString(),
    })),
    replays: replay(stored.bytes).same,
  };
}

/** A participant's redactions. Rules of another version, and those without effect, have no sentence. */
function privacyOfParticipant({ redactions = [], participants }: AuctionInput, participantId: string) {
  const redaction = redactions.find(({ participantIds }) => participantIds.includes(participantId));
  const gvlId = participants.find(({ id }) => id === participantId)?.gvlId;
  return (redaction?.rules ?? []).flatMap((rule) => {
    const told = isRuleCode(rule) ? describeRule(rule, redaction?.removed ?? [], gvlId) : null;
    return told === null ? [] : [{ rule, ...told }];
  });
}

type Told = (code: Reason) => { code: string; text: string };

function impOf(imp: AuctionDecision["imps"][number], nameOf: (id: string) => string, reasonOf: Told) {
  return {
    imp: imp.impId,
    format: imp.format,
    floor: imp.floorMicros,
    no_ad: imp.noAdReason && reasonOf(imp.noAdReason),
    order: imp.order.map(({ position, participantId, priceMicros, mediaType }) => ({
      position,
      provider: participantId,
      name: nameOf(participantId),
      price: priceMicros,
      media_type: mediaType,
    })),
  };
}

function bidOf({ impId, bidId, status, reason, path, priceMicros, minToWinMicros }: BidVerdict, reasonOf: Told) {
  return {
    imp: impId,
    bid: bidId,
    status,
    reason: reason && reasonOf(reason),
    field: path ?? null,
    price: priceMicros,
    min_to_win: minToWinMicros,
  };
}
