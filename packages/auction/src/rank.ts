import type { Candidate, Placed } from "./candidate.ts";
import { seededHash } from "./seeded-hash.ts";

/**
 * Puts the candidates of each imp in order: tier, then price from high to low, then a hash of the seed, so that a tie is
 * broken by chance, and alike whenever it is replayed. Participants draw one lot each, before their candidates do: who
 * bids the same price many times, or picks the place of its bid, gains nothing. First price: each would pay its own.
 * The order of `candidates` has no influence. Imps without a candidate are not in the map.
 */
export function rank<C extends Candidate>(candidates: readonly C[], seed: string): Map<string, Placed<C>[]> {
  const byImp = new Map<string, C[]>();
  for (const candidate of candidates) {
    const rivals = byImp.get(candidate.impId);
    if (rivals === undefined) byImp.set(candidate.impId, [candidate]);
    else rivals.push(candidate);
  }
  const ranked = new Map<string, Placed<C>[]>();
  for (const [impId, rivals] of byImp) {
    rivals.sort((a, b) => (a.tier ?? 0) - (b.tier ?? 0) || b.priceMicros - a.priceMicros || breakTie(a, b, seed));
    const order: Placed<C>[] = [];
    for (const candidate of rivals) {
      order.push({ position: order.length + 1, clearingPriceMicros: candidate.priceMicros, candidate });
    }
    ranked.set(impId, order);
  }
  return ranked;
}

function breakTie(a: Candidate, b: Candidate, seed: string): number {
  return (
    lot(a.participantId, a, seed) - lot(b.participantId, b, seed) ||
    compareText(a.participantId, b.participantId) ||
    lot(a.candidateId, a, seed) - lot(b.candidateId, b, seed) ||
    compareText(a.candidateId, b.candidateId)
  );
}

const lot = (of: string, { impId }: Candidate, seed: string): number => seededHash(seed, `${impId}\n${of}`);

/** By UTF-16 units: the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
