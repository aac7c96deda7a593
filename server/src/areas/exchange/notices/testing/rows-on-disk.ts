import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** How often a pattern (with the `g` flag) occurs in a journal's files: what would survive a kill at this moment. */
export async function rowsOnDisk(dir: string, pattern: RegExp): Promise<number> {
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
  return texts.join("").match(pattern)?.length ?? 0;
}
