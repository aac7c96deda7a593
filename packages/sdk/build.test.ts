import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSdk } from "./build.ts";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "millrace-sdk-"));
  await buildSdk(dir);
});
afterAll(() => rm(dir, { recursive: true }));

const read = (file: string) => readFile(path.join(dir, file), "utf8");

test("everything an app loads is at most 10 KB gzip", async () => {
  for (const file of ["millrace.js", "millrace.mjs"]) {
    expect(gzipSync(await read(file)).length).toBeLessThanOrEqual(10 * 1024);
  }
});

test("the core touches no DOM, so that it runs anywhere", async () => {
  const core = await read("core.mjs");
  expect(core).not.toMatch(/\b(document|window|localStorage|navigator|HTMLElement)\b/);
});

test("the frame page has no script of its own inside, so that any policy can name it", async () => {
  expect(await read("frame.html")).toContain('<script src="frame.js"></script>');
});
