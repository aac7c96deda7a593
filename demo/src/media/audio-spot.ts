import { bitWriter } from "./bit-writer.ts";
import type { BitWriter } from "./bit-writer.ts";

/**
 * MPEG-1 Layer III, mono, 44.1 kHz, 32 kbit/s, the least of it: each granule names one spectral line of height 1 in the
 * part of the spectrum that is coded by a fixed four-bit table, and the gain gives it its loudness.
 */
const FRAME_BYTES = 104;
const HEADER = Buffer.from([0xff, 0xfb, 0x10, 0xc4]);
const SAMPLES_PER_FRAME = 1152;
const SAMPLE_RATE = 44_100;

/** Spectral lines, 38 Hz apart: about C, E, G and C above. */
const MELODY = [13, 17, 20, 27, 20, 17] as const;
const NOTE_SECONDS = 0.5;
/** Gain in quarters of a power of two; 210 is full scale. */
const LOUDEST = 196;
const DECAY_PER_NOTE = 22;

/** An MP3 file of so many seconds: a soft arpeggio. */
export function audioSpot(seconds: number): Buffer {
  const frames = Math.ceil((seconds * SAMPLE_RATE) / SAMPLES_PER_FRAME);
  return Buffer.concat(Array.from({ length: frames }, (_, frame) => frameAt(frame)));
}

function frameAt(frame: number): Buffer {
  const second = (frame * SAMPLES_PER_FRAME) / SAMPLE_RATE;
  const note = Math.floor(second / NOTE_SECONDS);
  const line = MELODY[note % MELODY.length] ?? MELODY[0];
  const gain = Math.round(LOUDEST - ((second / NOTE_SECONDS) % 1) * DECAY_PER_NOTE);

  const side = bitWriter();
  const data = bitWriter();
  side.bits(0, 9 + 5 + 4); // main data starts here; private; no shared scale factors
  for (let granule = 0; granule < 2; granule++) {
    const before = data.length();
    spectrum(data, line, granule === 0 ? 0 : 1);
    side.bits(data.length() - before, 12);
    side.bits(0, 9); // no big values
    side.bits(gain, 8);
    side.bits(0, 4 + 1 + 15 + 4 + 3 + 2);
    side.bits(1, 1); // the fixed table
  }
  const out = Buffer.alloc(FRAME_BYTES);
  Buffer.concat([HEADER, side.finish(), data.finish()]).copy(out);
  return out;
}

/** Zeros up to `line`, then a one: groups of four, inverted, each one followed by its sign. */
function spectrum(data: BitWriter, line: number, sign: 0 | 1): void {
  const groups = Math.floor(line / 4);
  for (let group = 0; group < groups; group++) data.bits(0b1111, 4);
  data.bits(0b1111 ^ (0b1000 >> (line % 4)), 4);
  data.bits(sign, 1);
}
