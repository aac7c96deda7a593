import { MOST_IMAGE_BYTES, MOST_VIDEO_BYTES, TEXTS, UPLOAD_KINDS, type UploadedFile } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { someGif, someJpeg, somePng } from "../../platform/images/testing/some-images.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { box, mp4Of, someVideo } from "../../platform/videos/testing/some-videos.ts";
import { type Part, campaignsServer, formOf } from "./testing/campaigns-server.ts";

const stores = await testStores();
const at = await campaignsServer(stores);
afterAll(() => at.stop());

const account = () => at.newAccount({ balance: 1_000_000 });
const file = (content: Buffer | string, fileName = "banner.png"): Part => ({ content, fileName });
const uploadsOf = async (accountId: number) =>
  (await stores.pg.pool.query<{ file: string }>("SELECT file FROM uploads WHERE account_id = $1", [accountId])).rows;

test("an image is measured, kept under its hash, and served to everybody", async () => {
  const mine = await account();
  const { status, body } = await at.upload(mine, { field: "format", content: "json" }, file(await somePng(300, 250)));
  expect(status).toBe(200);
  const image = body as UploadedFile;
  expect(image).toMatchObject({ width: 300, height: 250, video: null });
  expect(image.url).toMatch(/^\/files\/[0-9a-f]{64}\.png$/);
  const served = await at.server.inject(image.url);
  expect([served.statusCode, served.rawPayload.length]).toEqual([200, image.size]);
  expect(await uploadsOf(mine)).toEqual([{ file: image.url.slice("/files/".length) }]);
});

const noSpace = async () => {
  throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
};

test("a video is measured, kept as it is, and served in the parts that players ask for", async () => {
  const mine = await account();
  const content = await someVideo("h264.mp4");
  const { status, body } = await at.uploadBytes(mine, formOf(file(content, "film.mov")), "video");
  expect(status).toBe(200);
  const { url, ...video } = body as UploadedFile;
  expect(video).toEqual({
    size: content.length,
    width: 320,
    height: 180,
    video: { type: "video/mp4", duration_ms: 4000, bitrate_kbps: 75, codecs: "H.264, AAC", plays: true },
  });
  expect(url).toMatch(/^\/files\/[0-9a-f]{64}\.mp4$/);
  const part = await at.server.inject({ url, headers: { range: "bytes=4-7" } });
  expect([part.statusCode, part.body, part.headers["content-type"]]).toEqual([206, "ftyp", "video/mp4"]);
  expect((await at.server.inject(url)).rawPayload.equals(content)).toBe(true);
  expect((await at.stored()).filter((name) => name.endsWith(".part"))).toEqual([]);
});

const fullDisk = {
  receive: noSpace,
  put: noSpace,
  sizeOf: async () => undefined,
  open: async () => undefined,
  remove: async () => undefined,
  clean: async () => undefined,
};

test("a full disk keeps nothing and answers 503", async () => {
  const full = await campaignsServer(stores, {
    files: fullDisk,
  });
  const mine = await full.newAccount();
  for (const kind of UPLOAD_KINDS) {
    const { status, body, headers } = await full.uploadBytes(mine, formOf(file(await somePng())), kind);
    expect([status, body]).toEqual([503, { error: TEXTS.unavailable }]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  }
  expect(await uploadsOf(mine)).toEqual([]);
  await full.stop();
});

test("a file store that takes its time holds no transaction", async () => {
  const { pool } = stores.pg;
  const open: unknown[] = [];
  const slow = await campaignsServer(stores, {
    files: {
      ...fullDisk,
      async put() {
        const { rows } = await pool.query(
          "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
        );
        open.push(...rows);
        return `${"0".repeat(64)}.png`;
      },
    },
  });
  const mine = await slow.newAccount();
  expect((await slow.uploadBytes(mine, formOf(file(await somePng())), "image")).status).toBe(200);
  expect([open, (await uploadsOf(mine)).length]).toEqual([[], 1]);
  await slow.stop();
});

test("a deleted account uploads nothing", async () => {
  const mine = await account();
  await stores.pg.pool.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [mine]);
  expect((await at.upload(mine, file(await somePng()))).status).toBe(404);
  expect(await uploadsOf(mine)).toEqual([]);
});

test("the same image is kept once, also for two accounts", async () => {
  const [one, other] = [await account(), await account()];
  const png = await somePng(468, 60);
  const before = (await at.stored()).length;
  const replies = [await at.upload(one, file(png)), await at.upload(one, file(png)), await at.upload(other, file(png))];
  expect(new Set(replies.map(({ body }) => body["url"])).size).toBe(1);
  expect((await at.stored()).length).toBe(before + 1);
  expect([await uploadsOf(one), await uploadsOf(other)].map(({ length }) => length)).toEqual([1, 1]);
});

