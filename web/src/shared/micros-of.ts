const DOLLARS = /^\$?\s*(\d{1,9})(?:\.(\d{1,6}))?$/;
const MICRO_DIGITS = 6;

/**
 * Parses a typed amount to micro-dollars: `12`, `12.5`, `$1,000.000001`. Null if it is not an amount, or finer than a
 * micro-dollar. Works on digits, so that no fraction is rounded.
 */
export function microsOf(typed: string): number | null {
  const text = typed.trim();
  // A comma only as thousands separator, since `1,5` means one and a half in many countries, as `0,500` means a half.
  const plain = /^\$?\s*[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(",", "") : text;
  const [, whole, fraction = ""] = DOLLARS.exec(plain) ?? [];
  if (whole === undefined) return null;
  return Number(whole + fraction.padEnd(MICRO_DIGITS, "0"));
}
