import { houseRule, placesOf } from "./house-rule.ts";

// Written with classes of one letter, so that this file does not find itself.
const UNFINISHED = /\b(?:TO[D]O|FIX[M]E|XX[X])\b/;

export const noLeftovers = houseRule("no leftovers", "finish it, or write it where work is planned", (files) =>
  files.flatMap((file) => placesOf(UNFINISHED, file).map((place) => `${place} speaks of unfinished work`)),
);
