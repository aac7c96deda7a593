import type { FastifyReply, FastifyRequest } from "fastify";
import { hostCookie } from "../../platform/http/host-cookie.ts";
import { isToken, newToken, tokenHash } from "../../platform/secrets/token.ts";

/** Binds a process to the browser that began it: a cookie of 256 random bits, stored as a hash. */
interface BrowserBinding {
  /** The hash of this browser's cookie, or null without one. */
  read(request: FastifyRequest): string | null;
  /**
   * Sets the cookie if the browser has none, and returns its hash. An existing cookie stays, so that two tabs can work
   * at once.
   */
  bind(request: FastifyRequest, reply: FastifyReply): string;
  unbind(request: FastifyRequest, reply: FastifyReply): void;
}

/** A binding with its own cookie name and lifetime in seconds, counted from the last binding. */
export function browserBinding(name: string, seconds: number): BrowserBinding {
  const cookie = hostCookie(name, seconds);
  const held = (request: FastifyRequest): string | undefined => {
    const token = cookie.read(request);
    return token !== undefined && isToken(token) ? token : undefined;
  };
  return {
    read: (request) => {
      const token = held(request);
      return token === undefined ? null : tokenHash(token);
    },
    bind: (request, reply) => {
      const token = held(request) ?? newToken();
      cookie.set(request, reply, token);
      return tokenHash(token);
    },
    unbind: (request, reply) => {
      if (held(request) !== undefined) cookie.clear(request, reply);
    },
  };
}
