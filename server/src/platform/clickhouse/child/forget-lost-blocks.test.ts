import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { forgetLostBlocks } from "./forget-lost-blocks.ts";

const root = mkdtempSync(join(tmpdir(), "millrace-lost-blocks-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function table(name: string, parts: string[], lines: string[]): string {
  const folder = join(root, "store/store/abc", name);
  const log = join(folder, "deduplication_logs/deduplication_log_1.txt");
  mkdirSync(join(folder, "deduplication_logs"), { recursive: true });
  for (const part of parts) mkdirSync(join(folder, part));
  writeFileSync(log, lines.join("\n"));
  return log;
}

test("log entries of missing parts go; entries of merged, dropped or cut-off parts stay", async () => {
  const kept = ["1\t202601_1_1_0\taa", "1\t202601_2_2_0\tbb", "2\t202601_9_9_0\tdd", "1\t202602_1_1_0\tee", "1\t2026"];
  const log = table(
    "one",
    ["202601_1_4_1_7", "202602_1_1_0", "detached"],
    [...kept.slice(0, 2), "1\t202601_5_5_0\tcc", ...kept.slice(2)],
  );
  const whole = table("two", ["all_1_1_0"], ["1\tall_1_1_0\taa", ""]);
  expect(await forgetLostBlocks(root)).toBe(1);
  expect(readFileSync(log, "utf8")).toBe(kept.join("\n"));
  expect(readFileSync(whole, "utf8")).toBe("1\tall_1_1_0\taa\n");
  expect(await forgetLostBlocks(root)).toBe(0);
});

test("a half-written log, as a kill leaves it, lies where the engine does not read it and is written anew", async () => {
  const log = table("killed", ["all_1_1_0"], ["1\tall_1_1_0\taa", "1\tall_2_2_0\tbb"]);
  writeFileSync(join(root, "deduplication_log.new"), "1\tall_1");
  expect(await forgetLostBlocks(root)).toBe(1);
  expect(readdirSync(join(log, ".."))).toEqual(["deduplication_log_1.txt"]);
  expect(readFileSync(log, "utf8")).toBe("1\tall_1_1_0\taa");
});

test("a path without tables, or none yet, has nothing to forget", async () => {
  expect(await forgetLostBlocks(join(root, "not there"))).toBe(0);
});
