import pixelmatch from "pixelmatch";
import sharp from "sharp";

/**
 * Colours at a smaller distance are the same: in OKLab, where black and white are 1 apart. It is about the least that people see
 * between large areas side by side.
 */
const COLOUR_DISTANCE = 0.02;

/** So many pixels of a picture may differ: fewer than when one figure of the smallest type changes. */
export const TOLERATED_PIXELS = 12;

export interface Difference {
  pixels: number;
  /** Of all pixels, from 0 to 1. */
  share: number;
  /** "1440 × 900" before and after, if it has changed. */
  sizes?: readonly [string, string];
  /** A PNG of the kept picture, pale, with what differs in red. */
  picture: Buffer;
}

export const isSame = ({ pixels, sizes }: Difference): boolean => pixels <= TOLERATED_PIXELS && sizes === undefined;

/** Compares two pictures in any format. If their sizes differ, what only one of them has is different. */
export async function comparePictures(kept: Buffer, drawn: Buffer): Promise<Difference> {
  const [before, after] = await Promise.all([sizeOf(kept), sizeOf(drawn)]);
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const [beforePixels, afterPixels] = await Promise.all([
    pixelsOf(kept, before, { width, height }),
    pixelsOf(drawn, after, { width, height }),
  ]);
  const red = Buffer.alloc(beforePixels.length);
  // Smoothed edges count: without them, an 8 equals a 3.
  const options = { threshold: COLOUR_DISTANCE, includeAA: true };
  const pixels = pixelmatch(beforePixels, afterPixels, red, width, height, options);
  const picture = await sharp(red, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const sizes = [inWords(before), inWords(after)] as const;
  return { pixels, share: pixels / (width * height), picture, ...(sizes[0] === sizes[1] ? {} : { sizes }) };
}

interface Size {
  width: number;
  height: number;
}

const inWords = ({ width, height }: Size): string => `${width} × ${height}`;

async function sizeOf(picture: Buffer): Promise<Size> {
  const { width, height } = await sharp(picture).metadata();
  return { width, height };
}

/** A colour that no screen has. */
const NOWHERE = { r: 255, g: 0, b: 255, alpha: 1 };

/** Its pixels; right of the picture and below it, up to the size, they have the colour that no screen has. */
const pixelsOf = (picture: Buffer, size: Size, { width, height }: Size): Promise<Buffer> =>
  sharp(picture)
    .ensureAlpha()
    .extend({ right: width - size.width, bottom: height - size.height, background: NOWHERE })
    .raw()
    .toBuffer();

/** A line that says how a picture differs: "apps, light: 1,200 pixels (0.09%) differ; was 1440 × 900, is 1440 × 940". */
export function differenceInWords(name: string, { pixels, share, sizes }: Difference): string {
  const percent = (100 * share).toFixed(2);
  const size = sizes === undefined ? "" : `; was ${sizes[0]}, is ${sizes[1]}`;
  return `${name}: ${pixels.toLocaleString("en")} pixels (${percent}%) differ${size}`;
}
