import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "../http/build-server.ts";
import { silentLog } from "../log.ts";
import { fillDisk, smallDisk } from "../testing/small-disk.ts";
import { fileOfPath, pathOfFile, serveStoredFiles } from "./serve-stored-files.ts";
import { type StoredFiles, filesOnDisk } from "./stored-files.ts";

let dir: string;
let files: StoredFiles;
let server: Awaited<ReturnType<typeof buildServer>>;
beforeAll(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "millrace-files-")), "files");
  files = filesOnDisk(dir);
  server = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  serveStoredFiles(server, files);
});
afterAll(async () => {
  await server.close();
  await rm(join(dir, ".."), { recursive: true });
});

const hashOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");

test("a file is named by the hash of its content, and kept once", async () => {
  const content = Buffer.from("one picture");
  const name = await files.put(content, "png");
  expect(name).toBe(`${hashOf(content)}.png`);
  const names = await Promise.all(Array.from({ length: 8 }, () => files.put(content, "png")));
  expect(new Set(names)).toEqual(new Set([name]));
  expect(await readdir(dir)).toEqual([name]);
  expect((await stat(join(dir, name))).mode & 0o77).toBe(0);
  const found = await files.open(name);
  expect([found?.bytes, found && (await buffer(found.content)).toString()]).toEqual([11, "one picture"]);
  await files.remove(name);
  await files.remove(name);
  expect(await files.open(name)).toBeUndefined();
});

test("a file that a crash left incomplete is written anew", async () => {
  const content = Buffer.from("another picture");
  const name = `${hashOf(content)}.gif`;
  await writeFile(join(dir, name), "anoth");
  await files.put(content, "gif");
  expect((await readFile(join(dir, name))).toString()).toBe("another picture");
});

test("what a killed process left unfinished is deleted at the start, and nothing else", async () => {
  const name = await files.put(Buffer.from("kept"), "png");
  await writeFile(join(dir, `${name}.0123456789ab.part`), "half");
  await files.clean();
  expect(await readdir(dir)).toContain(name);
  expect((await readdir(dir)).filter((file) => file.endsWith(".part"))).toEqual([]);
  await filesOnDisk(join(dir, "none")).clean();
});

test("a full disk keeps nothing, and takes files again once there is space", async ({ skip }) => {
  const disk = smallDisk(4);
  if (!disk) return skip("only root may mount a disk");
  try {
    const full = filesOnDisk(join(disk.dir, "files"));
    await full.put(Buffer.alloc(1000, 1), "png");
    await fillDisk(join(disk.dir, "ballast"));
    await expect(full.put(Buffer.alloc(2_000_000, 2), "png")).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await readdir(join(disk.dir, "files"))).toHaveLength(1);
    await rm(join(disk.dir, "ballast"));
    await full.put(Buffer.alloc(2_000_000, 2), "png");
    expect(await readdir(join(disk.dir, "files"))).toHaveLength(2);
  } finally {
    disk.release();
  }
});

test("a file is served with a fixed type, cached for good, and can run nothing", async () => {
  const content = Buffer.from("<script>alert(1)</script>");
  const path = pathOfFile(await files.put(content, "jpg"));
  const reply = await server.inject(path);
  expect([reply.statusCode, reply.rawPayload]).toEqual([200, content]);
  expect(reply.headers).toMatchObject({
    "content-type": "image/jpeg",
    "content-length": String(content.length),
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(reply.headers["set-cookie"]).toBeUndefined();
  const head = await server.inject({ method: "HEAD", url: path });
  expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([200, "", String(content.length)]);
  const known = await server.inject({ url: path, headers: { "if-none-match": String(reply.headers["etag"]) } });
  expect([known.statusCode, known.body]).toEqual([304, ""]);
});

test.each([
  "../secret.png",
  "..%2fsecret.png",
  "%2e%2e%2fsecret.png",
  "....//secret.png",
  "/etc/passwd",
  "%00.png",
  `${"0".repeat(64)}.png`,
  `${"0".repeat(64)}.html`,
  `${"0".repeat(64)}.png.part`,
  `${"A".repeat(64)}.png`,
  "",
])("there is no file %j", async (name) => {
  await writeFile(join(dir, "../secret.png"), "hidden");
  await writeFile(join(dir, `${"0".repeat(64)}.html`), "hidden");
  const reply = await server.inject(`/files/${name}`);
  expect([404, 400]).toContain(reply.statusCode);
  expect(reply.body).not.toContain("hidden");
  expect(fileOfPath(`/elsewhere/${name}`)).toBe("");
});
