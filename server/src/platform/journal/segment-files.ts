import { mkdir, open, readFile, readdir, rename, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

const ENDING = ".segment";

/** An open segment. `append` returns once its bytes are on the disk. */
export interface SegmentFile {
  append(buffers: readonly Buffer[]): Promise<void>;
  /** Cuts off whatever a failed append left behind, and closes. */
  closeAt(bytes: number): Promise<void>;
}

/** The directory of segments. Stands between the journal and the disk, so that tests can let the disk fail. */
export interface SegmentFiles {
  create(name: string): Promise<SegmentFile>;
  /** Null when it is no longer there. */
  read(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
  /** Keeps a segment that the store refuses, out of the way. */
  setAside(name: string): Promise<void>;
  /** What an earlier process left, oldest first. */
  list(): Promise<{ name: string; bytes: number }[]>;
}

export async function segmentFiles(dir: string): Promise<SegmentFiles> {
  await mkdir(dir, { recursive: true });
  const pathOf = (name: string) => join(dir, name + ENDING);
  return {
    async create(name) {
      const file = await open(pathOf(name), "ax", 0o600);
      try {
        await syncDirectory(dir);
      } catch (error) {
        await file.close();
        throw error;
      }
      return segmentFile(file);
    },
    read: (name) => readFile(pathOf(name)).catch(nullIfGone),
    remove: (name) => unlink(pathOf(name)),
    setAside: (name) => rename(pathOf(name), join(dir, `${name}.refused`)),
    async list() {
      const names = (await readdir(dir)).filter((file) => file.endsWith(ENDING)).toSorted();
      return Promise.all(
        names.map(async (file) => ({
          name: file.slice(0, -ENDING.length),
          bytes: (await stat(join(dir, file))).size,
        })),
      );
    },
  };
}

function segmentFile(file: FileHandle): SegmentFile {
  return {
    async append(buffers) {
      await writeAll(file, buffers);
      await file.datasync();
    },
    async closeAt(bytes) {
      try {
        const { size } = await file.stat();
        if (size !== bytes) {
          await file.truncate(bytes);
          await file.datasync();
        }
      } finally {
        await file.close();
      }
    },
  };
}

/** A disk that is nearly full takes a part of what it is given; only the next write says that it is full. */
async function writeAll(file: FileHandle, buffers: readonly Buffer[]): Promise<void> {
  let rest = buffers.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest);
    while (rest[0] && bytesWritten >= rest[0].length) {
      bytesWritten -= rest[0].length;
      rest = rest.slice(1);
    }
    if (rest[0] && bytesWritten > 0) rest = [rest[0].subarray(bytesWritten), ...rest.slice(1)];
  }
}

/** A new file's name is durable only once its directory is. */
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullIfGone(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
