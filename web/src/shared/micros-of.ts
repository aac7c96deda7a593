const DOLLARS = /^\$?\s*(\d{1,9})(?:\.(\d{1,6}))?$/;
const MICRO_DIGITS = 6;

/**
 * Micro-dollars of an amount as people type it: `12`, `12.5`, `$1,000.000001`. Null where it is none, or finer than a
 * micro-dollar. Digits are read as digits, so that no fraction is rounded on the way.
 */
export function microsOf(typed: string): number | null {
  const text = typed.trim();
  // A comma only as the thousands' separator: in half of the world `1,5` is one and a half.
  const plain = /^\$?\s*\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(",", "") : text;
  const [, whole, fraction = ""] = DOLLARS.exec(plain) ?? [];
  if (whole === undefined) return null;
  return Number(whole + fraction.padEnd(MICRO_DIGITS, "0"));
}
