import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "./problem.ts";
import { type PageSources, pagePolicy } from "./secure-headers.ts";

const NONCE = "__CSP_NONCE__";

/**
 * Serves the built web application: its hashed assets for ever, and its one page for the front door and every address that
 * asks for HTML and is no call. An address that asks for anything else and is no call is 404 as JSON.
 * `allowed` is what the page may load beyond this origin.
 */
export async function serveWebPages(app: FastifyInstance, webDir: string, allowed: PageSources = {}): Promise<void> {
  const page = await readFile(join(webDir, "index.html"), "utf8");
  await app.register(fastifyStatic, {
    root: join(webDir, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "365d",
    // The build compresses them once, better than there is time for at each reply.
    preCompressed: true,
  });
  app.setNotFoundHandler((request, reply) => {
    // The front door opens to curl and monitors too, which do not ask for HTML.
    const wantsPage =
      ["GET", "HEAD"].includes(request.method) &&
      (request.url === "/" || request.headers.accept?.includes("text/html") === true);
    if (!wantsPage) throw new Problem("not_found", "There is nothing at this address");
    const nonce = randomBytes(16).toString("base64");
    pagePolicy(reply, nonce, allowed);
    return reply
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(page.replaceAll(NONCE, nonce));
  });
}
