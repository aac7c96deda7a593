import { expect, test } from "vitest";
import { downloadBudget } from "../../core/download-budget.ts";
import { chooseMedia } from "./choose-media.ts";
import type { MediaFile } from "./read-vast.ts";

const file = (more: Partial<MediaFile>): MediaFile => ({
  url: "https://cdn.test/v.mp4",
  type: "video/mp4",
  w: 640,
  h: 360,
  bitrate: 800,
  bytes: 0,
  ...more,
});
const [small, middle, large] = [
  file({ w: 320, bytes: 400_000 }),
  file({ w: 640, bitrate: 800 }),
  file({ w: 1920, bytes: 9_000_000 }),
];
const of = (width: number, canPlay: (type: string) => boolean = () => true) => ({
  kind: "video" as const,
  width,
  durationSeconds: 10,
  canPlay,
});
const unlimited = () => downloadBudget(undefined);

test("the file whose width is nearest to the screen's is played", () => {
  expect(chooseMedia([large, middle, small], of(360), unlimited()).file).toBe(small);
  expect(chooseMedia([large, middle, small], of(1440), unlimited()).file).toBe(large);
});

test("what the device cannot play, or is of another kind, is left out", () => {
  const files = [file({ type: "video/webm" }), file({ type: "audio/mpeg" })];
  expect(
    chooseMedia(
      files,
      of(640, (type) => type === "audio/mpeg"),
      unlimited(),
    ),
  ).toEqual({
    file: null,
    isOverBudget: false,
  });
});

test("a smaller file is played where the budget does not suffice, which takes its bytes; then none", () => {
  const budget = downloadBudget(1.5);
  expect(chooseMedia([large, middle, small], of(1920), budget).file).toBe(middle);
  expect(chooseMedia([large, middle, small], of(1920), budget).file).toBe(small);
  expect(chooseMedia([large, middle, small], of(1920), budget)).toEqual({ file: null, isOverBudget: true });
});
