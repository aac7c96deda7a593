import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeWhole } from "./write-whole.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "millrace-write-whole-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("a file replaces the one that had its name, and what a killed process left", async () => {
  const path = { dir, name: "report.csv", unfinished: ".part" };
  await writeFile(join(dir, "report.csv.part"), "half of an earlier report");
  await writeWhole(path, "first");
  await writeWhole(path, Buffer.from("second"));
  expect(await readFile(join(dir, "report.csv"), "utf8")).toBe("second");
  expect(await readdir(dir)).toEqual(["report.csv"]);
});

test("a file that cannot get its name leaves nothing behind", async () => {
  await mkdir(join(dir, "taken"));
  await expect(writeWhole({ dir, name: "taken", unfinished: ".part" }, "text")).rejects.toThrow("EISDIR");
  expect(await readdir(dir)).toEqual(["taken"]);
});
