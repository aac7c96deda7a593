import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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
  expect([await files.sizeOf(name), found && (await buffer(found)).toString()]).toEqual([11, "one picture"]);
  await files.remove(name);
  await files.remove(name);
  expect(await files.open(name)).toBeUndefined();
});

test("a file arrives on the disk, and is gone once it is stored or discarded", async () => {
  const content = Buffer.from("a long film");
  const [stored, again, discarded] = [
    await files.receive(parts(content)),
    await files.receive(parts(content)),
    await files.receive(parts(content)),
  ];
  expect(stored).toMatchObject({ bytes: content.length, hash: hashOf(content) });
  const name = await files.put(stored, "mp4");
  expect(name).toBe(`${hashOf(content)}.mp4`);
  expect(await files.put(again, "mp4")).toBe(name);
  await stored.discard();
  await discarded.discard();
  expect(await readdir(dir)).toEqual([name]);
  const part = await files.open(name, { first: 2, last: 5 });
  expect(part && (await buffer(part)).toString()).toBe("long");
  await files.remove(name);
});

test("of a file that does not arrive whole, nothing is kept", async () => {
  async function* cutOff() {
    yield Buffer.alloc(100_000);
    throw new Error("cut off");
  }
  await expect(files.receive(cutOff())).rejects.toThrow("cut off");
  expect(await readdir(dir)).toEqual([]);
});

async function* parts(content: Buffer) {
  for (const byte of content) yield Buffer.from([byte]);
}

test("a file that a crash left incomplete is written anew", async () => {
  const content = Buffer.from("another picture");
  const name = `${hashOf(content)}.gif`;
  await writeFile(join(dir, name), "anoth");
  await files.put(content, "gif");
  expect((await readFile(join(dir, name))).toString()).toBe("another picture");
});

test("what a killed process left unfinished is deleted at the start, and nothing that is still arriving", async () => {
  const name = await files.put(Buffer.from("kept"), "png");
  const [left, arriving] = [join(dir, "0123456789ab.part"), join(dir, "ba9876543210.part")];
  for (const path of [left, arriving]) await writeFile(path, "half");
  const twoHoursAgo = Date.now() / 1000 - 7200;
  await utimes(left, twoHoursAgo, twoHoursAgo);
  await files.clean();
  expect(await readdir(dir)).toContain(name);
  expect((await readdir(dir)).filter((file) => file.endsWith(".part"))).toEqual([basename(arriving)]);
  await rm(arriving);
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

test.each<[string, number, string | undefined, string]>([
  ["bytes=0-3", 206, "bytes 0-3/10", "0123"],
  ["bytes=4-", 206, "bytes 4-9/10", "456789"],
  ["bytes=-3", 206, "bytes 7-9/10", "789"],
  ["bytes=-99", 206, "bytes 0-9/10", "0123456789"],
  ["bytes=8-99", 206, "bytes 8-9/10", "89"],
  ["bytes=0-0", 206, "bytes 0-0/10", "0"],
  ["bytes=10-", 416, "bytes */10", ""],
  ["bytes=-0", 416, "bytes */10", ""],
  ["bytes=99999999999999-", 416, "bytes */10", ""],
  // What may be ignored is: several parts, and what is no range.
  ["bytes=0-1,4-5", 200, undefined, "0123456789"],
  ["bytes=5-2", 200, undefined, "0123456789"],
  ["bytes=a-b", 200, undefined, "0123456789"],
  ["bytes=-", 200, undefined, "0123456789"],
  ["chapters=1-2", 200, undefined, "0123456789"],
])("a player that asks for %j gets its part of a video", async (range, status, contentRange, body) => {
  const path = pathOfFile(await files.put(Buffer.from("0123456789"), "mp4"));
  const reply = await server.inject({ url: path, headers: { range } });
  expect([reply.statusCode, reply.headers["content-range"], reply.body]).toEqual([status, contentRange, body]);
  if (status === 206) {
    expect(reply.headers["content-length"]).toBe(String(body.length));
    expect(reply.headers).toMatchObject({ "content-type": "video/mp4", "accept-ranges": "bytes" });
    expect((await server.inject({ url: path, headers: { range, "if-range": '"another"' } })).statusCode).toBe(200);
  }
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
