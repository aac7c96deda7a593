import { expect, test } from "vitest";
import { fileSizeText, misfitOf, playWarning, refusalsOf, uploadText } from "./upload-rules.ts";

const MB = 1024 * 1024;

test.each([
  ["a.png", "image/png", 5 * MB],
  ["a.jpg", "image/jpeg", 1],
  ["a.gif", "image/gif", 10],
  ["A.JPEG", "", 10],
])("%s (%s) of %i bytes can be uploaded", (name, type, size) => {
  expect(refusalsOf({ name, type, size }, "image")).toEqual([]);
});

test("every reason for a refusal is told", () => {
  expect(refusalsOf({ name: "a.bmp", type: "image/bmp", size: 5 * MB + 1 }, "image")).toEqual([
    "a.bmp: only PNG, JPEG and GIF images can be uploaded",
    "a.bmp: the file is larger than 5 MB",
  ]);
  expect(refusalsOf({ name: "a.png", type: "image/png", size: 0 }, "image")).toEqual(["a.png: the file is empty"]);
  expect(refusalsOf({ name: "a.svg", type: "image/svg+xml", size: 1 }, "image")).toHaveLength(1);
});

test("a banner has exactly its place's size, and an image any", () => {
  const image = { url: "/files/a.png", size: 1, width: 640, height: 100 };
  const banner = { width: 320, height: 50 };
  expect(misfitOf(image, "banner", banner)).toBe("This image has 640 × 100 pixels, and the banner 320 × 50");
  expect(misfitOf({ ...image, ...banner }, "banner", banner)).toBeNull();
  expect(misfitOf(image, "image", banner)).toBeNull();
});

test("a file's size is short", () => {
  expect([1, 22_528, 1.5 * MB].map(fileSizeText)).toEqual(["1 KB", "22 KB", "1.5 MB"]);
});

test.each([
  ["a.mp4", "video/mp4", []],
  ["a.MOV", "video/quicktime", []],
  ["a.avi", "video/vnd.avi", []],
  ["a.avi", "", []],
  ["a.webm", "video/webm", ["a.webm: only MP4, MOV and AVI videos can be uploaded"]],
  ["a.png", "image/png", ["a.png: only MP4, MOV and AVI videos can be uploaded"]],
])("of %s (%s) as a video is said: %j", (name, type, refusals) => {
  expect(refusalsOf({ name, type, size: 50 * MB }, "video")).toEqual(refusals);
  const large = [...refusals, `${name}: the file is larger than 50 MB`];
  expect(refusalsOf({ name, type, size: 50 * MB + 1 }, "video")).toEqual(large);
});

const video = {
  type: "video/mp4",
  duration_ms: 15_040,
  bitrate_kbps: 900,
  codecs: "H.265, AAC",
  plays: false,
} as const;

test("a video's length and codecs are told, and that most devices cannot play it", () => {
  const file = { url: "/files/a.mp4", size: 1.5 * MB, width: 640, height: 360, video };
  expect(uploadText(file)).toBe("640 × 360 pixels, 15 s, H.265, AAC, 1.5 MB");
  expect(uploadText({ ...file, video: null })).toBe("640 × 360 pixels, 1.5 MB");
  expect(playWarning(video)).toMatch(/^Most phones and browsers cannot play H\.265, AAC/);
  expect(playWarning({ ...video, type: "video/quicktime" })).toMatch(/^Only places that ask for video\/quicktime/);
  expect(playWarning({ ...video, plays: true })).toBeNull();
});
