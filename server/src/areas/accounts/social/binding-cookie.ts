// Gives requests and replies their cookies, also for a program that does not build the server.
/// <reference types="@fastify/cookie" />
import { createHash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** How long somebody may take at the network, and again for what is left to do afterwards. */
export const PENDING_SECONDS = 600;

/** `__Host-` binds the cookie to this origin; browsers take that prefix over HTTPS only, localhost included. */
const cookieName = (request: FastifyRequest) =>
  request.protocol === "https" ? "__Host-millrace-social" : "millrace-social";

const options = (request: FastifyRequest) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: request.protocol === "https" }) as const;

const TOKEN = /^[\w-]{43}$/;
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

function readToken(request: FastifyRequest): string | undefined {
  const token = request.cookies[cookieName(request)];
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** The hash of what this browser holds, or null where it holds nothing. */
export function readBinding(request: FastifyRequest): string | null {
  const token = readToken(request);
  return token === undefined ? null : hashOf(token);
}

/**
 * Lets the browser hold 256 random bits, and returns their hash. What it holds already stays, so that two tabs can be at
 * two networks.
 */
export function bindBrowser(request: FastifyRequest, reply: FastifyReply): string {
  const token = readToken(request) ?? randomBytes(32).toString("base64url");
  void reply.setCookie(cookieName(request), token, { ...options(request), maxAge: PENDING_SECONDS });
  return hashOf(token);
}

export function unbindBrowser(request: FastifyRequest, reply: FastifyReply): void {
  if (readToken(request) !== undefined) void reply.clearCookie(cookieName(request), options(request));
}
