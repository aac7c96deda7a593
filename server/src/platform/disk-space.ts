import { statfs } from "node:fs/promises";

export const MIB = 2 ** 20;
/** Below this the stores and the journal may fail at any moment. */
const LEAST_BYTES = 32 * MIB;

/** The bytes that an unprivileged user may still write in the directory. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** Rejects if the disk of the directory is full or almost full. */
export async function assertDiskSpace(dir: string): Promise<void> {
  const free = await freeBytes(dir);
  if (free < LEAST_BYTES) throw new Error(`${Math.floor(free / MIB)} MB are free for ${dir}`);
}

/** Whether an error or its cause means that a disk is full: the system's, or PostgreSQL's (SQLSTATE 53100). */
export function isDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && (at.code === "ENOSPC" || at.code === "53100")) return true;
  }
  return false;
}
