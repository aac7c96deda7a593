import type { Candidate, Placed } from "./candidate.ts";
import { seededHash } from "./seeded-hash.ts";

/**
 * Ranks each imp's candidates by tier, then price from high to low, then a hash of the seed, so that ties are broken
 * randomly but reproducibly. Each participant draws one number before its candidates do, so repeating a price or
 * choosing a bid's position gains nothing. First price: each would pay its own. The order of `candidates` has no
 * influence. Imps without a candidate are not in the map.
 */
export function rank<C extends Candidate>(candidates: readonly C[], seed: string): Map<string, Placed<C>[]> {
  const byImp = new Map<string, C[]>();
  for (const candidate of candidates) {
    const rivals = byImp.get(candidate.impId);
    if (rivals === undefined) byImp.set(candidate.impId, [candidate]);
    else rivals.push(candidate);
  }
  const ranked = new Map<string, Placed<C>[]>();
  for (const [impId, rivals] of byImp) ranked.set(impId, placed(rivals, seed));
  return ranked;
}

/** A candidate with the tie-breakers it has drawn; drawn at its first tie, and once. */
interface Entry<C> {
  candidate: C;
  participantTieBreaker?: number;
  candidateTieBreaker?: number;
}

function placed<C extends Candidate>(rivals: readonly C[], seed: string): Placed<C>[] {
  const entries = rivals.map((candidate): Entry<C> => ({ candidate }));
  entries.sort((a, b) => {
    const [left, right] = [a.candidate, b.candidate];
    return (left.tier ?? 0) - (right.tier ?? 0) || right.priceMicros - left.priceMicros || breakTie(a, b, seed);
  });
  return entries.map(({ candidate }, index) => ({
    position: index + 1,
    clearingPriceMicros: candidate.priceMicros,
    candidate,
  }));
}

function breakTie(a: Entry<Candidate>, b: Entry<Candidate>, seed: string): number {
  const [left, right] = [a.candidate, b.candidate];
  if (left.participantId !== right.participantId) {
    a.participantTieBreaker ??= tieBreaker(left, left.participantId, seed);
    b.participantTieBreaker ??= tieBreaker(right, right.participantId, seed);
    return a.participantTieBreaker - b.participantTieBreaker || compareText(left.participantId, right.participantId);
  }
  a.candidateTieBreaker ??= tieBreaker(left, left.candidateId, seed);
  b.candidateTieBreaker ??= tieBreaker(right, right.candidateId, seed);
  return a.candidateTieBreaker - b.candidateTieBreaker || compareText(left.candidateId, right.candidateId);
}

const tieBreaker = ({ impId }: Candidate, of: string, seed: string): number => seededHash(seed, `${impId}\n${of}`);

/** By UTF-16 units: the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
