import { createHash, randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

export const FILE_EXTENSIONS = ["png", "jpg", "gif"] as const;
export type FileExtension = (typeof FILE_EXTENSIONS)[number];

/** A stored file's name: the SHA-256 of its content in hex, and its extension. */
const NAME = new RegExp(String.raw`^[0-9a-f]{64}\.(${FILE_EXTENSIONS.join("|")})$`);
const UNFINISHED = ".part";

/** Files by the hash of their content. A file never changes, so its name means the same for good. */
export interface StoredFiles {
  /** Resolves to the file's name once it is stored durably. Storing the same content again keeps one file. */
  put(content: Uint8Array, extension: FileExtension): Promise<string>;
  /** Undefined if there is no such file. The caller reads or destroys `content`. */
  open(name: string): Promise<{ bytes: number; content: Readable } | undefined>;
  /** Deletes a file; nothing happens if there is none. */
  remove(name: string): Promise<void>;
  /** Deletes what killed processes left unfinished. No other process may use the files. */
  clean(): Promise<void>;
}

/** The files in a directory of this machine. */
export function filesOnDisk(dir: string): StoredFiles {
  const pathOf = (name: string) => join(dir, name);

  async function write(path: string, content: Uint8Array): Promise<void> {
    const unfinished = `${path}.${randomBytes(6).toString("hex")}${UNFINISHED}`;
    try {
      const file = await open(unfinished, "wx", 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    // The new name must survive a power failure too.
    const folder = await open(dir, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  return {
    async put(content, extension) {
      const name = `${createHash("sha256").update(content).digest("hex")}.${extension}`;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const found = await stat(pathOf(name)).catch(() => undefined);
      if (found?.size !== content.length) await write(pathOf(name), content);
      return name;
    },
    async open(name) {
      if (!NAME.test(name)) return undefined;
      const file = await open(pathOf(name), "r").catch(orNone);
      if (!file) return undefined;
      return { bytes: (await file.stat()).size, content: file.createReadStream() };
    },
    async remove(name) {
      if (NAME.test(name)) await rm(pathOf(name), { force: true });
    },
    async clean() {
      const names = (await readdir(dir).catch(orNone)) ?? [];
      const unfinished = names.filter((name) => name.endsWith(UNFINISHED));
      await Promise.all(unfinished.map((name) => rm(pathOf(name), { force: true })));
    },
  };
}

function orNone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
