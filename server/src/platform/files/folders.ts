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
  return (await readdir(dir).catch(undefinedIfGone)) ?? [];
}

/** For `catch`: what does not exist is undefined, all other errors are thrown. */
export function undefinedIfGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
