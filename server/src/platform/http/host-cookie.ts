// Adds the cookie types to requests and replies, also for programs that do not import the server's plugins.
/// <reference types="@fastify/cookie" />
import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of this origin only, which no script can read and which other sites' requests carry only in navigations. */
export interface HostCookie {
  read(request: FastifyRequest): string | undefined;
  set(request: FastifyRequest, reply: FastifyReply, value: string): void;
  clear(request: FastifyRequest, reply: FastifyReply): void;
}

/** The cookie with this name and lifetime in seconds, counted from the last time it was set. */
export function hostCookie(name: string, seconds: number): HostCookie {
  // `__Host-` binds the cookie to this origin; browsers take that prefix over HTTPS only, localhost included.
  const nameFor = (request: FastifyRequest) => (request.protocol === "https" ? `__Host-${name}` : name);
  const options = (request: FastifyRequest) =>
    ({ path: "/", httpOnly: true, sameSite: "lax", secure: request.protocol === "https" }) as const;
  return {
    read: (request) => request.cookies[nameFor(request)],
    set: (request, reply, value) =>
      void reply.setCookie(nameFor(request), value, { ...options(request), maxAge: seconds }),
    clear: (request, reply) => void reply.clearCookie(nameFor(request), options(request)),
  };
}
