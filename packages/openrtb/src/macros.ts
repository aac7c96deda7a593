import { MAX_ID_LENGTH } from "./check.ts";

/** The substitution macros of OpenRTB 2.6, section 4.4. */
export const MACROS = [
  "AUCTION_ID",
  "AUCTION_BID_ID",
  "AUCTION_IMP_ID",
  "AUCTION_SEAT_ID",
  "AUCTION_AD_ID",
  "AUCTION_PRICE",
  "AUCTION_CURRENCY",
  "AUCTION_MBR",
  "AUCTION_LOSS",
  "AUCTION_MIN_TO_WIN",
  "AUCTION_MULTIPLIER",
  "AUCTION_IMP_TS",
] as const;
export type Macro = (typeof MACROS)[number];

export type MacroValues = Partial<Record<Macro, string | number>>;

const KNOWN: ReadonlySet<string> = new Set(MACROS);

// Plain `${NAME}` and `${NAME:B64}`, and the same percent-encoded, as in a redirect's parameter.
const PATTERN = /\$\{(AUCTION_[A-Z_]+)(:B64)?\}|%24%7B(AUCTION_[A-Z_]+)((?::|%3A)B64)?%7D/gi;

/**
 * Expands the standard's macros in markup or a notice address, in one pass, so that a value is never read as a macro.
 * A known macro without a value becomes empty, as the standard requires; unknown macros stay, because others expand them.
 * Values are percent-encoded, so that a made-up id cannot add a parameter to an address or end an attribute; ordinary
 * ids, prices and codes stay unchanged. `:B64` gives the UTF-8 bytes in Base64.
 * A value of more than 512 characters counts as missing. Macros of the name `later` stay, for `expandMacro`.
 */
export function expandMacros(text: string, values: MacroValues, later?: Macro): string {
  if (!text.includes("AUCTION_")) return text;
  return text.replace(PATTERN, (...match: string[]) =>
    nameOf(match) === later ? String(match[0]) : expansionOf(match, values),
  );
}

/** Expands this macro alone. The text's other macros are expanded already, and what stands in their place may look like one. */
export function expandMacro(text: string, name: Macro, value: string | number): string {
  if (!text.includes(name)) return text;
  return text.replace(PATTERN, (...match: string[]) =>
    nameOf(match) === name ? expansionOf(match, { [name]: value }) : String(match[0]),
  );
}

/**
 * Whether a text has at most `maxLength` characters, before and after its macros are expanded. Makes no copy and stops
 * counting early, because a text of nothing but macros grows to a hundred times its length.
 */
export function fitsExpanded(text: string, values: MacroValues, maxLength: number): boolean {
  if (text.length > maxLength) return false;
  if (!text.includes("AUCTION_")) return true;
  let length = 0;
  let readTo = 0;
  const lengths = new Map<string, number>();
  for (const match of text.matchAll(PATTERN)) {
    const [found] = match;
    const known = lengths.get(found) ?? expansionOf(match, values).length;
    lengths.set(found, known);
    length += match.index - readTo + known;
    readTo = match.index + found.length;
    if (length > maxLength) return false;
  }
  return length + text.length - readTo <= maxLength;
}

/** The name in a match of `PATTERN`. */
const nameOf = ([, plain, , coded]: readonly string[]): string | undefined => plain ?? coded;

/** The replacement of one match of `PATTERN`. */
function expansionOf(match: readonly string[], values: MacroValues): string {
  const [found = "", , plain64, , coded64] = match;
  const name = nameOf(match);
  if (name === undefined || !KNOWN.has(name)) return found;
  const raw = String(values[name as Macro] ?? "");
  const value = raw.length > MAX_ID_LENGTH ? "" : raw;
  if (plain64 !== undefined) return base64(value);
  return percentEncode(coded64 === undefined ? value : base64(value));
}

function base64(value: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(value)));
}

/** Encodes a text of any origin for its place in an address: `encodeURIComponent` throws on half a character (a lone surrogate). */
export function percentEncode(value: string): string {
  if (/^[\w.~-]*$/.test(value)) return value;
  // Bytes cannot hold half a character: the sign for an unknown one takes its place.
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(value))).replaceAll("'", "%27");
}
