import { VIDEO_TYPES } from "@millrace/contract";
import { extname } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../http/problem.ts";
import { lruCache } from "../lru-cache.ts";
import type { ByteRange, FileExtension, StoredFiles } from "./stored-files.ts";

/** By the extension alone, never by what an upload claimed. */
const TYPES = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  ...VIDEO_TYPES,
} as const satisfies Record<FileExtension, string>;

const MOST_SIZES = 10_000;
const PREFIX = "/files/";
/** The path of a stored file on this platform. */
export const pathOfFile = (name: string): string => PREFIX + name;
/** The media type of a stored file. */
export const typeOfFile = (name: string): string => TYPES[extname(name).slice(1) as FileExtension];
/** The name of the file at a path that `pathOfFile` made; other paths give what is no file's name. */
export const fileOfPath = (path: string): string => (path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "");

/**
 * Serves stored files to everybody, also to pages of other origins, since ads show them. A file can run nothing: its
 * type is fixed, never sniffed, and opened as a page it is in a sandbox without any source. Players ask for parts of
 * videos (RFC 9110, section 14).
 */
export function serveStoredFiles(app: FastifyInstance, files: StoredFiles): void {
  // A file never changes, and a bucket takes its time to tell a size.
  const sizes = lruCache<string, number>(MOST_SIZES);
  async function sizeOf(name: string): Promise<number | undefined> {
    const known = sizes.get(name) ?? (await files.sizeOf(name));
    sizes.set(name, known);
    return known;
  }

  const serveFile = async (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) => {
    const { name } = request.params;
    const bytes = await sizeOf(name);
    if (bytes === undefined) throw new Problem("not_found", "There is no such file");
    const etag = `"${name}"`;
    void reply.headers({
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "accept-ranges": "bytes",
      etag,
    });
    if (request.headers["if-none-match"] === etag) return reply.status(304).send();
    const isSame = request.headers["if-range"] === undefined || request.headers["if-range"] === etag;
    const range = isSame ? rangeOf(request.headers.range, bytes) : undefined;
    if (range === null) {
      return reply.status(416).header("content-range", `bytes */${bytes}`).send();
    }
    if (range) void reply.status(206).header("content-range", `bytes ${range.first}-${range.last}/${bytes}`);
    void reply.headers({
      "content-type": typeOfFile(name),
      "content-length": range ? range.last - range.first + 1 : bytes,
    });
    // Fastify would read the whole file from the bucket for a HEAD, to drop it.
    if (request.method === "HEAD") return reply.send();
    const content = await files.open(name, range);
    // It was deleted.
    if (!content) throw new Problem("not_found", "There is no such file");
    return reply.send(content);
  };
  app.route<{ Params: { name: string } }>({ method: ["GET", "HEAD"], url: `${PREFIX}:name`, handler: serveFile });
}

/**
 * The part that a Range header asks for; null if the file has no such part, and undefined for the whole file: without the
 * header, and for one that is malformed or asks for several parts, which may be ignored (RFC 9110, section 14.2).
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const first = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === "" || to === "" ? bytes - 1 : Math.min(bytes - 1, Number(to));
  if (from !== "" && to !== "" && Number(to) < first) return undefined;
  return first > last ? null : { first, last };
}
