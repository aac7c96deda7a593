/** What was seen of a quantity. Old sightings weigh less, so none of the sums is a whole number. */
export interface Evidence {
  count: number;
  sum: number;
  /** The sum of the squares. */
  squares: number;
}

export const NO_EVIDENCE: Evidence = { count: 0, sum: 0, squares: 0 };

/** The evidence of one sighting. */
export const sighting = (value: number): Evidence => ({ count: 1, sum: value, squares: value * value });

export const added = (one: Evidence, other: Evidence): Evidence => ({
  count: one.count + other.count,
  sum: one.sum + other.sum,
  squares: one.squares + other.squares,
});

const without = (one: Evidence, other: Evidence): Evidence => ({
  count: Math.max(0, one.count - other.count),
  sum: one.sum - other.sum,
  squares: one.squares - other.squares,
});

/** After a half-life, evidence weighs half. */
export function aged({ count, sum, squares }: Evidence, ageMs: number, halfLifeMs: number): Evidence {
  const left = 2 ** (-ageMs / halfLifeMs);
  return { count: count * left, sum: sum * left, squares: squares * left };
}

/** The mean; 0 without evidence. */
export const meanOf = ({ count, sum }: Evidence): number => (count === 0 ? 0 : sum / count);

/** The sum of the squared distances from the mean. */
export const scatterOf = (evidence: Evidence): number =>
  Math.max(0, evidence.squares - evidence.sum * meanOf(evidence));

/** The evidence by group, each cell's in all groups that it belongs to. */
export function byGroup<T>(
  rows: Iterable<T>,
  groupsOf: (row: T) => readonly string[],
  evidenceOf: (row: T) => Evidence,
): Map<string, Evidence> {
  const groups = new Map<string, Evidence>();
  for (const row of rows) {
    for (const group of groupsOf(row)) {
      groups.set(group, added(groups.get(group) ?? NO_EVIDENCE, evidenceOf(row)));
    }
  }
  return groups;
}

/**
 * The evidence of each group on the way to a cell, without that of the next narrower group, from the widest on: a narrow group
 * starts from what the others show, so that each sighting counts once.
 */
export function alongPath(evidence: ReadonlyMap<string, Evidence>, groups: readonly string[]): Evidence[] {
  const evidenceOf = (group: string | undefined) =>
    (group === undefined ? undefined : evidence.get(group)) ?? NO_EVIDENCE;
  return groups.map((group, depth) => without(evidenceOf(group), evidenceOf(groups[depth + 1])));
}
