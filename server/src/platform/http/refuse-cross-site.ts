import type { Call } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/**
 * Refuses a state-changing request that another site made a browser send (CSRF). Browsers reveal it by Fetch Metadata,
 * older ones by Origin; other clients send neither, and only the cookies they mean to send.
 */
export function refuseCrossSite(request: FastifyRequest, { mayBeTyped }: Pick<Call, "mayBeTyped"> = {}): void {
  const site = request.headers["sec-fetch-site"];
  const origin = request.headers.origin;
  if (site !== undefined) {
    if (site === "same-origin") return;
    // A typed address has site "none", but so has a link in a mail: it may change state only as a request of our
    // page, or if that is harmless.
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
 * Without both headers it is a program, or a GET of a browser over plain HTTP. If it has a cookie, the referring page
 * decides: browsers treat another port of this host as the same site and send it our cookies.
 */
function isOwnOrNobodys(request: FastifyRequest): boolean {
  const { cookie, referer = "" } = request.headers;
  if (cookie === undefined) return true;
  return URL.canParse(referer) && new URL(referer).origin === originOf(request);
}

const originOf = (request: FastifyRequest) => `${request.protocol}://${request.host}`;

/**
 * A user's own navigation (W3C Fetch Metadata, section 2): pages cannot make one with site "none". Speculative loads
 * while an address is being typed are not one.
 */
function isTyped({ method, headers }: FastifyRequest): boolean {
  const isNavigation = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-user"] === "?1";
  const isAhead = headers["sec-purpose"] !== undefined || headers["purpose"] !== undefined;
  return method === "GET" && isNavigation && !isAhead && headers.accept?.includes("text/html") === true;
}

const acceptsJson = (request: FastifyRequest) => request.headers.accept?.includes("application/json") === true;
const crossSite = () => new Problem("cross_site", "This action is only open to Millrace's own pages");
