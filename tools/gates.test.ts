import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ALL_GATES } from "./gates/all-gates.ts";
import { boundaries, findCycles } from "./gates/boundaries.ts";
import { settingNames } from "./house/documented-settings.ts";
import { fileNames } from "./house/file-names.ts";
import { glossary } from "./house/glossary.ts";
import { SETTING_NAMES } from "../server/src/platform/settings.ts";
import boundaryRules from "../.dependency-cruiser.mjs";

/** The findings that each gate must report for its tree in planted/. */
const PLANTED: Record<string, (string | RegExp)[]> = {
  types: ["Type 'string' is not assignable to type 'number'"],
  format: ["count.ts is not formatted"],
  lint: ["no-floating-promises", "no-explicit-any", "no-console", "switch-exhaustiveness-check", /long\.ts.*max-lines/],
  "dead code": ["orphan.ts", /three/, "never-imported"],
  "import boundaries": [
    /^no-cycle: .*store\.ts -> .*app\.ts/,
    /^no-cycle: .*answer\.ts -> .*asked\.ts/,
    /^no-area-cycle: .*apps -> accounts/,
    /^no-exchange-cycle: .*auction -> markup/,
  ],
  "served calls": [
    "the call deleteApp is served by no route",
    "the call listApps is served by server/src/areas/apps/routes.ts and server/src/areas/apps/routes.ts",
    "serves somethingElse, which the contract does not declare",
    "the undeclared route app.get(",
  ],
  "documented settings": ["README.md does not document HOST", "README.md documents GHOST, which is never read"],
  "covered spec": [
    "names server/src/ghost.test.ts, which does not exist",
    'server/src/shop.test.ts has no test "a shop is closed at night"',
    "no test or note for | a gap",
  ],
  "file length": ["0001_long.sql has 301 lines", "long.spec.ts has 301 lines", "Long.kt has 301 lines"],
  "file names": [
    "web/src/CountCard.tsx: not kebab-case",
    "server/src/stringUtils.ts: not kebab-case",
    "server/src/helpers/pad.ts: the name does not say what is inside",
    "server/src/close.ts: its only export is openFile, so name it open-file",
  ],
  "lookup tables": ["prices.ts:1 looks up a string in an object"],
  glossary: [
    "card.tsx:1 says gizmo: skeleton bar",
    "card.tsx:1 says paidLunch: bought lunch",
    "card.tsx:2 says gizmo",
    "card.tsx:3 says paidLunch",
    "card.tsx:6 says doors: auth forms",
    "card.tsx:7 says door: auth form",
    "card.tsx:8 says network: provider",
    "card.tsx:9 says networks: providers",
  ],
  "no leftovers": [
    "count.ts:1 mentions unfinished work",
    "notes.md:3 is left of a merge",
    "notes.md:6 is left of a merge",
  ],
  "no machine paths": ["count.ts:1 has a path of one machine", "package-lock.json:2 has the address of a registry"],
  "promised node": [
    "node_modules/new 3.0.0 requires Node.js >=22",
    "node_modules/parted 1.0.0 requires Node.js ^18 || >=21",
    "node_modules/listed 0.1.0 requires Node.js  >= 24",
  ],
  suppressions: ["count.ts:1 disables a rule", "count.ts:5 disables a rule"],
};

const planted = (name: string) => fileURLToPath(new URL(`./planted/${name.replaceAll(" ", "-")}`, import.meta.url));

test("every gate has a planted violation", () => {
  expect(Object.keys(PLANTED).toSorted()).toEqual(ALL_GATES.map(({ name }) => name).toSorted());
});

test.each(ALL_GATES)("the gate $name reports its planted violation", async (gate) => {
  const { findings } = await gate.run(planted(gate.name));
  for (const expected of PLANTED[gate.name] ?? []) {
    expect(
      findings.some((line) => (typeof expected === "string" ? line.includes(expected) : expected.test(line))),
    ).toBe(true);
  }
});

test("every import boundary rule reports its planted violation", async () => {
  const { findings } = await boundaries.run(planted("import-boundaries"));
  const broken = new Set(findings.map((line) => line.split(":")[0]));
  const rules = boundaryRules.forbidden.map(({ name }) => name);
  expect(rules.filter((name) => !broken.has(name))).toEqual([]);
  expect(broken).toContain("sdk-takes-types-of-the-contract");
});

test("the settings gate finds the same names that the platform reads", async () => {
  const code = await readFile(new URL("../server/src/platform/settings.ts", import.meta.url), "utf8");
  expect(settingNames(code)).toEqual(SETTING_NAMES);
});

test("a well-named file is not reported", async () => {
  const { findings } = await fileNames.run(planted("file names"));
  expect(findings.some((line) => line.includes("error-handler"))).toBe(false);
});

test("the glossary gate accepts a word in the phrases and folders that its row excepts", async () => {
  const { findings } = await glossary.run(planted("glossary"));
  expect(findings.filter((line) => /card\.tsx:1[0-9]|sdk\//.test(line))).toEqual([]);
});

test("a cycle is reported as the names along it", () => {
  const graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c", "d"])],
    ["c", new Set(["b"])],
    ["d", new Set(["d"])],
  ]);
  expect(findCycles(graph)).toEqual([
    ["b", "c", "b"],
    ["d", "d"],
  ]);
  expect(findCycles(new Map([["a", new Set(["b"])]]))).toEqual([]);
});
