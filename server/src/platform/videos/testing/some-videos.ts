import { readFile } from "node:fs/promises";

/**
 * Small real videos that ffmpeg made of its own test sources (`testsrc2`, `color`, `sine`), encoded as their names say.
 * `audio.mp4` is a sound without a picture.
 */
export const someVideo = (
  name: `${"h264" | "hevc" | "audio" | "long" | "short" | "wide"}.mp4` | "h264.mov" | "mpeg4.avi",
): Promise<Buffer> => readFile(new URL(`../fixtures/${name}`, import.meta.url));

/** A box of an ISO base media file (ISO/IEC 14496-12, section 4.2). */
export function box(type: string, content: Buffer, declared = content.length + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(declared, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

const FILE_TYPE = box("ftyp", Buffer.from("isom\0\0\u0002\0isomiso2avc1mp41", "latin1"));
export const mp4Of = (...boxes: Buffer[]): Buffer => Buffer.concat([FILE_TYPE, ...boxes]);

/** Boxes within boxes, as deep as asked for. */
export function deepBoxes(depth: number): Buffer {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) inner = box(level % 2 === 0 ? "moov" : "trak", inner);
  return inner;
}
