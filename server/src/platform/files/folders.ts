import { open, readdir } from "node:fs/promises";

/** A file's name is durable only once its folder is. */
export async function syncDir(dir: string): Promise<void> {
  const folder = await open(dir, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The names in a folder; none if there is no such folder. */
export async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Whether a file or a folder does not exist. */
export const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";
