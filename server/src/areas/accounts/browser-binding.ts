// Gives requests and replies their cookies, also for a program that does not build the server.
/// <reference types="@fastify/cookie" />
import { createHash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

const TOKEN = /^[\w-]{43}$/;
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** What ties something that was begun to the browser that began it: a cookie of 256 random bits, of which we keep the hash. */
interface BrowserBinding {
  /** The hash of what this browser holds, or null where it holds nothing. */
  read(request: FastifyRequest): string | null;
  /**
   * Lets the browser hold 256 random bits, and returns their hash. What it holds already stays, so that two tabs can be at
   * it at a time.
   */
  bind(request: FastifyRequest, reply: FastifyReply): string;
  unbind(request: FastifyRequest, reply: FastifyReply): void;
}

/** A binding by the cookie of this name, which the browser keeps for so many seconds after it was bound the last time. */
export function browserBinding(name: string, seconds: number): BrowserBinding {
  // `__Host-` binds the cookie to this origin; browsers take that prefix over HTTPS only, localhost included.
  const cookieName = (request: FastifyRequest) => (request.protocol === "https" ? `__Host-${name}` : name);
  const options = (request: FastifyRequest) =>
    ({ path: "/", httpOnly: true, sameSite: "lax", secure: request.protocol === "https" }) as const;
  const readToken = (request: FastifyRequest): string | undefined => {
    const token = request.cookies[cookieName(request)];
    return token !== undefined && TOKEN.test(token) ? token : undefined;
  };
  return {
    read: (request) => {
      const token = readToken(request);
      return token === undefined ? null : hashOf(token);
    },
    bind: (request, reply) => {
      const token = readToken(request) ?? randomBytes(32).toString("base64url");
      void reply.setCookie(cookieName(request), token, { ...options(request), maxAge: seconds });
      return hashOf(token);
    },
    unbind: (request, reply) => {
      if (readToken(request) !== undefined) void reply.clearCookie(cookieName(request), options(request));
    },
  };
}
