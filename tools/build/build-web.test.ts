import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compressFiles } from "./build-web.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-compress-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a text asset gets a Brotli and a gzip copy that decompress to the original", async () => {
  const script = "export const answer = 42;\n".repeat(200);
  await writeFile(join(folder, "page.js"), script);
  await compressFiles(folder);
  expect(brotliDecompressSync(await readFile(join(folder, "page.js.br"))).toString()).toBe(script);
  expect(gunzipSync(await readFile(join(folder, "page.js.gz"))).toString()).toBe(script);
  expect(await readFile(join(folder, "page.js"), "utf8")).toBe(script);
});

test("small files and fonts, which are already compressed, get no copies", async () => {
  await writeFile(join(folder, "small.js"), "1;");
  await writeFile(join(folder, "font.woff2"), Buffer.alloc(5000));
  await compressFiles(folder);
  expect((await readdir(folder)).toSorted()).toEqual(["font.woff2", "small.js"]);
});
