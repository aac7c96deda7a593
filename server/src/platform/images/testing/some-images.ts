import { crc32 } from "node:zlib";
import sharp from "sharp";

/** A plain image of this size. */
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 120, b: 200 } } });

export const somePng = (width = 320, height = 50): Promise<Buffer> => plain(width, height).png().toBuffer();
export const someJpeg = (width = 320, height = 50): Promise<Buffer> => plain(width, height).jpeg().toBuffer();

/** A photo that was taken on its side, with its place in the metadata. */
export const photoWithPlace = (width: number, height: number): Promise<Buffer> =>
  plain(width, height)
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: "A photographer" },
      IFD3: { GPSLatitude: "51/1 30/1 3230/100", GPSLatitudeRef: "N" },
    })
    .jpeg()
    .toBuffer();

/** An animated GIF whose frames each draw one pixel. GIF89a, sections 18 to 23. */
export function someGif({ frames = 1, width = 320, height = 50, delay = 10, comment = "" } = {}): Buffer {
  const short = (value: number) => [value % 256, Math.floor(value / 256)];
  const screen = [...short(width), ...short(height), 0x80, 0, 0];
  const colours = [0, 0, 0, 255, 255, 255];
  const frame = [0x21, 0xf9, 4, 4, ...short(delay), 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const remark = comment === "" ? [] : [0x21, 0xfe, comment.length, ...Buffer.from(comment), 0];
  const body = Array.from({ length: frames }, () => Buffer.from(frame));
  return Buffer.concat([
    Buffer.from("GIF89a"),
    Buffer.from([...screen, ...colours, ...remark]),
    ...body,
    Buffer.from(";"),
  ]);
}

/** A PNG whose header declares this size, whatever its data. */
export function declaredPng(png: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
}
