import { houseRule, placesOf } from "./house-rule.ts";

// The one-letter classes keep this file from matching itself.
const UNFINISHED = /\b(?:TO[D]O|FIX[M]E|XX[X])\b/;

// The second is what a formatter makes of the first in Markdown.
const CONFLICT = /^(?:[<>]{7} |(?:> ){7}\S)/;

export const noLeftovers = houseRule("no leftovers", "finish it, or track it where work is planned", (files) =>
  files.flatMap((file) => [
    ...placesOf(UNFINISHED, file).map((place) => `${place} mentions unfinished work`),
    ...placesOf(CONFLICT, file).map((place) => `${place} is left of a merge`),
  ]),
);
