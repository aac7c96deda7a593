import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packFiles } from "./build-web.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-pack-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a text lies there packed in both ways, and unpacks to itself", async () => {
  const script = "export const answer = 42;\n".repeat(200);
  await writeFile(join(folder, "page.js"), script);
  await packFiles(folder);
  expect(brotliDecompressSync(await readFile(join(folder, "page.js.br"))).toString()).toBe(script);
  expect(gunzipSync(await readFile(join(folder, "page.js.gz"))).toString()).toBe(script);
  expect(await readFile(join(folder, "page.js"), "utf8")).toBe(script);
});

test("small files and letters, which are packed already, stay alone", async () => {
  await writeFile(join(folder, "small.js"), "1;");
  await writeFile(join(folder, "letters.woff2"), Buffer.alloc(5000));
  await packFiles(folder);
  expect((await readdir(folder)).toSorted()).toEqual(["letters.woff2", "small.js"]);
});
