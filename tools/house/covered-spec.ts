import { houseRule } from "./house-rule.ts";
import type { SourceFile } from "../gates/source-tree.ts";

const TABLES = ["docs/spec-coverage.md", "docs/security-coverage.md"];
/** A test file in backticks, and the text after it, which has test names in quotes. */
const NAMED = /`((?:packages|sdks\/\w+|server|web|demo|e2e|bench|tools)\/[^`]+\.(?:test|spec)\.tsx?)`([^`\n]*)/g;
const QUOTED = /"([^"]+)"/g;

export const coveredSpec = houseRule(
  "covered spec",
  `name existing tests in ${TABLES.join(" and ")}, or write "not built yet"`,
  (files) => {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    return files.filter(({ path }) => TABLES.includes(path)).flatMap((table) => faultsOf(table, texts));
  },
);

function faultsOf({ path, text }: SourceFile, texts: ReadonlyMap<string, string>): string[] {
  const faults = new Set<string>();
  for (const [, test = "", names = ""] of text.matchAll(NAMED)) {
    const source = texts.get(test);
    if (source === undefined) faults.add(`${path} names ${test}, which does not exist`);
    else
      for (const [, name = ""] of names.matchAll(QUOTED)) {
        if (!source.includes(name)) faults.add(`${path}: ${test} has no test "${name}"`);
      }
  }
  for (const line of text.split("\n")) {
    if (/\|\s*\|$/.test(line)) faults.add(`${path}: no test or note for ${line.slice(0, 60)}`);
  }
  return [...faults];
}
