import { houseRule } from "./house-rule.ts";
import type { SourceFile } from "../gates/source-tree.ts";

const TABLES = ["docs/spec-coverage.md", "docs/security-coverage.md"];
/** A test file in backticks, and what is said of it: the names of tests, in quotes, among other words. */
const NAMED = /`((?:packages|server|web|demo|e2e|bench|tools)\/[^`]+\.(?:test|spec)\.tsx?)`([^`\n]*)/g;
const QUOTED = /"([^"]+)"/g;

export const coveredSpec = houseRule(
  "covered spec",
  `name the tests that exist in ${TABLES.join(" and ")}, and write "not built yet" where there is none`,
  (files) => {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    return files.filter(({ path }) => TABLES.includes(path)).flatMap((table) => faultsOf(table, texts));
  },
);

function faultsOf({ path, text }: SourceFile, texts: ReadonlyMap<string, string>): string[] {
  const faults = new Set<string>();
  for (const [, test = "", said = ""] of text.matchAll(NAMED)) {
    const source = texts.get(test);
    if (source === undefined) faults.add(`${path} names ${test}, which does not exist`);
    else
      for (const [, name = ""] of said.matchAll(QUOTED)) {
        if (!source.includes(name)) faults.add(`${path}: ${test} has no test "${name}"`);
      }
  }
  for (const line of text.split("\n")) {
    if (/\|\s*\|$/.test(line)) faults.add(`${path}: nothing shows ${line.slice(0, 60)}`);
  }
  return [...faults];
}
