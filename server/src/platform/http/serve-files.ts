import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

export interface ServedFiles {
  /** Where the files are found, with slashes around it: `/sdk/`. */
  prefix: string;
  dir: string;
  /** Headers of every file, by its name; they replace the general ones. */
  headers(file: string): Record<string, string>;
  /** Addresses beside `prefix` that give one of the files: `{ "/demo/app": "index.html" }`. */
  pages?: Record<string, string>;
}

/** Serves a folder of built files, asked for again at each use (their names do not change with their content). */
export async function serveFiles(
  app: FastifyInstance,
  { prefix, dir, headers, pages = {} }: ServedFiles,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: dir,
      prefix,
      index: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const file = path.slice(dir.length).replace(/^[/\\]/, "");
        for (const [name, value] of Object.entries({ "cache-control": "no-cache", ...headers(file) })) {
          void reply.header(name, value);
        }
      },
    });
    for (const [address, file] of Object.entries(pages)) {
      scope.get(address, (_request, reply) => reply.sendFile(file));
    }
  });
}
