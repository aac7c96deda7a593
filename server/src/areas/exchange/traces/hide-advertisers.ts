import type { CampaignParticipant, Participant, Trace } from "@millrace/auction";
import { CAMPAIGN_PROVIDER } from "@millrace/contract";

/**
 * A trace as publishers may read it: campaigns that bid have the name of their provider, and no targeting, creatives or ids.
 * Those that a gate kept from bidding are left out, since that tells of their budgets. The advertiser's domain stays,
 * because publishers block by it.
 */
export function hideAdvertisers(trace: Trace): Trace {
  const { input, responses, decision } = trace;
  const campaigns = input.participants.filter((participant) => participant.kind === "campaign");
  if (campaigns.length === 0) return trace;
  const ids = new Set(campaigns.map(({ id }) => id));
  const bidding = decision.eligible.flatMap(({ participantId }) => (ids.has(participantId) ? [participantId] : []));
  const names = new Map(bidding.map((id, nth) => [id, nameOf(nth)]));
  const visible = <T extends { participantId: string }>(
    list: readonly T[],
    change: (item: T) => T = (item) => item,
  ): T[] =>
    list.flatMap((item) => {
      if (!ids.has(item.participantId)) return item;
      const participantId = names.get(item.participantId);
      return participantId === undefined ? [] : { ...change(item), participantId };
    });
  return {
    ...trace,
    input: { ...input, participants: input.participants.flatMap((participant) => nameless(participant, names)) },
    responses: visible(responses, (response) => ({
      ...response,
      bids: response.bids.map(({ crid: _crid, markupHash: _hash, ...bid }, nth) => ({ ...bid, bidId: String(nth) })),
    })),
    decision: {
      ...decision,
      eligible: visible(decision.eligible),
      refused: decision.refused.filter(({ participantId }) => !ids.has(participantId)),
      participants: visible(decision.participants),
      bids: visible(decision.bids, (verdict) => ({ ...verdict, bidId: String(verdict.index) })),
      imps: decision.imps.map((imp) => ({
        ...imp,
        order: visible(imp.order, ({ crid: _crid, ...ad }) => ({ ...ad, bidId: String(ad.index), candidateId: "" })),
      })),
    },
  };
}

/** `campaigns`, `campaigns-2` … */
const nameOf = (nth: number): string => CAMPAIGN_PROVIDER.id + (nth === 0 ? "" : `-${nth + 1}`);

function nameless(participant: Participant, names: ReadonlyMap<string, string>): Participant[] {
  if (participant.kind !== "campaign") return [participant];
  const id = names.get(participant.id);
  return id === undefined ? [] : [{ ...ANY_CAMPAIGN, id }];
}

const ANY_CAMPAIGN: CampaignParticipant = {
  kind: "campaign",
  id: "",
  name: CAMPAIGN_PROVIDER.name,
  targeting: {
    startsAt: 0,
    endsAt: null,
    days: [],
    fromMinute: 0,
    toMinute: 0,
    geo: "in",
    countries: [],
    platforms: [],
    ios: null,
    android: null,
    wifiOnly: false,
    format: "banner",
    sizes: [],
  },
  impIds: [],
};
