import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { buildServer } from "../http/build-server.ts";
import { silentLog } from "../log.ts";
import { testBucket } from "../testing/test-bucket.ts";
import { serveHttp } from "../testing/serve-http.ts";
import { someVideo } from "../videos/testing/some-videos.ts";
import { filesInBucket } from "./files-in-bucket.ts";
import { pathOfFile, serveStoredFiles } from "./serve-stored-files.ts";

const { at, url, incoming } = await testBucket();
const files = filesInBucket(url, incoming);

const content = await someVideo("h264.mp4");
const hash = createHash("sha256").update(content).digest("hex");
async function* parts() {
  for (let from = 0; from < content.length; from += 10_000) yield content.subarray(from, from + 10_000);
}

test("a file is stored in the bucket by its hash, read in parts, and deleted", async () => {
  const name = await files.put(await files.receive(parts()), "mp4");
  expect(name).toBe(`${hash}.mp4`);
  expect(await files.put(content, "mp4")).toBe(name);
  expect(await readdir(incoming)).toEqual([]);
  expect(await files.sizeOf(name)).toBe(content.length);
  const [whole, part] = [await files.open(name), await files.open(name, { first: 4, last: 7 })];
  expect(whole && (await buffer(whole)).equals(content)).toBe(true);
  expect(part && (await buffer(part)).toString()).toBe("ftyp");
  await files.remove(name);
  await files.remove(name);
  expect([await files.sizeOf(name), await files.open(name)]).toEqual([undefined, undefined]);
});

test("files of a bucket are served as those of the disk are", async () => {
  const server = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  serveStoredFiles(server, files);
  const url = pathOfFile(await files.put(content, "mp4"));
  const whole = await server.inject(url);
  expect([whole.statusCode, whole.headers["content-type"], whole.rawPayload.equals(content)]).toEqual([
    200,
    "video/mp4",
    true,
  ]);
  const part = await server.inject({ url, headers: { range: "bytes=4-7" } });
  expect([part.statusCode, part.body, part.headers["content-range"]]).toEqual([
    206,
    "ftyp",
    `bytes 4-7/${content.length}`,
  ]);
  for (const name of ["../secret.png", `${"0".repeat(64)}.png`])
    expect((await server.inject(`/files/${name}`)).statusCode).toBe(404);
  await server.close();
});

test("a HEAD tells a file's size, and reads nothing of it from the bucket", async () => {
  const name = await files.put(content, "mp4");
  let reads = 0;
  const counted = { ...files, open: (...asked: Parameters<typeof files.open>) => (reads++, files.open(...asked)) };
  const server = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  serveStoredFiles(server, counted);
  const { statusCode, headers, body } = await server.inject({ method: "HEAD", url: pathOfFile(name) });
  expect([statusCode, headers["content-length"], headers["content-type"], body]).toEqual([
    200,
    String(content.length),
    "video/mp4",
    "",
  ]);
  const part = await server.inject({ method: "HEAD", url: pathOfFile(name), headers: { range: "bytes=4-7" } });
  expect([part.statusCode, part.headers["content-length"]]).toEqual([206, "4"]);
  expect((await server.inject({ method: "HEAD", url: `/files/${"0".repeat(64)}.png` })).statusCode).toBe(404);
  expect(reads).toBe(0);
  await server.close();
});

test("a bucket that is not there is an error, and nothing is left here", async () => {
  await expect(filesInBucket(at("none"), incoming).put(content, "mov")).rejects.toThrow("no such bucket");
  expect(await readdir(incoming)).toEqual([]);
});

test("a bucket that hangs, fails or is away is an error soon, and a file that is read slowly is not cut off", async () => {
  const answers = new Map<string, RequestListener>([
    ["/hangs/", () => undefined],
    ["/fails/", (_, reply) => reply.writeHead(500).end()],
    [
      "/drips/",
      (_, reply) => {
        reply.writeHead(200).write("be");
        setTimeout(() => reply.end("gin"), 400);
      },
    ],
  ]);
  const origin = await serveHttp((request, reply) => {
    const [, answer] = [...answers].find(([path]) => request.url?.startsWith(path)) ?? [];
    answer?.(request, reply);
  });
  const limits = { answerMs: 200, storeMs: 200 };
  const bucket = (url: string) => filesInBucket(url.replace("://", "://KEY:SECRET@"), incoming, limits);
  const name = `${hash}.mp4`;
  for (const url of [`${origin}/hangs`, `${origin}/fails`, "http://127.0.0.1:1/away"]) {
    const beganAt = performance.now();
    const calls = [bucket(url).sizeOf(name), bucket(url).put(content, "mp4"), bucket(url).remove(name)];
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(calls.map(() => "rejected"));
    expect(performance.now() - beganAt).toBeLessThan(3000);
  }
  expect(await readdir(incoming)).toEqual([]);
  const slow = await bucket(`${origin}/drips`).open(name);
  expect(slow && (await buffer(slow)).toString()).toBe("begin");
});
