import type { FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/**
 * Refuses a state-changing request that another site made a browser send (CSRF). A browser tells by Fetch Metadata, an
 * older one by Origin; a client that is no browser sends neither and carries no cookie it did not mean to send.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  const origin = request.headers.origin;
  if (site !== undefined) {
    if (site === "same-origin") return;
    // A person's own click or typed address has site "none"; it changes state only when it asks as our page does.
    if (site === "none" && acceptsJson(request)) return;
    throw crossSite();
  }
  if (origin !== undefined) {
    if (origin === `${request.protocol}://${request.host}`) return;
    throw crossSite();
  }
  if (request.method === "GET" && !acceptsJson(request)) throw crossSite();
}

const acceptsJson = (request: FastifyRequest) => request.headers.accept?.includes("application/json") === true;
const crossSite = () => new Problem("cross_site", "This action is only open to Millrace's own pages");
