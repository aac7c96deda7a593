import sharp from "sharp";
import { expect, test } from "vitest";
import { MOST_FRAMES, MOST_PIXELS, MOST_SIDE, cleanImage } from "./clean-image.ts";
import { declaredPng, photoWithPlace, someGif, someJpeg, somePng } from "./testing/some-images.ts";

const refusalOf = async (bytes: Buffer): Promise<string> => {
  const error: unknown = await cleanImage(bytes).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "unprocessable" });
  return (error as Error).message;
};

test("the type is decided by the bytes, and the size is measured", async () => {
  expect(await cleanImage(await somePng(300, 250))).toMatchObject({ extension: "png", width: 300, height: 250 });
  expect(await cleanImage(await someJpeg(728, 90))).toMatchObject({ extension: "jpg", width: 728, height: 90 });
  expect(await cleanImage(someGif())).toMatchObject({ extension: "gif", width: 320, height: 50 });
});

test("the largest image is decoded", { timeout: 60_000 }, async () => {
  const { width, height } = await cleanImage(await somePng(MOST_SIDE, MOST_SIDE));
  expect(width * height).toBe(MOST_PIXELS);
});

test("an animated GIF keeps its frames and their pace", async () => {
  const { content, width, height } = await cleanImage(someGif({ frames: 12, delay: 25 }));
  expect([width, height]).toEqual([320, 50]);
  const { pages, delay } = await sharp(content, { animated: true }).metadata();
  // Frames that look the same may be joined, in which case the joined ones stay as long as before.
  expect(delay?.reduce((sum, one) => sum + one, 0)).toBe(12 * 250);
  expect(pages).toBeGreaterThanOrEqual(1);
});

test("a photo loses its place and its author, and stands upright", async () => {
  const photo = await photoWithPlace(300, 50);
  expect((await sharp(photo).metadata()).exif?.includes("A photographer")).toBe(true);
  const { content, width, height } = await cleanImage(photo);
  expect([width, height]).toEqual([50, 300]);
  const { exif, icc, xmp, iptc, orientation } = await sharp(content).metadata();
  expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(content.includes("photographer")).toBe(false);
});

const PAYLOAD = "<script>alert(document.domain)</script>";
test.each([
  ["a PNG with a page after its end", async () => Buffer.concat([await somePng(), Buffer.from(PAYLOAD)])],
  ["a JPEG with a page after its end", async () => Buffer.concat([await someJpeg(), Buffer.from(PAYLOAD)])],
  ["a JPEG with a page in its comment", async () => withJpegComment(await someJpeg(), PAYLOAD)],
  ["a GIF with a page after its end", async () => Buffer.concat([someGif(), Buffer.from(PAYLOAD)])],
  ["a GIF with a page in its comment", async () => someGif({ comment: PAYLOAD })],
])("nothing but its pixels is left of %s", async (_, make) => {
  const bytes = await make();
  expect(bytes.includes(PAYLOAD)).toBe(true);
  const { content, width, height } = await cleanImage(bytes);
  expect([width, height]).toEqual([320, 50]);
  expect(content.includes("<script")).toBe(false);
  expect(content.includes("alert")).toBe(false);
});

function withJpegComment(jpeg: Buffer, comment: string): Buffer {
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xfffe, 0);
  segment.writeUInt16BE(comment.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, Buffer.from(comment), jpeg.subarray(2)]);
}

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="50"><script>alert(1)</script></svg>`;
test.each([
  ["text", Buffer.from("not an image")],
  ["an SVG", Buffer.from(svg)],
  ["an SVG after a byte order mark", Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`)],
  ["a page", Buffer.from(`<!doctype html>${PAYLOAD}`)],
  ["a PDF", Buffer.from("%PDF-1.7\n")],
  ["a ZIP", Buffer.from("504b030414000000", "hex")],
  ["a WebP", Buffer.from("RIFF\u0010\u0000\u0000\u0000WEBPVP8 ")],
  ["a video", Buffer.from("0000001c6674797069736f6d", "hex")],
  ["half a signature", Buffer.from("89504e47", "hex")],
  ["nothing", Buffer.alloc(0)],
])("%s is no image, whatever it is called", async (_, bytes) => {
  expect(await refusalOf(bytes)).toBe("Use an image in PNG, JPEG or GIF format");
});

/** Pixels that do not compress, so that half of the file is half of the picture. */
const noise = () =>
  sharp(Buffer.from(Array.from({ length: 200 * 200 * 3 }, (_, i) => (i * i * 7919) % 251)), {
    raw: { width: 200, height: 200, channels: 3 },
  });
const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));
test.each([
  ["half a PNG", async () => half(await noise().png().toBuffer())],
  ["half a JPEG", async () => half(await noise().jpeg().toBuffer())],
  ["half a GIF", async () => half(await noise().gif().toBuffer())],
  [
    "a PNG's signature before garbage",
    async () => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(99, 7)]),
  ],
  ["an SVG behind a JPEG's signature", async () => Buffer.concat([Buffer.from("ffd8ff", "hex"), Buffer.from(svg)])],
  ["a GIF without a frame", async () => someGif({ frames: 0 })],
  ["a PNG without width and height", async () => declaredPng(await somePng(), 0, 0)],
  ["a GIF without width and height", async () => someGif({ width: 0, height: 0, frames: 0 })],
])("%s is damaged", async (_, make) => {
  expect(await refusalOf(await make())).toBe("This image is damaged or incomplete");
});

test.each([
  ["a PNG that declares 2.5 gigapixels", async () => declaredPng(await somePng(), 50_000, 50_000), "pixels"],
  [
    "a PNG that declares the most that there is",
    async () => declaredPng(await somePng(), 2 ** 31 - 1, 2 ** 31 - 1),
    "",
  ],
  ["a PNG that is a line", async () => declaredPng(await somePng(), MOST_SIDE + 1, 1), "4096 × 4096 pixels"],
  ["a GIF of 3,000 frames", async () => someGif({ frames: 3000 }), `${MOST_FRAMES} frames`],
  ["a GIF of 150 large frames", async () => someGif({ frames: 150, width: 1000, height: 1000 }), "too many frames"],
])("%s is refused before it is decoded", async (_, make, sentence) => {
  const bytes = await make();
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  expect(await refusalOf(bytes)).toContain(sentence);
  expect(performance.now() - begun).toBeLessThan(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
});
