import type { z } from "zod";

/** What stands in a field with one entry a line; commas and spaces part entries too. */
export const entriesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((entry) => entry !== "");

/** The sentence on the first entry that does not fit, with the entry itself; null where all do. */
export function entriesFault(schema: z.ZodType, text: string): string | null {
  const entries = entriesOf(text);
  const issue = schema.safeParse(entries).error?.issues[0];
  if (!issue) return null;
  const at = issue.path[0];
  const entry = typeof at === "number" ? entries[at] : undefined;
  return entry === undefined ? issue.message : `${entry}: ${issue.message}`;
}
