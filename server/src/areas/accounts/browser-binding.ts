import type { FastifyReply, FastifyRequest } from "fastify";
import { hostCookie } from "../../platform/http/host-cookie.ts";
import { isToken, newToken, tokenHash } from "../../platform/secrets/token.ts";

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
