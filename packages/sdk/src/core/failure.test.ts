import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ERROR_CODES } from "./failure.ts";

test("the README explains every code, and no other", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const [, codes = ""] = readme.split("## Codes");
  const [section = ""] = codes.split("\n## ");
  expect([...section.matchAll(/^\| `(\w+)` /gm)].map(([, code]) => code)).toEqual([...ERROR_CODES]);
});
