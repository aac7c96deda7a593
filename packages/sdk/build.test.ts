import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSdk } from "./build.ts";
import { OWN_NAMES } from "./own-names.ts";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "millrace-sdk-"));
  await buildSdk(dir);
});
afterAll(() => rm(dir, { recursive: true }));

const read = (file: string) => readFile(path.join(dir, file), "utf8");

const kilobytes = async (file: string) => gzipSync(await read(file)).length / 1024;

test("the SDK is at most 10 KB with gzip, and each renderer that it loads at most 16 KB", async () => {
  for (const file of ["millrace.js", "millrace.mjs"]) expect(await kilobytes(file)).toBeLessThanOrEqual(10);
  const loaded = (await readdir(dir)).filter(
    (file) => file.endsWith(".mjs") && file !== "millrace.mjs" && file !== "core.mjs",
  );
  expect(loaded).toContain("html.mjs");
  for (const file of loaded) expect([file, (await kilobytes(file)) <= 16]).toEqual([file, true]);
});

test("the names that the build makes short are neither in the protocol nor in files that the SDK loads", async () => {
  const names = OWN_NAMES.join("|");
  const schema = await readFile(new URL("vectors/protocol.schema.json", import.meta.url), "utf8");
  expect(schema).not.toMatch(new RegExp(`"(${names})"`));
  for (const name of ["html", "mraid", "vast", "native", "steps", "consent", "debugger"])
    expect(await read(`${name}.mjs`)).not.toMatch(new RegExp(`[.{,](${names})\\b`));
});

test("the core uses no DOM, so that it runs anywhere", async () => {
  const core = await read("core.mjs");
  expect(core).not.toMatch(/\b(document|window|localStorage|navigator|HTMLElement)\b/);
});

test("the frame page has no inline script, so that a content security policy can allow it", async () => {
  expect(await read("frame.html")).toContain('<script src="frame.js"></script>');
});

test("the files that apps load call no function that Chromium 89, the oldest web view with ads, lacks", async () => {
  const later = /\.(at|hasOwn|findLast|toSorted|randomUUID)\(|structuredClone\(|:popover-open/;
  for (const name of ["millrace", "html", "mraid", "vast", "native", "steps", "consent"])
    expect([name, later.exec(await read(`${name}.mjs`))?.[0]]).toEqual([name, undefined]);
});
