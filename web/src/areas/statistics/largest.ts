interface Valued {
  id: string;
  name: string;
  value: number;
}

/** The `count` largest in descending order; if there are more, the last entry sums up the rest. */
export function largest(rows: readonly Valued[], count: number): (Valued & { rest: boolean })[] {
  const sorted = rows.toSorted((a, b) => b.value - a.value).map((row) => ({ ...row, rest: false }));
  if (sorted.length <= count) return sorted;
  const others = sorted.slice(count - 1);
  const value = others.reduce((sum, row) => sum + row.value, 0);
  return [...sorted.slice(0, count - 1), { id: "", name: `${others.length} others`, value, rest: true }];
}
