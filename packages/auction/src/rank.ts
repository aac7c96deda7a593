import type { Candidate, Placed } from "./candidate.ts";
import { seededHash } from "./seeded-hash.ts";

/**
 * Puts the candidates of each imp in order: tier, then price from high to low, then a hash of seed and candidate, so that a tie is
 * broken by chance nobody steers, and alike whenever it is replayed. First price: each would pay its own.
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
    ticket(a, seed) - ticket(b, seed) ||
    compareText(a.participantId, b.participantId) ||
    compareText(a.candidateId, b.candidateId)
  );
}

function ticket({ impId, participantId, candidateId }: Candidate, seed: string): number {
  return seededHash(seed, `${impId}\n${participantId}\n${candidateId}`);
}

/** By UTF-16 units: the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
