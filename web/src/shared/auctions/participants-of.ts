import type { PartnerResult } from "@millrace/contract";
import type { Explained, Participant } from "./use-auction.ts";

/** A participant's part in one imp. */
export interface ImpParticipant extends Pick<Participant, "provider" | "name" | "latency_ms" | "privacy"> {
  result: PartnerResult;
  label: string;
  text: string;
  /** The reason behind the result. */
  code: string;
  /** CPM of its best bid; null without one. */
  price: number | null;
}

const isBid = ({ price, result }: ImpParticipant) => price !== null && result !== "refused";

/** The partners asked for an imp: the winner, bids by price, refused bids, then partners without a bid by their answer's time. */
export function askedFor(auction: Explained, imp: string): ImpParticipant[] {
  return participantsForImp(auction, imp)
    .filter(({ result }) => result !== "not_asked")
    .toSorted(
      (a, b) =>
        Number(b.result === "won") - Number(a.result === "won") ||
        rank(a) - rank(b) ||
        (b.price ?? 0) - (a.price ?? 0) ||
        (a.latency_ms ?? 0) - (b.latency_ms ?? 0),
    );
}

const AFTER_BIDS: readonly PartnerResult[] = ["refused", "no_bid", "asked", "failed", "timeout"];
const rank = (participant: ImpParticipant) => (isBid(participant) ? -1 : AFTER_BIDS.indexOf(participant.result));

/** Why partners were not asked for an imp: each reason with its partners, the most frequent first. */
export function notAskedFor(auction: Explained, imp: string): { reason: string; code: string; names: string[] }[] {
  const byReason = new Map<string, { code: string; names: string[] }>();
  for (const { result, text, code, name } of participantsForImp(auction, imp)) {
    if (result === "not_asked") byReason.set(text, { code, names: [...(byReason.get(text)?.names ?? []), name] });
  }
  return [...byReason]
    .map(([reason, of]) => ({ reason, ...of }))
    .toSorted((a, b) => b.names.length - a.names.length || a.reason.localeCompare(b.reason, "en"));
}

function participantsForImp({ participants }: Explained, imp: string): ImpParticipant[] {
  return participants.flatMap((participant) => {
    const { provider, name, latency_ms, privacy, results } = participant;
    const found = results.find((result) => result.imp === imp);
    return found ? [{ ...found, code: codeOf(participant, imp), provider, name, latency_ms, privacy }] : [];
  });
}

/** Why it was not asked, or why its bid did not win, or else how it came out. */
function codeOf({ refusals, bids, outcome }: Participant, imp: string): string {
  const refusal = refusals.find((each) => each.imp === null || each.imp === imp);
  const bid = bids.find((each) => each.imp === imp && each.status !== "won");
  return (refusal ?? bid)?.reason?.code ?? outcome.code;
}
