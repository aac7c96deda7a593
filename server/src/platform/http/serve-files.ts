import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

export interface ServedFiles {
  /** The path of the files, with slashes around it: `/sdk/`. */
  prefix: string;
  dir: string;
  /** Headers by file name; they replace the general ones. */
  headers(file: string): Record<string, string>;
  /** Additional addresses of files: `{ "/demo/app": "index.html" }`. */
  pages?: Record<string, string>;
}

/** Serves a folder of built files, revalidated at each use because their names do not change with their content. */
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
