import { extname } from "node:path";
import type { FastifyInstance } from "fastify";
import { Problem } from "../http/problem.ts";
import type { FileExtension, StoredFiles } from "./stored-files.ts";

/** By the extension alone, never by what an upload claimed. */
const TYPES = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
} as const satisfies Record<FileExtension, string>;

const PREFIX = "/files/";
/** The path of a stored file on this platform. */
export const pathOfFile = (name: string): string => PREFIX + name;
/** The name of the file at a path that `pathOfFile` made; other paths give what is no file's name. */
export const fileOfPath = (path: string): string => (path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "");

/**
 * Serves stored files to everybody, also to pages of other origins, since ads show them. A file can run nothing: its
 * type is fixed, never sniffed, and opened as a page it is in a sandbox without any source.
 */
export function serveStoredFiles(app: FastifyInstance, files: StoredFiles): void {
  app.get<{ Params: { name: string } }>(`${PREFIX}:name`, async (request, reply) => {
    const { name } = request.params;
    const file = await files.open(name);
    if (!file) throw new Problem("not_found", "There is no such file");
    const etag = `"${name}"`;
    void reply.headers({
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      etag,
    });
    if (request.headers["if-none-match"] === etag) {
      file.content.destroy();
      return reply.status(304).send();
    }
    void reply.headers({
      "content-type": TYPES[extname(name).slice(1) as FileExtension],
      "content-length": file.bytes,
    });
    return reply.send(file.content);
  });
}
