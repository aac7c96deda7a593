import { isIP } from "node:net";
import type { Regs } from "@millrace/openrtb";
import type { FastifyRequest } from "fastify";

/** The sender of a request. */
export interface Client {
  /** The address as reported by trusted proxies; empty if invalid. */
  ip: string;
  userAgent: string;
  /** The browser's opt-out of sale and sharing (Global Privacy Control, header `Sec-GPC`). */
  optsOut: boolean;
}

const MAX_USER_AGENT = 1024;
const CLIENT = Symbol("client");

/** Cached for each request, because both its limits and its handler need it. */
export function clientOf(request: FastifyRequest & { [CLIENT]?: Client }): Client {
  return (request[CLIENT] ??= readClient(request));
}

function readClient(request: FastifyRequest): Client {
  // Despite its type, the address is undefined if the socket is closed.
  const address = (request.ip as string | undefined) ?? "";
  const ip = address.startsWith("::ffff:") ? address.slice(7) : address;
  return {
    ip: isIP(ip) === 0 ? "" : ip,
    userAgent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT),
    optsOut: request.headers["sec-gpc"] === "1",
  };
}

/** The regulations of a request, with the opt-out of its client's browser. */
export function withOptOut(regs: Regs | undefined, { optsOut }: Pick<Client, "optsOut">): Regs | undefined {
  return optsOut ? { ...regs, ext: { ...regs?.ext, gpc: "1" } } : regs;
}
