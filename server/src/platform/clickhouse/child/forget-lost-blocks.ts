import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const LOGS = "deduplication_logs";
/** `store/<database>/<three digits>/<table>/deduplication_logs`, and a level to spare. */
const DEEPEST = 6;
/** Outside the logs' folder: the engine reads every file there, and a half-written one after a kill would keep it from starting. */
const SCRATCH = "deduplication_log.new";
/** A part is called by its partition, first and last block, level and, after a mutation, its version. */
const PART = /^(.+?)_(\d+)_(\d+)_\d+(?:_\d+)?$/;

/**
 * Takes out of the deduplication logs what names a part that is not there; to be called before the engine opens the path.
 * The engine notes a block before it puts the block's part in place: killed in between, it would take the block that is
 * sent again for one that it has, and the table would be short of it. Returns how many entries went.
 */
export async function forgetLostBlocks(path: string): Promise<number> {
  let forgotten = 0;
  for (const table of await tablesBelow(path, DEEPEST)) {
    const parts = (await readdir(table)).flatMap((name) => rangeOf(name) ?? []);
    for (const file of await readdir(join(table, LOGS))) {
      forgotten += await mend(join(table, LOGS, file), parts, join(path, SCRATCH));
    }
  }
  return forgotten;
}

interface BlockRange {
  partition: string;
  first: number;
  last: number;
}

function rangeOf(part: string): BlockRange | null {
  const [, partition, first, last] = PART.exec(part) ?? [];
  return partition === undefined ? null : { partition, first: Number(first), last: Number(last) };
}

/** Folders of tables with a deduplication log. */
async function tablesBelow(folder: string, deep: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (folders.includes(LOGS)) return [folder];
  if (deep === 0) return [];
  const below = await Promise.all(folders.map((name) => tablesBelow(join(folder, name), deep - 1)));
  return below.flat();
}

/** A line is an operation (1: added), the part and the block's hash, with tabs between. A merge keeps a part's blocks in its range. */
async function mend(file: string, parts: readonly BlockRange[], scratch: string): Promise<number> {
  const lines = (await readFile(file, "utf8")).split("\n");
  const kept = lines.filter((line) => {
    const [operation, part = ""] = line.split("\t");
    const block = operation === "1" ? rangeOf(part) : null;
    return (
      block === null ||
      parts.some(
        ({ partition, first, last }) => partition === block.partition && first <= block.first && block.last <= last,
      )
    );
  });
  const forgotten = lines.length - kept.length;
  if (forgotten === 0) return 0;
  await writeFile(scratch, kept.join("\n"), { flush: true });
  await rename(scratch, file);
  return forgotten;
}
