/** How many shades a country can have; 0 is none. */
export const SHADES = 6;

/**
 * The shade of a value, where `most` is the largest value: 0 for none, then 1 to 6. Uses the square root, so that one
 * large market does not make all others equally pale.
 */
export function shadeOf(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0;
  return Math.max(1, Math.min(SHADES, Math.ceil(SHADES * Math.sqrt(value / most))));
}
