/** A slice's colour by its name in the tokens; `rest` is what was put together. */
export type SliceColor = `chart${1 | 2 | 3 | 4 | 5 | 6}` | "rest";

const COLORS = ["chart1", "chart2", "chart3", "chart4", "chart5", "chart6"] as const;

/**
 * A colour for each id, the same wherever the id stands: its own by name, or the next free one where another of the list
 * has that already. After six there are no more colours that can be told apart; the others get `rest`.
 */
export function stableColors(ids: readonly string[]): Map<string, SliceColor> {
  const taken = new Set<SliceColor>();
  const colors = new Map<string, SliceColor>();
  for (const id of ids) {
    const own = hash(id) % COLORS.length;
    const order = [...COLORS.slice(own), ...COLORS.slice(0, own)];
    const color = order.find((candidate) => !taken.has(candidate)) ?? "rest";
    taken.add(color);
    colors.set(id, color);
  }
  return colors;
}

function hash(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}
