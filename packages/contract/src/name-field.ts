import { z } from "zod";
import { TEXTS } from "./texts.ts";

/**
 * Scripts in which a joiner (U+200C, U+200D) between two letters changes their shape: Arabic and related scripts, and
 * those of India and its neighbours.
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
/** A joiner with an effect: inside such a script or a composed emoji. */
const JOINER = `(?<=[${JOINING}])[\\u200C\\u200D]|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})`;

/**
 * Invisible characters and those that change the direction, by which a name can imitate another (Unicode TR 36, section
 * 2): controls, format characters (including bidirectional controls), private and unpaired ones, line and paragraph
 * separators, and default ignorables. Variation selectors stay, for emoji.
 */
const UNSEEN = `[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\u2800]|(?![\\uFE0E\\uFE0F])\\p{Default_Ignorable_Code_Point}`;

const FAULT = new RegExp(`(?!${JOINER})(?:${UNSEEN})`, "u");
const FAULTS = new RegExp(`(?:(?!${JOINER})(?:${UNSEEN}))+`, "gu");

/** A name that a user enters, in one line without deceptive characters. */
export const nameField = (mostCharacters: number) =>
  z
    .string()
    .trim()
    .max(mostCharacters)
    .refine((name) => !FAULT.test(name), TEXTS.nameUnseen);

/**
 * Cleans a name from another system of the characters that `nameField` refuses. Returns one line of plain text, empty if
 * nothing is left.
 */
export function cleanName(name: string, mostCharacters: number): string {
  const plain = name.replaceAll(FAULTS, " ").replaceAll(/\s+/g, " ").trim();
  // The cut may leave half a character, a joiner without its second letter, or the space before it.
  return plain.slice(0, mostCharacters).replace(/[\p{Cs}\u200C\u200D\s]+$/u, "");
}
