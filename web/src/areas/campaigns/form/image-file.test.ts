import { expect, test } from "vitest";
import { fileSizeText, misfitOf, refusalsOf } from "./image-file.ts";

const MB = 1024 * 1024;

test.each([
  ["a.png", "image/png", 5 * MB],
  ["a.jpg", "image/jpeg", 1],
  ["a.gif", "image/gif", 10],
  ["A.JPEG", "", 10],
])("%s (%s) of %i bytes can be uploaded", (name, type, size) => {
  expect(refusalsOf({ name, type, size })).toEqual([]);
});

test("every reason for a refusal is told", () => {
  expect(refusalsOf({ name: "a.bmp", type: "image/bmp", size: 5 * MB + 1 })).toEqual([
    "a.bmp: only PNG, JPEG and GIF images can be uploaded",
    "a.bmp: the file is larger than 5 MB",
  ]);
  expect(refusalsOf({ name: "a.png", type: "image/png", size: 0 })).toEqual(["a.png: the file is empty"]);
  expect(refusalsOf({ name: "a.svg", type: "image/svg+xml", size: 1 })).toHaveLength(1);
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
