import { crc32 } from "node:zlib";

/**
 * A segment is a run of frames, one for each table and commit: a header line `table count bytes crc`, then `bytes` of
 * newline-ended JSON rows. The checksum covers table, count and rows, so that a crash in mid-write is seen wherever it
 * tore the file.
 */
export interface Frame {
  table: string;
  count: number;
  rows: Buffer;
}

export function encodeFrame({ table, count, rows }: Frame): Buffer[] {
  return [Buffer.from(`${table} ${count} ${rows.length} ${checksum(table, String(count), rows)}\n`), rows];
}

/** The whole frames of a segment, up to the first that is torn; what follows it was never acknowledged. */
export function decodeFrames(segment: Buffer): { frames: Frame[]; torn: boolean } {
  const frames: Frame[] = [];
  let at = 0;
  while (at < segment.length) {
    const headerEnd = segment.indexOf(10, at);
    const header = headerEnd < 0 ? null : /^(\w+) (\d+) (\d+) (\d+)$/.exec(segment.toString("latin1", at, headerEnd));
    if (!header) return { frames, torn: true };
    const [, table = "", count = "", bytes = "", crc = ""] = header;
    const start = headerEnd + 1;
    const rows = segment.subarray(start, start + Number(bytes));
    if (rows.length !== Number(bytes) || checksum(table, count, rows) !== Number(crc)) return { frames, torn: true };
    frames.push({ table, count: Number(count), rows });
    at = start + rows.length;
  }
  return { frames, torn: false };
}

/** The frames of each table joined, in order: what is sent to the store as one block. */
export function joinFrames(frames: readonly Frame[]): Frame[] {
  const tables = [...new Set(frames.map(({ table }) => table))];
  return tables.map((table) => {
    const parts = frames.filter((frame) => frame.table === table);
    return {
      table,
      count: parts.reduce((sum, { count }) => sum + count, 0),
      rows: Buffer.concat(parts.map(({ rows }) => rows)),
    };
  });
}

const checksum = (table: string, count: string, rows: Buffer) => crc32(rows, crc32(`${table} ${count} `));
