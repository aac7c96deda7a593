import type { Outcome, Trace } from "@millrace/auction";
import { PLATFORMS, type ShownAuction, type ShownResult, UNKNOWN_COUNTRY } from "@millrace/contract";

const RESULTS: Record<Outcome, ShownResult | null> = {
  won: "won",
  lost: "outbid",
  invalid: "refused",
  no_bid: "no_bid",
  timeout: "timeout",
  not_answered: "timeout",
  connection_failed: "failed",
  http_error: "failed",
  malformed_response: "failed",
  response_too_large: "failed",
  request_failed: "failed",
  // Not asked.
  refused: null,
};

/** Fewer bidders make no picture. */
const MIN_BIDDERS = 4;

/**
 * An auction as strangers may see it: when each of those that were asked answered, what became of it, and its bid as a share of the
 * highest one. No name, id, price, zone or other fact of a device leaves. Null for a test, for several imps, and where
 * too few took part.
 */
export function shownAuction({ input, decision }: Trace): ShownAuction | null {
  const [imp, ...others] = decision.imps;
  if (imp === undefined || others.length > 0 || decision.test) return null;
  const isUnderFloor = new Set(
    decision.bids.flatMap(({ participantId, reason }) => (reason === "below_floor" ? [participantId] : [])),
  );
  const bids = new Map<string, number>();
  for (const { participantId, priceMicros } of decision.bids) {
    bids.set(participantId, Math.max(priceMicros ?? 0, bids.get(participantId) ?? 0));
  }
  const isValid = ({ outcome }: { outcome: Outcome }) => outcome === "won" || outcome === "lost";
  const valid = decision.participants.filter(isValid).map(({ participantId }) => bids.get(participantId) ?? 0);
  const highest = Math.max(0, ...valid) || Math.max(0, ...bids.values());
  const bidders = decision.participants.flatMap((participant) => {
    const { participantId, outcome, latencyMs } = participant;
    const result = outcome === "invalid" && isUnderFloor.has(participantId) ? "under_floor" : RESULTS[outcome];
    // Campaigns and line items take part without a call; those that had no bid were not asked.
    if (result === null || (latencyMs === null && !isValid(participant))) return [];
    const bid = bids.get(participantId);
    const share = bid === undefined || highest === 0 ? null : Math.min(1, Math.round((100 * bid) / highest) / 100);
    return [{ result, after_ms: Math.round(10 * (latencyMs ?? 0)) / 10, share }];
  });
  if (bidders.length < MIN_BIDDERS) return null;
  return {
    at: new Date(input.at).toISOString(),
    format: imp.format,
    platform: PLATFORMS.find((platform) => platform === input.device.platform) ?? "others",
    country: input.device.country ?? UNKNOWN_COUNTRY,
    bidders: bidders.toSorted((a, b) => a.after_ms - b.after_ms),
  };
}
