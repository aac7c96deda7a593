/** A thing with its figure, and that of the previous period if it is known. */
export interface Valued {
  id: string;
  name: string;
  value: number;
  before: number | null;
}

/** The `count` largest in descending order; if there are more, the last entry sums up the rest. */
export function largest(things: readonly Valued[], count: number): (Valued & { rest: boolean })[] {
  const sorted = things
    .toSorted((a, b) => b.value - a.value)
    .map(({ id, name, value, before }) => ({ id, name, value, before, rest: false }));
  if (sorted.length <= count) return sorted;
  const others = sorted.slice(count - 1);
  const value = others.reduce((sum, thing) => sum + thing.value, 0);
  const known = others.flatMap(({ before }) => (before === null ? [] : [before]));
  const before = known.length < others.length ? null : known.reduce((sum, part) => sum + part, 0);
  return [...sorted.slice(0, count - 1), { id: "", name: `${others.length} others`, value, before, rest: true }];
}
