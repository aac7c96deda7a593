import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashOfInputs, isUpToDate, stampTarget } from "./stamp.js";

const target = { name: "page", entry: "src/main.ts", inputs: ["src", "lock.json"], output: "dist/page.js" };

/** A project with one target that has just been built. */
async function builtProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "millrace-stamp-"));
  for (const folder of ["src/parts", "dist"]) await mkdir(join(root, folder), { recursive: true });
  for (const file of ["src/main.ts", "src/parts/one.ts", "lock.json", "dist/page.js"]) {
    await writeFile(join(root, file), file);
  }
  stampTarget(root, target, hashOfInputs(root, target.inputs));
  return root;
}

test.each([
  ["nothing changed", true, async () => {}],
  ["only the modification time of a file changed", true, (root: string) => utimes(join(root, "src/main.ts"), 1, 1)],
  ["a test changed", true, (root: string) => writeFile(join(root, "src/parts/one.test.ts"), "")],
  ["a file below an input changed", false, (root: string) => writeFile(join(root, "src/parts/one.ts"), "other")],
  ["a file was added", false, (root: string) => writeFile(join(root, "src/parts/two.ts"), "")],
  ["a file was removed", false, (root: string) => rm(join(root, "src/parts/one.ts"))],
  ["the lock file changed", false, (root: string) => writeFile(join(root, "lock.json"), "{}")],
  ["the output was deleted", false, (root: string) => rm(join(root, "dist/page.js"))],
])("when %s, the target is up to date: %s", async (_, expected, change) => {
  const root = await builtProject();
  try {
    await change(root);
    expect(isUpToDate(root, target)).toBe(expected);
  } finally {
    await rm(root, { recursive: true });
  }
});
