import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pagePolicy } from "./secure-headers.ts";

const PREFIX = "/help/";
const MISSING = "404.html";

/**
 * Serves the built help centre at `/help/`: its pages without `.html`, and its hashed assets, cached for a year. A page runs
 * the scripts of this origin, and the inline ones whose hashes the build has listed.
 */
export async function serveHelp(app: FastifyInstance, dir: string): Promise<void> {
  const scripts = JSON.parse(await readFile(join(dir, "inline-scripts.json"), "utf8")) as string[];
  const files = (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length).replaceAll("\\", "/").replace(/^\//, ""));
  const fileOf = new Map(files.map((file) => [pathOf(file), file]));
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: dir, serve: false, preCompressed: true, cacheControl: false });
    scope.addHook("onRequest", (_request, reply, done) => {
      pagePolicy(reply, null, { "script-src": scripts });
      done();
    });
    scope.get("/help", (_request, reply) => reply.redirect(PREFIX));
    scope.get(`${PREFIX}*`, (request, reply) => {
      const file = fileOf.get((request.params as { "*": string })["*"]);
      if (file === undefined) return reply.status(404).header("cache-control", "no-cache").sendFile(MISSING);
      const cache = file.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      return reply.header("cache-control", cache).sendFile(file);
    });
  });
}

/** `start/index.html` is at `start/`, `reasons.html` at `reasons`; other files keep their names. */
const pathOf = (file: string): string => file.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, "");
