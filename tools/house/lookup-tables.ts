import { houseRule, placesOf } from "./house-rule.ts";

// A closed set of keys (`satisfies Record<Side, …>`) is checked by the compiler; any string is not.
const OPEN_TABLE = /^(?:export )?const \w+: (?:Readonly<)?Record<string, .*= \{$/;

export const lookupTables = houseRule(
  "lookup tables",
  "use a Map: an object also answers for `constructor` and other names that it inherits",
  (files) =>
    files
      .filter(({ path }) => /\.tsx?$/.test(path) && !/\.(?:test|spec|data)\.tsx?$/.test(path))
      .flatMap((file) => placesOf(OPEN_TABLE, file).map((place) => `${place} looks a string up in an object`)),
);
