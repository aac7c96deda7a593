import { openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import {
  cleanUnfinished,
  type FileExtension,
  fileNameOf,
  filesOnDisk,
  isFileName,
  once,
  receiveFile,
  type ReceivedFile,
  type StoredFiles,
} from "./stored-files.ts";

/** How long the store may take to answer; longer for a whole file that is sent to it. */
const ANSWER_MS = 10_000;
const STORE_MS = 60_000;

/** The files in the bucket at `url`, or in `dir` if there is no bucket. Uploads arrive in `dir` either way. */
export const filesAt = (url: string | undefined, dir: string): StoredFiles =>
  url === undefined ? filesOnDisk(dir) : filesInBucket(url, dir);

/**
 * The files in a bucket of an S3-compatible store. `url` is `https://KEY:SECRET@host/bucket`, with `?region=` where the host does
 * not tell it. Files arrive in a directory of this machine first, where they are looked at. The platform serves them, so the
 * bucket stays closed. Calls reject if the store does not answer in time.
 */
export function filesInBucket(
  url: string,
  incomingDir: string,
  { answerMs = ANSWER_MS, storeMs = STORE_MS } = {},
): StoredFiles {
  const { origin, pathname, username, password, searchParams } = new URL(url);
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: "s3",
    region: searchParams.get("region") ?? "us-east-1",
    retries: 2,
  });
  const base = `${origin}${pathname.replace(/\/+$/, "")}/`;

  /** The store's answer; undefined if there is no such file. */
  async function ask(
    name: string,
    init: NonNullable<Parameters<AwsClient["fetch"]>[1]>,
    withinMs = answerMs,
  ): Promise<Response | undefined> {
    const late = new AbortController();
    // Until the answer begins: a file may be read for as long as its player takes.
    const timer = setTimeout(() => late.abort(new Error("the file store did not answer in time")), withinMs);
    const response = await client
      .fetch(base + name, { ...init, signal: late.signal })
      .finally(() => clearTimeout(timer));
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Error(`the file store answered ${response.status} to ${init.method ?? "GET"}`);
  }
  const sizeOf = async (name: string): Promise<number | undefined> => {
    if (!isFileName(name)) return undefined;
    const found = await ask(name, { method: "HEAD" });
    return found && Number(found.headers.get("content-length"));
  };

  return {
    receive: (content) => receiveFile(incomingDir, content),
    async put(content: Uint8Array | ReceivedFile, extension: FileExtension) {
      const received = content instanceof Uint8Array ? await receiveFile(incomingDir, once(content)) : content;
      try {
        const name = fileNameOf(received, extension);
        if ((await sizeOf(name)) === received.bytes) return name;
        // The store compares the hash, so that a damaged file is refused.
        const headers = { "x-amz-content-sha256": received.hash, "content-type": "application/octet-stream" };
        const stored = await ask(name, { method: "PUT", headers, body: await openAsBlob(received.path) }, storeMs);
        if (!stored) throw new Error("the file store has no such bucket");
        return name;
      } finally {
        await received.discard();
      }
    },
    sizeOf,
    async open(name, range) {
      if (!isFileName(name)) return undefined;
      const headers: Record<string, string> = range ? { range: `bytes=${range.first}-${range.last}` } : {};
      const found = await ask(name, { headers });
      return found?.body ? Readable.fromWeb(found.body as ReadableStream<Uint8Array>) : undefined;
    },
    async remove(name) {
      if (isFileName(name)) await ask(name, { method: "DELETE" });
    },
    clean: () => cleanUnfinished(incomingDir),
  };
}
