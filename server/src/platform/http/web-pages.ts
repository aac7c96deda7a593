import type { FastifyInstance, FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "../files/folders.ts";
import { serveBuiltAssets } from "./built-assets.ts";
import { Problem } from "./problem.ts";
import { type PageSources, pagePolicy } from "./secure-headers.ts";

const NONCE = "__CSP_NONCE__";

/** Whether a browser navigates to the address: it asks for HTML, which no call of a page does. */
export const asksForPage = ({ method, headers }: FastifyRequest): boolean =>
  ["GET", "HEAD"].includes(method) && headers.accept?.includes("text/html") === true;

/** Replacement text by placeholder. */
type Parts = Readonly<Record<string, string>>;

/**
 * Serves the built web application: its hashed assets, cached for a year, the landing page's document at `/`, and the
 * application's for every other navigation that matches no call, or a call that shares its path. Any other unknown address
 * is a 404 with JSON. `allowed` lists the other origins that the pages may load from; `landing` says what is filled in
 * on the landing page at each visit.
 */
export async function serveWebPages(
  app: FastifyInstance,
  webDir: string,
  allowed: PageSources = {},
  landing: () => Promise<Parts> = async () => ({}),
): Promise<void> {
  const page = await readFile(join(webDir, "index.html"), "utf8");
  const landingPage = await readFile(join(webDir, "landing.html"), "utf8");
  await serveBuiltAssets(app, "/assets/", join(webDir, "assets"));
  app.setNotFoundHandler((request, reply) => {
    // `/` serves the page to curl and monitors too, which do not ask for HTML.
    const isHome = ["GET", "HEAD"].includes(request.method) && /^\/(\?|$)/.test(request.url);
    if (!isHome && !asksForPage(request)) throw new Problem("not_found", "There is nothing at this address");
    const nonce = randomBytes(16).toString("base64");
    pagePolicy(reply, nonce, allowed);
    void reply.header("cache-control", "no-cache").type("text/html; charset=utf-8");
    if (!isHome) return reply.send(page.replaceAll(NONCE, nonce));
    return landing().then((parts) => reply.send(filled(landingPage, parts).replaceAll(NONCE, nonce)));
  });
}

/** The parts may hold placeholders of the nonce, but none of each other. */
const filled = (document: string, parts: Parts): string =>
  Object.entries(parts).reduce((text, [word, part]) => text.replaceAll(word, () => part), document);

/** The path of the built pages' font for Latin letters; null if there are no built pages. */
export async function findFont(webDir: string): Promise<string | null> {
  const files = await namesIn(join(webDir, "assets"));
  const font = files.find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return font === undefined ? null : `/assets/${font}`;
}
