import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFiles } from "../gates/source-tree.ts";
import { reachLines, testReach } from "./test-reach.ts";

const PLANTED = fileURLToPath(new URL("../planted/test-reach", import.meta.url));

test("imports reach files, by package name as well, and each workspace lists the files that no test reaches", async () => {
  expect(reachLines(testReach(await sourceFiles(PLANTED)))).toEqual([
    "reach bench: 0% (0 of 1 files); no test reaches bench/src/main.ts",
    "reach packages/units: 66% (2 of 3 files); no test reaches packages/units/src/half.ts",
    "reach server: 100% (3 of 3 files, 2 of them only by browser specs)",
    "reach web: 100% (2 of 2 files, 2 of them only by browser specs)",
  ]);
});

test("without a browser spec, the built platform reaches nothing", async () => {
  const files = (await sourceFiles(PLANTED)).filter(({ path }) => !path.endsWith(".spec.ts"));
  const web = testReach(files).find(({ workspace }) => workspace === "web");
  expect(web).toMatchObject({ reached: 0, reachedByBrowser: 0, untested: ["web/src/app.ts", "web/src/main.tsx"] });
});

test("without tests, no file is reached", async () => {
  const files = (await sourceFiles(PLANTED)).filter(({ path }) => !path.endsWith(".test.ts"));
  const units = testReach(files).find(({ workspace }) => workspace === "packages/units");
  expect(units).toMatchObject({ reached: 0, files: 3 });
});
