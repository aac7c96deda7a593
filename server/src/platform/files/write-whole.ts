import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDir } from "./folders.ts";

/**
 * Writes a file whole or not at all: once this resolves, its content and its name survive a power failure. Until then it has the
 * ending `unfinished` after its name, under which a killed process leaves it.
 */
export async function writeWhole(
  path: { dir: string; name: string; unfinished: string },
  content: Uint8Array | string,
): Promise<void> {
  const unfinished = join(path.dir, path.name + path.unfinished);
  try {
    const file = await open(unfinished, "w", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, join(path.dir, path.name));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncDir(path.dir);
}
