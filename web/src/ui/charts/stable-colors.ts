/** The name of a slice's colour token; `rest` is for the combined rest. */
export type SliceColor = `chart${1 | 2 | 3 | 4 | 5 | 6}` | "rest";

const COLORS = ["chart1", "chart2", "chart3", "chart4", "chart5", "chart6"] as const;

/**
 * A stable colour for each id, derived from the id itself, or the next free one if another id of the list already has
 * it. Only six colours can be told apart; further ids get `rest`.
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
