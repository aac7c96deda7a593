import { z } from "zod";
import { TEXTS } from "./texts.ts";

/**
 * Scripts in which a joiner (U+200C, U+200D) between two letters changes how they are written: Arabic and its kin, and the
 * scripts of India and its neighbours.
 */
const JOINING = [
  "Arabic",
  "Syriac",
  "Mongolian",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Khmer",
  "Myanmar",
  "Tibetan",
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join("");
/** A joiner that does something: inside of such a script, or of an emoji made of several. */
const JOINER = `(?<=[${JOINING}])[\\u200C\\u200D]|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})`;

/**
 * Characters that show nothing, or turn the writing around, so that a name reads as another (Unicode TR 36, section 2): controls,
 * format characters (bidirectional controls among them), private and unpaired ones, line and paragraph separators, and all
 * that are ignored by default. Variation selectors stay, for emoji.
 */
const UNSEEN = `[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\u2800]|(?![\\uFE0E\\uFE0F])\\p{Default_Ignorable_Code_Point}`;

const FAULT = new RegExp(`(?!${JOINER})(?:${UNSEEN})`, "u");
const FAULTS = new RegExp(`(?:(?!${JOINER})(?:${UNSEEN}))+`, "gu");

/** A name that a person enters for a thing of theirs, in one line that reads as what it is. */
export const nameField = (mostCharacters: number) =>
  z
    .string()
    .trim()
    .max(mostCharacters)
    .refine((name) => !FAULT.test(name), TEXTS.nameUnseen);

/** A name from somewhere else with what `nameField` refuses taken out: plain text in one line, empty where nothing is left. */
export function cleanName(name: string, mostCharacters: number): string {
  const plain = name.replaceAll(FAULTS, " ").replaceAll(/\s+/g, " ").trim();
  // The cut may leave half a character, a joiner without its second letter, or the space before it.
  return plain.slice(0, mostCharacters).replace(/[\p{Cs}\u200C\u200D\s]+$/u, "");
}
