import { openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import {
  cleanUnfinished,
  type FileExtension,
  isFileName,
  once,
  receiveFile,
  type ReceivedFile,
  type StoredFiles,
} from "./stored-files.ts";

/**
 * The files in a bucket of an S3-compatible store. `url` is `https://KEY:SECRET@host/bucket`, with `?region=` where the host does
 * not tell it. Files arrive in a directory of this machine first, where they are looked at. The platform serves them, so the
 * bucket stays closed.
 */
export function filesInBucket(url: string, incomingDir: string): StoredFiles {
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
  ): Promise<Response | undefined> {
    const response = await client.fetch(base + name, init);
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
        const name = `${received.hash}.${extension}`;
        if ((await sizeOf(name)) === received.bytes) return name;
        // The store compares the hash, so that a damaged file is refused.
        const headers = { "x-amz-content-sha256": received.hash, "content-type": "application/octet-stream" };
        const stored = await ask(name, { method: "PUT", headers, body: await openAsBlob(received.path) });
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
