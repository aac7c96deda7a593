import { houseRule, placesOf } from "./house-rule.ts";

// The compiler checks a closed set of keys (`satisfies Record<Side, …>`), but not arbitrary strings.
const OPEN_TABLE = /^(?:export )?const \w+: (?:Readonly<)?Record<string, .*= \{$/;

export const lookupTables = houseRule(
  "lookup tables",
  "use a Map: an object also has inherited keys such as `constructor`",
  (files) =>
    files
      .filter(({ path }) => /\.tsx?$/.test(path) && !/\.(?:test|spec|data)\.tsx?$/.test(path))
      .flatMap((file) => placesOf(OPEN_TABLE, file).map((place) => `${place} looks up a string in an object`)),
);
