import type { Candidate } from "./candidate.ts";
import { seededHash } from "./seeded-hash.ts";

/**
 * Ranks each imp's candidates by tier, then price from high to low, then a hash of the seed, so that ties are broken
 * randomly but reproducibly. Each participant draws one number before its candidates do, so repeating a price or
 * choosing a bid's position gains nothing. The order of `candidates` has no influence, and each pair is in the same order
 * whoever else competes. Imps without a candidate are not in the map.
 */
export function rank<C extends Candidate>(candidates: readonly C[], seed: string): Map<string, C[]> {
  const byImp = new Map<string, C[]>();
  for (const candidate of candidates) {
    const rivals = byImp.get(candidate.impId);
    if (rivals === undefined) byImp.set(candidate.impId, [candidate]);
    else rivals.push(candidate);
  }
  for (const [impId, rivals] of byImp) {
    const ties = new TieBreakers(impId, seed);
    rivals.sort((a, b) => (a.tier ?? 0) - (b.tier ?? 0) || b.priceMicros - a.priceMicros || ties.compare(a, b));
  }
  return byImp;
}

/** The tie-breakers of an imp: each is drawn at the first tie that needs it, and once. */
class TieBreakers {
  readonly #impId: string;
  readonly #seed: string;
  readonly #drawn = new Map<string, number>();

  constructor(impId: string, seed: string) {
    this.#impId = impId;
    this.#seed = seed;
  }

  compare(a: Candidate, b: Candidate): number {
    return a.participantId === b.participantId
      ? this.#compareIds(a.candidateId, b.candidateId)
      : this.#compareIds(a.participantId, b.participantId);
  }

  #compareIds(a: string, b: string): number {
    return this.#draw(a) - this.#draw(b) || compareText(a, b);
  }

  #draw(id: string): number {
    let number = this.#drawn.get(id);
    if (number === undefined) this.#drawn.set(id, (number = seededHash(this.#seed, `${this.#impId}\n${id}`)));
    return number;
  }
}

/** By UTF-16 units: the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
