import type { Reply, explainAuction } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";

/** An auction with its explanation. */
export type Explained = Reply<typeof explainAuction>;
type Participant = Explained["participants"][number];

/** The winner first, then bidders by price, then participants that answered without a bid, then the others. */
export function byDecision({ participants, imps }: Pick<Explained, "participants" | "imps">): Participant[] {
  const position = new Map(imps.flatMap((imp) => imp.order.map((ad) => [ad.provider, ad.position] as const)));
  const positionOf = ({ provider }: Participant) => position.get(provider) ?? Number.MAX_SAFE_INTEGER;
  const priceOf = (participant: Participant) => bestBid(participant)?.price ?? -1;
  const latencyOf = ({ latency_ms: latencyMs }: Participant) => latencyMs ?? Number.MAX_SAFE_INTEGER;
  return participants.toSorted(
    (a, b) => positionOf(a) - positionOf(b) || priceOf(b) - priceOf(a) || latencyOf(a) - latencyOf(b),
  );
}

/** The participant's highest bid. */
export function bestBid({ bids }: Participant): Participant["bids"][number] | undefined {
  return bids.toSorted((a, b) => (b.price ?? -1) - (a.price ?? -1))[0];
}

/** Summarizes the auction for one provider in a sentence or two. */
export function gistOf(auction: Explained, provider: string): string {
  const asked = auction.participants.filter(({ latency_ms: latencyMs }) => latencyMs !== null).length;
  const bidders = auction.participants.filter(({ bids }) => bids.length > 0).length;
  const crowd = `${asked} ${asked === 1 ? "partner was" : "partners were"} asked, ${bidders} bid.`;
  if (auction.no_ad) return `${crowd} ${auction.no_ad.text}.`;
  const ads = auction.imps.flatMap(({ order }) => order);
  const ad = ads.find((candidate) => candidate.provider === provider);
  if (!ad) return crowd;
  const price = `${formatMoneyExact(ad.price)} CPM`;
  if (ad.position > 1)
    return `${crowd} ${ad.name} was ${ordinal(ad.position)} with ${price}; the ads before it did not show.`;
  const next = ads.find((candidate) => candidate.position === 2);
  const against = next
    ? `, ahead of ${next.name} with ${formatMoneyExact(next.price)}`
    : ", with no other valid bid above the floor";
  return `${crowd} ${ad.name} won with ${price}${against}.`;
}

function ordinal(position: number): string {
  return ["first", "second", "third"][position - 1] ?? `${position}th`;
}
