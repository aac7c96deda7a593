/** A video track for an MP4 file. Every sample lasts equally long; the first is the only key frame. */
export interface Track {
  width: number;
  height: number;
  sequence: Buffer;
  picture: Buffer;
  samples: Buffer[];
  samplesPerSecond: number;
}

const TIMESCALE = 1000;

/** An MP4 file (ISO/IEC 14496-12 and -15) that starts to play before it is loaded: the index stands before the pictures. */
export function mp4File(track: Track): Buffer {
  // Each sample is one unit behind its length.
  const samples = track.samples.map((sample) => Buffer.concat([u32(sample.length), sample]));
  const head = box("ftyp", text("isom"), u32(0x200), text("isomiso2avc1mp41"));
  // The index holds the offset of the pictures, which does not change the index's own length.
  const offset = head.length + index(track, samples, 0).length + 8;
  return Buffer.concat([head, index(track, samples, offset), box("mdat", ...samples)]);
}

function index(track: Track, samples: Buffer[], offset: number): Buffer {
  const step = TIMESCALE / track.samplesPerSecond;
  const duration = step * samples.length;
  return box(
    "moov",
    full("mvhd", u32(0, 0, TIMESCALE, duration, 0x10000), u16(0x100, 0), u32(0, 0), MATRIX, u32(0, 0, 0, 0, 0, 0, 2)),
    box(
      "trak",
      full(
        "tkhd",
        3,
        u32(0, 0, 1, 0, duration, 0, 0),
        u16(0, 0, 0, 0),
        MATRIX,
        u32(track.width << 16, track.height << 16),
      ),
      box(
        "mdia",
        full("mdhd", u32(0, 0, TIMESCALE, duration), u16(0x55c4, 0)),
        full("hdlr", u32(0), text("vide"), u32(0, 0, 0), text("video\0")),
        box(
          "minf",
          full("vmhd", 1, u16(0, 0, 0, 0)),
          box("dinf", full("dref", u32(1), full("url ", 1))),
          box(
            "stbl",
            full("stsd", u32(1), sampleEntry(track)),
            full("stts", u32(1, samples.length, step)),
            full("stss", u32(1, 1)),
            full("stsc", u32(1, 1, samples.length, 1)),
            full("stsz", u32(0, samples.length, ...samples.map(({ length }) => length))),
            full("stco", u32(1, offset)),
          ),
        ),
      ),
    ),
  );
}

function sampleEntry({ width, height, sequence, picture }: Track): Buffer {
  const profile = sequence.subarray(1, 4);
  const configuration = Buffer.concat([
    Buffer.from([1]),
    profile,
    // Lengths of 4 bytes, one sequence, one picture set.
    Buffer.from([0xff, 0xe1]),
    u16(sequence.length),
    sequence,
    Buffer.from([1]),
    u16(picture.length),
    picture,
  ]);
  return box(
    "avc1",
    u16(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    box("avcC", configuration),
  );
}

/** A box: length, name, content. */
function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), text(name), body]);
}

/** A box with version 0 and flags. */
function full(name: string, ...content: [number, ...Buffer[]] | Buffer[]): Buffer {
  const [first, ...rest] = content;
  if (typeof first === "number") return box(name, u32(first), ...(rest as Buffer[]));
  return box(name, u32(0), ...(content as Buffer[]));
}

const text = (ascii: string) => Buffer.from(ascii, "latin1");

function u16(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 2);
  for (const [place, value] of values.entries()) out.writeUInt16BE(value, place * 2);
  return out;
}

function u32(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 4);
  for (const [place, value] of values.entries()) out.writeUInt32BE(value, place * 4);
  return out;
}

/** No rotation, no scaling. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