test.each(["../../etc/passwd", "..\\..\\boot.ini", "/etc/cron.d/job.png", "%2e%2e%2fx.png", "a.php", ".htaccess", ""])(
  "the file name %j has no effect",
  async (name) => {
    const { status, body } = await at.upload(await account(), file(await someJpeg(), name));
    // A file without a name is a file as well; it cannot be told from a field, though.
    if (name === "") return expect([200, 422]).toContain(status);
    expect([status, body["url"]]).toEqual([200, expect.stringMatching(/^\/files\/[0-9a-f]{64}\.jpg$/)]);
    expect((await at.stored()).filter((stored) => !/^[0-9a-f]{64}\.(png|jpg|gif|mp4)$/.test(stored))).toEqual([]);
  },
);

test("a JPEG that is called .png is stored as what it is", async () => {
  const { body } = await at.upload(await account(), file(await someJpeg(), "photo.png"));
  expect(body["url"]).toMatch(/\.jpg$/);
  expect((await at.server.inject(String(body["url"]))).headers["content-type"]).toBe("image/jpeg");
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const TYPES = "Use an image in PNG, JPEG or GIF format";
const TOO_LARGE = "Use an image of at most 5 MB";
const DAMAGED = "This image is damaged or incomplete";
const png = await somePng();

const VIDEO_TYPES = "Use a video in MP4, MOV or AVI format";
const VIDEO_DAMAGED = "This video is damaged or incomplete";
const mp4 = await someVideo("h264.mp4");
const zip = Buffer.concat([Buffer.from("504b0304", "hex"), Buffer.alloc(99)]);

test.each<[string, Buffer, number, string, "video"?]>([
  ["text that is called .png", formOf(file("hello")), 422, TYPES],
  ["an SVG with a script that is called .png", formOf(file(svg)), 422, TYPES],
  ["a page", formOf(file("<!doctype html><script>alert(1)</script>")), 422, TYPES],
  ["half an image", formOf(file(png.subarray(0, png.length - 40))), 422, DAMAGED],
  [
    "a GIF of thousands of frames",
    formOf(file(someGif({ frames: 5000 }))),
    422,
    "Use an animation of at most 200 frames",
  ],
  ["an empty file", formOf(file("")), 422, "This file is empty"],
  ["no file", formOf({ field: "file", content: "a text" }), 422, "Choose a file"],
  ["an empty form", formOf(), 422, "Choose a file"],
  ["two files", formOf(file(png), file(png)), 422, "Upload one file at a time"],
  ["a file of 5 MB and a byte", formOf(file(Buffer.alloc(MOST_IMAGE_BYTES + 1))), 413, TOO_LARGE],
  ["a form of 6 MB", formOf(file(Buffer.alloc(6 * 1024 * 1024))), 413, TOO_LARGE],
  ["a form that ends early", formOf(file(png)).subarray(0, 150), 422, "The upload was cut off. Please try again"],
  ["a form without an end", formOf(file(png)).subarray(0, -10), 422, "The upload was cut off. Please try again"],
  [
    "a form of many fields",
    formOf(...Array.from({ length: 30 }, (_, i) => ({ field: `f${i}`, content: "x" }))),
    422,
    "The form has too many fields",
  ],
  [
    "a field that would change a prototype",
    formOf({ field: "__proto__", content: "x" }, file(png)),
    422,
    "The form has a field that is not known",
  ],
  ["a video where an image is wanted", formOf(file(mp4)), 422, TYPES],
  ["an image where a video is wanted", formOf(file(png)), 422, VIDEO_TYPES, "video"],
  ["an SVG with a script that is called .mp4", formOf(file(svg, "a.mp4")), 422, VIDEO_TYPES, "video"],
  ["a playlist that is called .mp4", formOf(file("#EXTM3U\nfile:///etc/passwd", "a.mp4")), 422, VIDEO_TYPES, "video"],
  ["a ZIP in front of a video", formOf(file(Buffer.concat([zip, mp4]))), 422, VIDEO_TYPES, "video"],
  ["a ZIP behind a video", formOf(file(Buffer.concat([mp4, zip]))), 422, VIDEO_DAMAGED, "video"],
  ["half a video", formOf(file(mp4.subarray(0, mp4.length / 2))), 422, VIDEO_DAMAGED, "video"],
  [
    "a video that declares four gigabytes",
    formOf(file(mp4Of(box("mdat", Buffer.alloc(99), 0xffffffff)))),
    422,
    VIDEO_DAMAGED,
    "video",
  ],
  ["a sound", formOf(file(await someVideo("audio.mp4"))), 422, "This file has no video in it", "video"],
  ["an empty video", formOf(file("")), 422, "This file is empty", "video"],
  ["two videos", formOf(file(mp4), file(mp4)), 422, "Upload one file at a time", "video"],
  [
    "a video of 50 MB and a byte",
    formOf(file(Buffer.alloc(MOST_VIDEO_BYTES + 1))),
    413,
    "Use a video of at most 50 MB",
    "video",
  ],
  [
    "a video that ends early",
    formOf(file(mp4)).subarray(0, 9000),
    422,
    "The upload was cut off. Please try again",
    "video",
  ],
])("%s is refused with its own message, and nothing is kept", async (...row) => {
  const [, form, status, error, kind] = row;
  const mine = await account();
  const before = await at.stored();
  const reply = await at.uploadBytes(mine, form, kind);
  expect([reply.status, reply.body]).toEqual([status, { error }]);
  expect(await at.stored()).toEqual(before);
  expect(await uploadsOf(mine)).toEqual([]);
});

test.each([
  ["JSON", "application/json", "{}"],
  ["an address", "application/x-www-form-urlencoded", "file=x"],
  ["an image without a form", "image/png", png],
  ["a form without a boundary", "multipart/form-data", formOf(file(png))],
])("%s instead of a form is refused", async (_, type, payload) => {
  const { status, body } = await at.post(await account(), "/campaign/upload", payload, type);
  expect([415, 422]).toContain(status);
  expect(body["error"]).toEqual(expect.any(String));
});

test("without a body there is no file", async () => {
  const headers = { "x-account": String(await account()) };
  const reply = await at.server.inject({ method: "POST", url: "/campaign/upload", headers });
  expect([reply.statusCode, reply.json()]).toEqual([422, { error: "Send an image as a file of a form" }]);
});

test("nobody uploads without signing in", async () => {
  expect((await at.upload(0, file(png))).status).toBe(401);
});

test("forms are taken by no other call", async () => {
  const { status } = await at.post(
    await account(),
    "/campaign/add",
    formOf(file(png)),
    "multipart/form-data; boundary=x",
  );
  expect(status).toBe(415);
});

test("an account that uploads without end has to wait, and others do not", async () => {
  const [busy, other] = [await account(), await account()];
  for (let nth = 0; nth < 120; nth++) await at.upload(busy, file("x"));
  const { status, body, headers } = await at.upload(busy, file(png));
  expect([status, body]).toEqual([429, { error: "Too many uploads. Please wait a few minutes" }]);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect((await at.upload(other, file(png))).status).toBe(200);
});

test("an account keeps a bounded number of files and bytes", async () => {
  const mine = await account();
  await stores.pg.pool.query(
    `INSERT INTO uploads (account_id, file, bytes, width, height, created_at, used_at)
     SELECT $1, n || '.png', 1, 1, 1, now(), now() FROM generate_series(1, 2000) AS n`,
    [mine],
  );
  const { status, body } = await at.upload(mine, file(png));
  expect([status, body["error"]]).toEqual([409, expect.stringContaining("at most 2,000 files")]);
  const large = await account();
  await stores.pg.pool.query(
    `INSERT INTO uploads (account_id, file, bytes, width, height, created_at, used_at)
     SELECT $1, n || '.mp4', 1024 * 1024 * 1024, 1, 1, now(), now() FROM generate_series(1, 4) AS n`,
    [large],
  );
  const full = await at.upload(large, file(png));
  expect([full.status, full.body["error"]]).toEqual([409, expect.stringContaining("at most 4 GB of files")]);
});

test("files that nothing has used for a week are deleted, unless another account has them", async () => {
  const [one, other] = [await account(), await account()];
  const shared = await at.upload(one, file(await somePng(11, 11)));
  const own = await at.upload(one, file(await somePng(12, 12)));
  await at.upload(other, file(await somePng(11, 11)));
  const names = [shared, own].map(({ body }) => String(body["url"]).slice("/files/".length));
  await stores.pg.pool.query("UPDATE uploads SET used_at = now() - interval '8 days' WHERE account_id = $1", [one]);
  await at.jobs.start();
  await at.jobs.send("sweep-uploads", {});
  await expect.poll(() => uploadsOf(one)).toEqual([]);
  await expect.poll(async () => (await at.stored()).includes(names[1] ?? "")).toBe(false);
  expect(await at.stored()).toContain(names[0]);
  expect(await uploadsOf(other)).toEqual([{ file: names[0] }]);
});
