import type { Metadata, Sharp } from "sharp";
import { Problem } from "../http/problem.ts";

/** The largest width and height in pixels. */
export const MOST_SIDE = 4096;
/** The most frames of an animation, and the most pixels of all frames together. */
export const MOST_FRAMES = 200;
export const MOST_PIXELS = MOST_SIDE * MOST_SIDE;
const MOST_SECONDS = 10;

type ImageExtension = "png" | "jpg" | "gif";

/** The first bytes of each type. */
const SIGNATURES: readonly [extension: ImageExtension, ...signatures: Buffer[]][] = [
  ["png", Buffer.from("89504e470d0a1a0a", "hex")],
  ["jpg", Buffer.from("ffd8ff", "hex")],
  ["gif", Buffer.from("GIF87a"), Buffer.from("GIF89a")],
];

export interface CleanImage {
  content: Buffer;
  extension: ImageExtension;
  /** Of one frame, in pixels. */
  width: number;
  height: number;
}

/**
 * Decodes an image and encodes its pixels anew, so that nothing else of the upload is left: no metadata, no appended
 * script. The type is decided by the bytes; animated GIFs stay animated. Works outside the event loop. Problem
 * `unprocessable` with the reason for anything but an intact PNG, JPEG or GIF within the limits.
 */
export async function cleanImage(bytes: Buffer): Promise<CleanImage> {
  const extension = typeOf(bytes);
  if (!extension) throw refused("Use an image in PNG, JPEG or GIF format");
  const sharp = await restricted();
  const source = (options: { animated?: boolean } = {}) =>
    sharp(bytes, { ...options, failOn: "error", limitInputPixels: MOST_PIXELS });
  // From the header alone, before any pixel is decoded.
  const declared = await readable(source().metadata());
  const fault = faultOf(declared);
  if (fault !== null) throw refused(fault);
  const { data, info } = await readable(
    encoded(source({ animated: extension === "gif" }), extension)
      .timeout({ seconds: MOST_SECONDS })
      .toBuffer({ resolveWithObject: true }),
  );
  return { content: data, extension, width: info.width, height: info.pageHeight ?? info.height };
}

const typeOf = (bytes: Buffer): ImageExtension | undefined =>
  SIGNATURES.find(([, ...signatures]) =>
    signatures.some((signature) => bytes.subarray(0, signature.length).equals(signature)),
  )?.[0];

/**
 * The library, with settings of the whole process. It is loaded for the first image, since it takes tens of megabytes, which
 * a process without uploads does not need.
 */
async function restricted() {
  const { default: sharp } = await import("sharp");
  // One thread per image and nothing kept between them: images must not take the processor or the memory from auctions.
  sharp.concurrency(1);
  sharp.cache(false);
  // Of the library's many decoders, those of SVG and PDF among them, only these can be reached.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer", "VipsForeignLoadNsgifBuffer"],
  });
  return sharp;
}

function encoded(image: Sharp, extension: ImageExtension): Sharp {
  switch (extension) {
    case "png":
      return image.png();
    case "jpg":
      // The orientation is metadata, so it is applied to the pixels.
      return image.autoOrient().jpeg({ quality: 90 });
    case "gif":
      return image.gif();
  }
}

function faultOf({ width, height, pages = 1 }: Metadata): string | null {
  if (width > MOST_SIDE || height > MOST_SIDE) return `Use an image of at most ${MOST_SIDE} × ${MOST_SIDE} pixels`;
  if (pages > MOST_FRAMES) return `Use an animation of at most ${MOST_FRAMES} frames`;
  if (width * height * pages > MOST_PIXELS) return "This animation has too many frames for its size";
  return null;
}

/** The result of the library; its failures are Problems, since the bytes are their only cause. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("exceeds pixel limit"))
      throw refused(`Use an image of at most ${MOST_SIDE} × ${MOST_SIDE} pixels`);
    if (message.includes("timeout")) throw refused("This image takes too long to read. Use a simpler one");
    throw refused("This image is damaged or incomplete");
  }
}

const refused = (sentence: string) => new Problem("unprocessable", sentence);

/** A picture as PNG; `pixels` has three bytes (red, green, blue) for each. */
export async function pngOf(pixels: Uint8Array, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const sharp = await restricted();
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
