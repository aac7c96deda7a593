import type { Call } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/**
 * Refuses a state-changing request that another site made a browser send (CSRF). A browser tells by Fetch Metadata, an
 * older one by Origin; a client that is no browser sends neither and carries no cookie it did not mean to send.
 */
export function refuseCrossSite(request: FastifyRequest, { mayBeTyped }: Pick<Call, "mayBeTyped"> = {}): void {
  const site = request.headers["sec-fetch-site"];
  const origin = request.headers.origin;
  if (site !== undefined) {
    if (site === "same-origin") return;
    // A typed address has site "none", and so has a link in a mail: it changes state only when it asks as our page does,
    // or where that is no harm.
    if (site === "none" && (acceptsJson(request) || (mayBeTyped === true && isTyped(request)))) return;
    throw crossSite();
  }
  if (origin !== undefined) {
    if (origin === originOf(request)) return;
    throw crossSite();
  }
  if (request.method === "GET" && !(acceptsJson(request) && isOwnOrNobodys(request))) throw crossSite();
}

/**
 * Without both headers it is a program, or a GET of a browser over plain HTTP. With a cookie it is judged by the page that it
 * comes from: another port of this host is the same site to browsers, which send it the cookies of ours.
 */
function isOwnOrNobodys(request: FastifyRequest): boolean {
  const { cookie, referer = "" } = request.headers;
  if (cookie === undefined) return true;
  return URL.canParse(referer) && new URL(referer).origin === originOf(request);
}

const originOf = (request: FastifyRequest) => `${request.protocol}://${request.host}`;

/**
 * A person's own navigation (W3C Fetch Metadata, section 2): pages cannot make one with site "none". What a browser loads
 * ahead, while an address is still being typed, was not asked for yet.
 */
function isTyped({ method, headers }: FastifyRequest): boolean {
  const isNavigation = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-user"] === "?1";
  const isAhead = headers["sec-purpose"] !== undefined || headers["purpose"] !== undefined;
  return method === "GET" && isNavigation && !isAhead && headers.accept?.includes("text/html") === true;
}

const acceptsJson = (request: FastifyRequest) => request.headers.accept?.includes("application/json") === true;
const crossSite = () => new Problem("cross_site", "This action is only open to Millrace's own pages");
