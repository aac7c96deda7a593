import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ALL_GATES } from "./gates/all-gates.ts";
import { boundaries, findCircles } from "./gates/boundaries.ts";
import { settingNames } from "./house/documented-settings.ts";
import { SETTING_NAMES } from "../server/src/platform/settings.ts";
import boundaryRules from "../.dependency-cruiser.mjs";

/** What each gate must say of the tree in planted/ that breaks its rules. */
const PLANTED: Record<string, (string | RegExp)[]> = {
  types: ["Type 'string' is not assignable to type 'number'"],
  format: ["count.ts is not formatted"],
  lint: ["no-floating-promises", "no-explicit-any", "no-console", "switch-exhaustiveness-check", /long\.ts.*max-lines/],
  "dead code": ["orphan.ts", /three/, "never-imported"],
  "import boundaries": [
    /^no-circle: .*store\.ts -> .*app\.ts/,
    /^no-circle: .*answer\.ts -> .*asked\.ts/,
    /^no-circle-of-areas: .*apps -> accounts/,
  ],
  "served calls": [
    "the call deleteApp is served by no route",
    "the call listApps is served by server/src/areas/apps/routes.ts and server/src/areas/apps/routes.ts",
    "serves somethingElse, which is no call of the contract",
    "the undeclared route app.get(",
  ],
  "documented settings": ["README.md does not tell of HOST", "README.md tells of GHOST, which is not read"],
  "covered spec": [
    "names server/src/ghost.test.ts, which does not exist",
    'server/src/shop.test.ts has no test "a shop is closed at night"',
    "nothing shows | a gap",
  ],
  "file length": ["0001_long.sql has 301 lines", "long.spec.ts has 301 lines"],
  "file names": [
    "web/src/CountCard.tsx: not kebab-case",
    "server/src/stringUtils.ts: not kebab-case",
    "server/src/helpers/pad.ts: a name that says nothing",
    "server/src/close.ts: its one export is openDoor, so it should be called open-door",
  ],
  "lookup tables": ["prices.ts:1 looks a string up in an object"],
  glossary: [
    "card.tsx:1 says gizmo: skeleton bar",
    "card.tsx:1 says paidLunch: bought lunch",
    "card.tsx:2 says gizmo",
    "card.tsx:3 says paidLunch",
  ],
  "no leftovers": ["count.ts:1 speaks of unfinished work"],
  "no machine paths": ["count.ts:1 names a path of one machine", "package-lock.json:2 names a registry's address"],
  "promised node": [
    "node_modules/new 3.0.0 wants Node.js >=22",
    "node_modules/parted 1.0.0 wants Node.js ^18 || >=21",
    "node_modules/listed 0.1.0 wants Node.js  >= 24",
  ],
  suppressions: ["count.ts:1 switches a rule off", "count.ts:5 switches a rule off"],
};

const planted = (name: string) => fileURLToPath(new URL(`./planted/${name.replaceAll(" ", "-")}`, import.meta.url));

test("every gate has its planted violation", () => {
  expect(Object.keys(PLANTED).toSorted()).toEqual(ALL_GATES.map(({ name }) => name).toSorted());
});

test.each(ALL_GATES)("the gate $name bites on its planted violation", async (gate) => {
  const { findings } = await gate.run(planted(gate.name));
  for (const expected of PLANTED[gate.name] ?? []) {
    expect(
      findings.some((line) => (typeof expected === "string" ? line.includes(expected) : expected.test(line))),
    ).toBe(true);
  }
});

test("every rule of the import boundaries bites", async () => {
  const { findings } = await boundaries.run(planted("import-boundaries"));
  const broken = new Set(findings.map((line) => line.split(":")[0]));
  const rules = boundaryRules.forbidden.map(({ name }) => name);
  expect(rules.filter((name) => !broken.has(name))).toEqual([]);
  expect(broken).toContain("sdk-takes-types-of-the-contract");
});

test("the settings that the gate reads from the text are those that the platform reads", async () => {
  const code = await readFile(new URL("../server/src/platform/settings.ts", import.meta.url), "utf8");
  expect(settingNames(code)).toEqual(SETTING_NAMES);
});

test("a planted violation that is mended is found no more", async () => {
  const names = ALL_GATES.find(({ name }) => name === "file names");
  const { findings } = (await names?.run(planted("file names"))) ?? { findings: [] };
  expect(findings.some((line) => line.includes("error-handler"))).toBe(false);
});

test("every circle is told by the names along it", () => {
  const graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c", "d"])],
    ["c", new Set(["b"])],
    ["d", new Set(["d"])],
  ]);
  expect(findCircles(graph)).toEqual([
    ["b", "c", "b"],
    ["d", "d"],
  ]);
  expect(findCircles(new Map([["a", new Set(["b"])]]))).toEqual([]);
});
