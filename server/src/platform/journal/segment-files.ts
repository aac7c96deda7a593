import { mkdir, open, readFile, readdir, rename, stat, unlink, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { syncDir, undefinedIfGone } from "../files/folders.ts";
import { formerName } from "./refused-names.ts";

const ENDING = ".segment";
const SPARE_ENDING = ".spare";
const REFUSED_ENDING = ".refused";
/** Of rows that are being set aside: worth nothing, because their segment is still there. */
const HALF_ENDING = ".half";
const MOST_SPARES = 2;

/** An open segment. */
export interface SegmentFile {
  /** Returns once the bytes are on disk, after those of earlier appends. */
  append(buffers: readonly Buffer[]): Promise<void>;
  close(): Promise<void>;
  /** Closes after a failed append, and truncates what it may have left. */
  closeAt(bytes: number): Promise<void>;
}

/** The directory of segments. Stands between the journal and the disk, so that tests can let the disk fail. */
export interface SegmentFiles {
  create(name: string): Promise<SegmentFile>;
  /** The segment or its first bytes; undefined if it no longer exists. */
  read(name: string, bytes?: number): Promise<Buffer | undefined>;
  /** The store has it, so the file may become another segment. */
  release(name: string): Promise<void>;
  /** Keeps what the store refuses of a segment, of which it has the rest, as a segment of another name for the next start. */
  setAside(name: string, refused: { name: string; content: readonly Buffer[] }): Promise<void>;
  /** Makes segments of what was set aside. */
  takeBack(): Promise<void>;
  /** Segments of an earlier process, oldest first. */
  list(): Promise<{ name: string; bytes: number }[]>;
}

/**
 * Files are reused: overwriting existing blocks leaves the file system's metadata unchanged, so a sync does not wait
 * for other files' writes, as it does for a growing file. Old content after the new end is never read as a frame,
 * because a frame's checksum covers the segment's name.
 */
export async function segmentFiles(dir: string): Promise<SegmentFiles> {
  await mkdir(dir, { recursive: true });
  const pathOf = (name: string) => join(dir, name + ENDING);
  const spares = (await readdir(dir)).filter((file) => file.endsWith(SPARE_ENDING)).map((file) => join(dir, file));

  async function release(name: string): Promise<void> {
    if (spares.length >= MOST_SPARES) return unlink(pathOf(name));
    const spare = join(dir, name + SPARE_ENDING);
    await rename(pathOf(name), spare);
    spares.push(spare);
  }

  return {
    async create(name) {
      const spare = spares.pop();
      if (spare !== undefined) await rename(spare, pathOf(name));
      const file = await open(pathOf(name), spare === undefined ? "wx" : "r+", 0o600);
      try {
        await syncDir(dir);
      } catch (error) {
        await file.close();
        throw error;
      }
      return segmentFile(file);
    },
    read: (name, bytes) => readStart(pathOf(name), bytes).catch(undefinedIfGone),
    release,
    async setAside(name, refused) {
      const half = join(dir, refused.name + HALF_ENDING);
      await writeFile(half, Buffer.concat(refused.content), { mode: 0o600, flush: true });
      await rename(half, join(dir, refused.name + REFUSED_ENDING));
      await syncDir(dir);
      await release(name);
    },
    async takeBack() {
      const files = await readdir(dir);
      for (const file of files.filter((one) => one.endsWith(REFUSED_ENDING))) {
        const name = file.slice(0, -REFUSED_ENDING.length);
        const former = formerName(name);
        // Earlier versions set whole segments aside, of which the store has a part.
        if (former === undefined) continue;
        // A process that died after the rows were set aside left the segment, whose other rows the store has.
        if (files.includes(former + ENDING)) await unlink(pathOf(former));
        await rename(join(dir, file), pathOf(name));
      }
    },
    async list() {
      const files = (await readdir(dir)).filter((file) => file.endsWith(ENDING)).toSorted();
      return Promise.all(
        files.map(async (file) => ({
          name: file.slice(0, -ENDING.length),
          bytes: (await stat(join(dir, file))).size,
        })),
      );
    },
  };
}

function segmentFile(file: FileHandle): SegmentFile {
  let end = 0;
  return {
    async append(buffers) {
      end = await writeAll(file, buffers, end);
      await file.datasync();
    },
    close: () => file.close(),
    async closeAt(bytes) {
      try {
        await file.truncate(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** A nearly full disk writes a part; only the next write reports that it is full. Returns the new end. */
async function writeAll(file: FileHandle, buffers: readonly Buffer[], from: number): Promise<number> {
  let rest = buffers.filter(({ length }) => length > 0);
  let at = from;
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest, at);
    at += bytesWritten;
    while (rest[0] && bytesWritten >= rest[0].length) {
      bytesWritten -= rest[0].length;
      rest = rest.slice(1);
    }
    if (rest[0] && bytesWritten > 0) rest = [rest[0].subarray(bytesWritten), ...rest.slice(1)];
  }
  return at;
}

async function readStart(path: string, bytes: number | undefined): Promise<Buffer> {
  if (bytes === undefined) return readFile(path);
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
