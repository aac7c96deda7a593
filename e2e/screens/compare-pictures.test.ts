import sharp from "sharp";
import { expect, test } from "vitest";
import { TOLERATED_PIXELS, comparePictures, differenceInWords, isSame } from "./compare-pictures.ts";

const WIDTH = 300;
const HEIGHT = 120;

interface Text {
  text?: string;
  ink?: string;
  page?: string;
  height?: number;
}

/** A picture of a word on a page. */
const picture = ({ text = "Revenue", ink = "#111", page = "#fff", height = HEIGHT }: Text = {}) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}">
      <rect width="100%" height="100%" fill="${page}"/>
      <text x="20" y="60" font-family="sans-serif" font-size="13" fill="${ink}">${text}</text>
    </svg>`),
  ).png();

const compared = async (one: Text, other: Text) =>
  comparePictures(await picture(one).toBuffer(), await picture(other).toBuffer());

test("a picture equals itself, also in another format", async () => {
  const difference = await comparePictures(
    await picture().toBuffer(),
    await picture().webp({ lossless: true }).toBuffer(),
  );
  expect(difference).toMatchObject({ pixels: 0, share: 0 });
  expect(isSame(difference)).toBe(true);
});

test("one figure that has changed makes another picture", async () => {
  expect(isSame(await compared({ text: "$1,204.18" }, { text: "$1,204.13" }))).toBe(false);
  expect(isSame(await compared({ text: "1 app" }, { text: "7 app" }))).toBe(false);
});

test("a label in a slightly paler grey makes another picture", async () => {
  expect(isSame(await compared({ ink: "#5f6672" }, { ink: "#6f7682" }))).toBe(false);
});

test("a page whose colour has hardly changed is the same, one whose colour shows it is not", async () => {
  expect(isSame(await compared({ page: "#ffffff" }, { page: "#fefefe" }))).toBe(true);
  expect(isSame(await compared({ page: "#ffffff" }, { page: "#f4f5f7" }))).toBe(false);
});

test("as many pixels as are tolerated may differ, and no more", async () => {
  const kept = await picture().toBuffer();
  const dotted = async (dots: number) => {
    const line = { create: { width: dots, height: 1, channels: 3, background: "#c00" } } as const;
    return comparePictures(
      kept,
      await picture()
        .composite([{ input: line, left: 20, top: 100 }])
        .toBuffer(),
    );
  };
  expect(isSame(await dotted(TOLERATED_PIXELS))).toBe(true);
  expect(isSame(await dotted(TOLERATED_PIXELS + 1))).toBe(false);
});

test("a longer page differs where only one of the two has something, and its sizes are named", async () => {
  const difference = await compared({}, { height: HEIGHT + 10 });
  expect(difference.pixels).toBe(10 * WIDTH);
  expect(isSame(difference)).toBe(false);
  expect(differenceInWords("apps, light", difference)).toBe(
    "apps, light: 3,000 pixels (7.69%) differ; was 300 × 120, is 300 × 130",
  );
  // Also when the missing part is no more than the tolerance.
  expect(isSame({ ...difference, pixels: 0 })).toBe(false);
});

test("the picture of the difference is red where the two differ and nowhere else", async () => {
  const { pixels, picture: drawn } = await compared({}, { text: "Requests" });
  const { data } = await sharp(drawn).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let red = 0;
  for (let at = 0; at < data.length; at += 3) if (data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0) red++;
  expect(red).toBe(pixels);
  expect(pixels).toBeGreaterThan(50);
});
