import { bitWriter } from "./bit-writer.ts";
import type { BitWriter } from "./bit-writer.ts";

/**
 * The least H.264 that every player takes: constrained baseline, macroblocks either raw (I_PCM) or skipped. No compression
 * worth the name, but real video from a page of code, and a still background costs nothing after the first picture.
 */

/** A picture in YCbCr 4:2:0, 16 lines and columns to a macroblock. */
export interface Picture {
  /** Macroblocks across and down. */
  columns: number;
  rows: number;
  /** 384 bytes each: 256 Y, 64 Cb, 64 Cr; in raster order. */
  macroblocks: Uint8Array[];
}

const NAL = { slice: 0x41, idr: 0x65, sps: 0x67, pps: 0x68 } as const;
const MB_PCM_IN_I = 25;
const MB_PCM_IN_P = 30;

/** Sequence parameters for pictures of which the lowest `cropLines` lines are not shown. */
export function sequenceParameters({ columns, rows }: Picture, cropLines: number): Buffer {
  const out = nal(NAL.sps);
  out.bits(66, 8); // profile: baseline
  out.bits(0xc0, 8); // constrained
  out.bits(30, 8); // level 3
  out.ue(0); // id
  out.ue(0); // frame_num has 4 bits
  out.ue(2); // output in decoding order
  out.ue(1); // one reference picture
  out.bits(0, 1);
  out.ue(columns - 1);
  out.ue(rows - 1);
  out.bits(1, 1); // frames only
  out.bits(1, 1);
  out.bits(1, 1); // cropped: left, right, top, bottom in units of two lines
  for (const lines of [0, 0, 0, cropLines]) out.ue(lines / 2);
  out.bits(0, 1); // no VUI
  return sealed(out);
}

export function pictureParameters(): Buffer {
  const out = nal(NAL.pps);
  out.ue(0); // id
  out.ue(0); // of sequence 0
  out.bits(0, 2); // CAVLC, no field order
  out.ue(0); // one slice group
  out.ue(0);
  out.ue(0);
  out.bits(0, 3); // no weighted prediction
  out.ue(0);
  out.ue(0);
  out.ue(0);
  out.bits(0b100, 3); // deblocking can be switched off; the rest is off
  return sealed(out);
}

/** One coded picture: whole when `previous` is absent, else only the macroblocks that changed. */
export function codePicture(picture: Picture, previous: Picture | undefined, index: number): Buffer {
  return previous === undefined ? wholePicture(picture) : changedPicture(picture, previous, index);
}

function wholePicture({ macroblocks }: Picture): Buffer {
  const out = nal(NAL.idr);
  out.ue(0); // first macroblock
  out.ue(7); // I slice
  out.ue(0);
  out.bits(0, 4); // frame_num
  out.ue(0); // idr_pic_id
  out.bits(0, 2);
  out.ue(0); // qp delta
  out.ue(1); // no deblocking
  for (const macroblock of macroblocks) raw(out, MB_PCM_IN_I, macroblock);
  return sealed(out);
}

function changedPicture({ macroblocks }: Picture, previous: Picture, index: number): Buffer {
  const out = nal(NAL.slice);
  out.ue(0);
  out.ue(5); // P slice
  out.ue(0);
  out.bits(index % 16, 4); // frame_num
  out.bits(0, 3); // reference list and marking as they are
  out.ue(0);
  out.ue(1);
  let skipped = 0;
  for (const [place, macroblock] of macroblocks.entries()) {
    const before = previous.macroblocks[place];
    if (before !== undefined && Buffer.compare(before, macroblock) === 0) {
      skipped += 1;
      continue;
    }
    out.ue(skipped);
    skipped = 0;
    raw(out, MB_PCM_IN_P, macroblock);
  }
  if (skipped > 0) out.ue(skipped);
  return sealed(out);
}

function raw(out: BitWriter, type: number, macroblock: Uint8Array): void {
  out.ue(type);
  out.align();
  out.bytes(macroblock);
}

function nal(header: number): BitWriter {
  const out = bitWriter();
  out.bits(header, 8);
  return out;
}

/** Ends a unit (stop bit) and keeps start codes from appearing inside it (section 7.4.1). */
function sealed(out: BitWriter): Buffer {
  out.bits(1, 1);
  const plain = out.finish();
  const safe: number[] = [];
  let zeros = 0;
  for (const byte of plain) {
    if (zeros === 2 && byte <= 3) {
      safe.push(3);
      zeros = 0;
    }
    safe.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(safe);
}
