import type { z } from "zod";

/** The entries of a field with one per line; commas and spaces also separate entries. */
export const entriesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((entry) => entry !== "");

/** An error naming the first invalid entry, or the field if it is wrong as a whole and has a name; null if all are valid. */
export function entriesFault(schema: z.ZodType, text: string, field?: string): string | null {
  const entries = entriesOf(text);
  const issue = schema.safeParse(entries).error?.issues[0];
  if (!issue) return null;
  const at = issue.path[0];
  const wrong = typeof at === "number" ? entries[at] : field;
  return wrong === undefined ? issue.message : `${wrong}: ${issue.message}`;
}
