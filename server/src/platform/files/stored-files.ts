import { createHash, randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn, syncDir, undefinedIfGone } from "./folders.ts";

export const FILE_EXTENSIONS = ["png", "jpg", "gif", "mp4", "mov", "avi"] as const;
export type FileExtension = (typeof FILE_EXTENSIONS)[number];

/** A stored file's name: the SHA-256 of its content in hex, and its extension. */
const NAME = new RegExp(String.raw`^[0-9a-f]{64}\.(${FILE_EXTENSIONS.join("|")})$`);
const UNFINISHED = ".part";
/** Longer than any upload may take. */
const UNFINISHED_FOR_MS = 3_600_000;

/** A file on this machine's disk that is not stored yet. */
export interface ReceivedFile {
  path: string;
  bytes: number;
  /** SHA-256 in hex. */
  hash: string;
  /** Deletes it, unless it was stored. */
  discard(): Promise<void>;
}

/** The bytes of a file from the first to the last one, both counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Files by the hash of their content. A file never changes, so its name means the same for good. */
export interface StoredFiles {
  /** Writes what arrives to this machine's disk, without holding it in memory. Rejects as `content` does, and keeps nothing then. */
  receive(content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /**
   * Resolves to the file's name once it is stored durably. Storing the same content again keeps one file. A received file is
   * gone afterwards.
   */
  put(content: Uint8Array | ReceivedFile, extension: FileExtension): Promise<string>;
  /** The size of a file; undefined if there is no such file. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The content of a file, or a part of it; undefined if there is no such file. The caller reads or destroys it. */
  open(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Deletes a file; nothing happens if there is none. */
  remove(name: string): Promise<void>;
  /** Deletes what killed processes left unfinished: what nobody has written to for an hour. */
  clean(): Promise<void>;
}

/** The name under which `put` stores a content. */
export const fileNameOf = (content: Uint8Array | ReceivedFile, extension: FileExtension): string =>
  `${content instanceof Uint8Array ? createHash("sha256").update(content).digest("hex") : content.hash}.${extension}`;
export const isFileName = (name: string): boolean => NAME.test(name);
const unfinishedName = (): string => `${randomBytes(12).toString("hex")}${UNFINISHED}`;

/** Receives files in a directory, which may be that of the stored ones. */
export async function receiveFile(dir: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, unfinishedName());
  const discard = () => rm(path, { force: true });
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await open(path, "wx", 0o600);
  try {
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        await writeAll(file, chunk);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { path, bytes, hash: hash.digest("hex"), discard };
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let from = 0; from < chunk.length;) from += (await file.write(chunk, from)).bytesWritten;
}

/** Deletes what killed processes left unfinished in a directory. Another process may be receiving files into it. */
export async function cleanUnfinished(dir: string): Promise<void> {
  const names = await namesIn(dir);
  const before = Date.now() - UNFINISHED_FOR_MS;
  for (const name of names.filter((each) => each.endsWith(UNFINISHED))) {
    const found = await stat(join(dir, name)).catch(undefinedIfGone);
    if (found && found.mtimeMs < before) await rm(join(dir, name), { force: true });
  }
}

/** The files in a directory of this machine. */
export function filesOnDisk(dir: string): StoredFiles {
  const pathOf = (name: string) => join(dir, name);

  /** Gives a received file its name, durably. */
  async function keep(received: ReceivedFile, path: string): Promise<void> {
    await syncContent(received.path);
    await rename(received.path, path);
    await syncDir(dir);
  }

  return {
    receive: (content) => receiveFile(dir, content),
    async put(content, extension) {
      const received = content instanceof Uint8Array ? await receiveFile(dir, once(content)) : content;
      const name = fileNameOf(received, extension);
      try {
        const found = await stat(pathOf(name)).catch(undefinedIfGone);
        // A crash may have left another size.
        if (found?.size !== received.bytes) await keep(received, pathOf(name));
      } finally {
        await received.discard();
      }
      return name;
    },
    async sizeOf(name) {
      return isFileName(name) ? (await stat(pathOf(name)).catch(undefinedIfGone))?.size : undefined;
    },
    async open(name, range) {
      if (!isFileName(name)) return undefined;
      const file = await open(pathOf(name), "r").catch(undefinedIfGone);
      return file?.createReadStream(range && { start: range.first, end: range.last });
    },
    async remove(name) {
      if (isFileName(name)) await rm(pathOf(name), { force: true });
    },
    clean: () => cleanUnfinished(dir),
  };
}

async function syncContent(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A content as one that arrives. */
export async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
