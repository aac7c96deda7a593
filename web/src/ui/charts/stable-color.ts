/** The name of a colour token of a bar; `rest` is for the combined rest. */
export type BarColor = `chart${1 | 2 | 3 | 4 | 5 | 6}` | "rest";

const COLORS = ["chart1", "chart2", "chart3", "chart4", "chart5", "chart6"] as const;

/**
 * The colour of an id, derived from the id alone, so that a thing has one colour on every page. Only six colours can be
 * told apart, so two things may share one: their names stand beside it.
 */
export function stableColor(id: string): BarColor {
  let sum = 7;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return COLORS[sum % COLORS.length] ?? "rest";
}
