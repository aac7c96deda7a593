import { expect, test } from "vitest";
import { comparedAs } from "./compared-as.ts";

const image = { format: "image", file: "a.png", width: 320, height: 480, video: null };
const video = { format: "video", file: "a.mp4", width: 1920, height: 1080, video: { duration_ms: 15_040 } };

test.each([
  [image, "Full-screen images"],
  [{ ...image, width: 480, height: 320 }, "Full-screen images"],
  [{ ...image, format: "banner", width: 320, height: 50 }, "Banners of 320×50"],
  [video, "Landscape videos of 15 s, MP4"],
  [{ ...video, width: 1080, height: 1080 }, "Landscape videos of 15 s, MP4"],
  [{ ...video, width: 1080, height: 1920, file: "a.mov" }, "Portrait videos of 15 s, MOV"],
])("%j is compared with its like", (creative, like) => {
  expect(comparedAs(creative)).toBe(like);
});
