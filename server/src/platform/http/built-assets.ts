import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyCompressRouteOptions } from "@fastify/compress";
import type { FastifyInstance } from "fastify";
import { readFile, readdir } from "node:fs/promises";
import { extname, join } from "node:path";

/** Media types by extension, of all that is served. */
const TYPES: ReadonlyMap<string, string> = new Map([
  [".css", "text/css; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".png", "image/png"],
  [".svg", "image/svg+xml"],
  [".webp", "image/webp"],
  [".woff2", "font/woff2"],
]);

/** The content codings of compressed copies and their extensions, the smallest first. */
const CODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** The copies are there so that nothing is compressed for a single reply. */
const AS_THEY_ARE: FastifyCompressRouteOptions = { compress: false };

interface Asset {
  type: string;
  plain: Buffer;
  /** Compressed copies by content coding. */
  copies: ReadonlyMap<string, Buffer>;
}

/**
 * Serves the built files of a folder under `prefix`, cached for a year because their names change with their content; nobody
 * has to ask again whether they changed. They are answered from memory: a first visit takes some fifty of them, and from disk
 * each costs several times the processor time. Throws for a folder that is not there, or a file of an unknown type.
 */
export async function serveBuiltAssets(app: FastifyInstance, prefix: string, dir: string): Promise<void> {
  const assets = await readAssets(dir);
  app.get<{ Params: { file: string } }>(`${prefix}:file`, AS_THEY_ARE, (request, reply) => {
    const asset = assets.get(request.params.file);
    if (!asset) return reply.callNotFound();
    const { type, plain, copies } = asset;
    void reply.header("cache-control", "public, max-age=31536000, immutable").type(type);
    if (copies.size === 0) return reply.send(plain);
    void reply.header("vary", "accept-encoding");
    const coding = negotiate(request.headers["accept-encoding"]?.toLowerCase() ?? "", [...copies.keys()]);
    const copy = coding === null ? undefined : copies.get(coding);
    return copy ? reply.header("content-encoding", coding).send(copy) : reply.send(plain);
  });
}

async function readAssets(dir: string): Promise<Map<string, Asset>> {
  const entries = await readdir(dir, { withFileTypes: true });
  const read = entries
    .filter((entry) => entry.isFile())
    .map(async ({ name }) => [name, await readFile(join(dir, name))] as const);
  const files = new Map(await Promise.all(read));
  const assets = new Map<string, Asset>();
  for (const [name, plain] of files) {
    if (CODINGS.some(([, extension]) => name.endsWith(extension))) continue;
    const type = TYPES.get(extname(name));
    if (type === undefined) throw new Error(`${name} in ${dir} has no known media type`);
    const copies = new Map<string, Buffer>();
    for (const [coding, extension] of CODINGS) {
      const copy = files.get(name + extension);
      if (copy) copies.set(coding, copy);
    }
    assets.set(name, { type, plain, copies });
  }
  return assets;
}
