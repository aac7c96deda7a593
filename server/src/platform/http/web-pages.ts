import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "./problem.ts";
import { type PageSources, pagePolicy } from "./secure-headers.ts";

const NONCE = "__CSP_NONCE__";

/** Whether a browser navigates to the address: it asks for HTML, which no call of a page does. */
export const asksForPage = ({ method, headers }: FastifyRequest): boolean =>
  ["GET", "HEAD"].includes(method) && headers.accept?.includes("text/html") === true;

/**
 * Serves the built web application: its hashed assets, cached for a year, and its single page for `/` and for every
 * navigation that matches no call, or a call that shares its path. Any other unknown address is a 404 with JSON.
 * `allowed` lists the other origins that the page may load from.
 */
export async function serveWebPages(app: FastifyInstance, webDir: string, allowed: PageSources = {}): Promise<void> {
  const page = await readFile(join(webDir, "index.html"), "utf8");
  await app.register(fastifyStatic, {
    root: join(webDir, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "365d",
    // The build compresses them once, at a level too slow for each reply.
    preCompressed: true,
  });
  app.setNotFoundHandler((request, reply) => {
    // `/` serves the page to curl and monitors too, which do not ask for HTML.
    const isHome = ["GET", "HEAD"].includes(request.method) && request.url === "/";
    if (!isHome && !asksForPage(request)) throw new Problem("not_found", "There is nothing at this address");
    const nonce = randomBytes(16).toString("base64");
    pagePolicy(reply, nonce, allowed);
    return reply
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(page.replaceAll(NONCE, nonce));
  });
}

/** The path of the built pages' font for Latin letters; null if there are no built pages. */
export async function findFont(webDir: string): Promise<string | null> {
  const files = await readdir(join(webDir, "assets")).catch(() => []);
  const font = files.find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return font === undefined ? null : `/assets/${font}`;
}
