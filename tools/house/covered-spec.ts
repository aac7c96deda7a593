import { houseRule } from "./house-rule.ts";

const TABLE = "docs/spec-coverage.md";
const NAMED = /`((?:packages|server|web|demo|e2e|bench|tools)\/[^`]+\.(?:test|spec)\.tsx?)`/g;

export const coveredSpec = houseRule(
  "covered spec",
  `name the tests that exist in ${TABLE}, and write "not built yet" where there is none`,
  (files) => {
    const paths = new Set(files.map(({ path }) => path));
    const table = files.find(({ path }) => path === TABLE)?.text ?? "";
    const missing = [...table.matchAll(NAMED)].map(([, path]) => path ?? "").filter((path) => !paths.has(path));
    const empty = table.split("\n").filter((line) => /\|\s*\|$/.test(line));
    return [
      ...new Set(missing.map((path) => `${TABLE} names ${path}, which does not exist`)),
      ...empty.map((line) => `${TABLE}: nothing shows ${line.slice(0, 60)}`),
    ];
  },
);
