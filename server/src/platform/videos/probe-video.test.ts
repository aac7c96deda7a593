import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { probeVideo } from "./probe-video.ts";
import { box, deepBoxes, mp4Of, someVideo } from "./testing/some-videos.ts";

const dir = await mkdtemp(join(tmpdir(), "millrace-videos-"));
afterAll(() => rm(dir, { recursive: true }));

async function probed(content: Buffer, mostMs?: number) {
  const path = join(dir, "video");
  await writeFile(path, content);
  return probeVideo({ path, bytes: content.length }, mostMs);
}
const refusalOf = async (content: Buffer, mostMs?: number): Promise<string> => {
  const error: unknown = await probed(content, mostMs).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "unprocessable" });
  return (error as Error).message;
};

test.each([
  ["h264.mp4", "mp4", "video/mp4", 4000, "H.264, AAC", true],
  ["hevc.mp4", "mp4", "video/mp4", 2000, "H.265", false],
  ["h264.mov", "mov", "video/quicktime", 2000, "H.264", false],
  ["mpeg4.avi", "avi", "video/x-msvideo", 2000, "MPEG-4 Visual", false],
] as const)(
  "%s is measured, and it is known whether devices play it",
  async (name, extension, type, ms, codecs, plays) => {
    const content = await someVideo(name);
    const video = await probed(content);
    expect(video).toMatchObject({
      extension,
      width: 320,
      height: 180,
      facts: { type, duration_ms: ms, codecs, plays },
    });
    expect(video.facts.bitrate_kbps).toBe(Math.round((content.length * 8) / ms));
  },
);

test("a video that a phone recorded upright is measured upright", async () => {
  const video = await someVideo("h264.mp4");
  // The track's matrix (ISO/IEC 14496-12, section 8.3.2): a quarter turn.
  const matrix = video.indexOf("tkhd") + 4 + 40;
  const turned = Buffer.from(video);
  for (const [place, value] of [0, 0x00010000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000].entries())
    turned.writeUInt32BE(value, matrix + 4 * place);
  expect(await probed(turned)).toMatchObject({ width: 180, height: 320 });
});

const mp4 = await someVideo("h264.mp4");
const avi = await someVideo("mpeg4.avi");
const TYPES = "Use a video in MP4, MOV or AVI format";
const DAMAGED = "This video is damaged or incomplete";
const NO_VIDEO = "This file has no video in it";

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ["a page", () => Buffer.from("<!doctype html><script>alert(1)</script>"), TYPES],
  ["a playlist", () => Buffer.from("#EXTM3U\nhttp://169.254.169.254/latest/meta-data\n"), TYPES],
  ["a WebM", () => Buffer.from("1a45dfa39f4286810142f7810142f2810442f381084282847765626d", "hex"), TYPES],
  ["a wave file", () => Buffer.from("RIFF\u0024\0\0\0WAVEfmt "), TYPES],
  ["a ZIP", () => Buffer.concat([Buffer.from("504b0304", "hex"), mp4]), TYPES],
  ["half a signature", () => mp4.subarray(0, 6), TYPES],
  ["a sound", () => someVideo("audio.mp4"), NO_VIDEO],
  ["a picture that is called a video", () => box("ftyp", Buffer.from("avif\0\0\0\0avifmif1")), TYPES],
  ["a video's signature alone", () => mp4Of(), NO_VIDEO],
  ["boxes 20,000 deep", () => mp4Of(deepBoxes(20_000)), NO_VIDEO],
  ["600,000 empty boxes", () => mp4Of(Buffer.from("\0\0\0\u0008free".repeat(600_000))), NO_VIDEO],
  ["a box of four gigabytes in a small file", () => mp4Of(box("moov", Buffer.alloc(99), 0xffffffff)), DAMAGED],
  ["half an MP4", () => mp4.subarray(0, mp4.length / 2), DAMAGED],
  ["half an AVI", () => avi.subarray(0, avi.length / 2), DAMAGED],
  ["an AVI that declares four gigabytes", () => declared(avi), DAMAGED],
  [
    "an MP4 with a ZIP after its end",
    () => Buffer.concat([mp4, Buffer.from("PK\u0003\u0004"), Buffer.alloc(99)]),
    DAMAGED,
  ],
  ["a video of 190 seconds", () => someVideo("long.mp4"), "Use a video of at most 3 minutes"],
  ["a video of 0.4 seconds", () => someVideo("short.mp4"), "Use a video of at least 1 second"],
  ["a video 4,112 pixels wide", () => someVideo("wide.mp4"), "Use a video of at most 4096 × 4096 pixels"],
])("%s is refused with its own message", async (_, make, sentence) => {
  const content = await make();
  const before = process.memoryUsage().rss;
  expect(await refusalOf(content)).toBe(sentence);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
});

function declared(video: Buffer): Buffer {
  const changed = Buffer.from(video);
  changed.writeUInt32LE(0xffffffff, 4);
  return changed;
}

test("a video that takes too long to read is refused, and its reader is ended", async () => {
  expect(await refusalOf(mp4, 1)).toBe("This video takes too long to read. Use a simpler one");
});
