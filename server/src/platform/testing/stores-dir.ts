import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory, on Linux. A container's has 64 MB unless it was given more. */
const MEMORY = "/dev/shm";
/** All tests of a run keep less than a quarter of it. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * A new folder for the stores of a run of tests, in memory if there is room: an insert into a table with ten views creates 150
 * files and merges delete them again, which costs some disks a third of its time. No test there judges what a disk keeps.
 */
export async function makeStoresDir(prefix: string): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  const isRoomy = memory !== null && memory.bavail * memory.bsize >= ROOM_BYTES;
  return mkdtemp(join(isRoomy ? MEMORY : tmpdir(), prefix));
}
