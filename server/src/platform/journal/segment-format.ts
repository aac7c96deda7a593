import { crc32 } from "node:zlib";

/**
 * A segment is a run of frames, one for each table and commit: a header line `table count bytes crc`, then `bytes` of
 * newline-terminated JSON rows. The checksum covers the segment's name, table, count and rows, so that a crash in mid-write is
 * detected wherever it tore the file, and old content of a reused file is never read.
 */
export interface Frame {
  table: string;
  count: number;
  rows: Buffer;
}

export function encodeFrame(segment: string, { table, count, rows }: Frame): Buffer[] {
  return [Buffer.from(`${table} ${count} ${rows.length} ${checksum(segment, table, String(count), rows)}\n`), rows];
}

/** The complete frames of a segment, up to its end; the rest was never acknowledged or belongs to another segment. */
export function decodeFrames(segment: string, content: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at < content.length) {
    const headerEnd = content.indexOf(10, at);
    const header =
      headerEnd < 0
        ? null
        : /^(\w+) (\d+) (\d+) (\d+)$/.exec(content.toString("latin1", at, Math.min(headerEnd, at + LONGEST_HEADER)));
    if (!header) break;
    const [, table = "", count = "", bytes = "", crc = ""] = header;
    const start = headerEnd + 1;
    const rows = content.subarray(start, start + Number(bytes));
    if (rows.length !== Number(bytes) || checksum(segment, table, count, rows) !== Number(crc)) break;
    frames.push({ table, count: Number(count), rows });
    at = start + rows.length;
  }
  return frames;
}

/** Each table's frames joined in order, which are sent to the store as one block. */
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

const checksum = (segment: string, table: string, count: string, rows: Buffer) =>
  crc32(rows, crc32(`${segment} ${table} ${count} `));

/** After the end there may be megabytes without a newline. */
const LONGEST_HEADER = 200;
