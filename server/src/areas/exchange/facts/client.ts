import { isIP } from "node:net";
import type { Regs } from "@millrace/openrtb";
import type { FastifyRequest } from "fastify";

/** Who sent a request. */
export interface Client {
  /** The address as the trusted proxies tell it; empty where it is none. */
  ip: string;
  userAgent: string;
  /** Its browser opts its user out of sale and sharing (Global Privacy Control, header `Sec-GPC`). */
  optsOut: boolean;
}

const MAX_USER_AGENT = 1024;

export function clientOf(request: FastifyRequest): Client {
  // The socket of a client that is gone has no address, whatever the types say.
  const told = (request.ip as string | undefined) ?? "";
  const ip = told.startsWith("::ffff:") ? told.slice(7) : told;
  return {
    ip: isIP(ip) === 0 ? "" : ip,
    userAgent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT),
    optsOut: request.headers["sec-gpc"] === "1",
  };
}

/** The regulations of a request, and beside them the opt-out that its client's browser sends. */
export function withOptOut(regs: Regs | undefined, { optsOut }: Pick<Client, "optsOut">): Regs | undefined {
  return optsOut ? { ...regs, ext: { ...regs?.ext, gpc: "1" } } : regs;
}

/** An address without the part that tells one household from another (the last byte, or all but the first 48 bits). */
export function coarseAddress(ip: string): string {
  switch (isIP(ip)) {
    case 4:
      return ip.replace(/\d+$/, "0");
    case 6: {
      const [head = "", tail = ""] = ip.split("::");
      const groups = head === "" ? [] : head.split(":");
      // Groups that `::` stands for are zeros, so what follows it belongs to the kept part only when the gap is short.
      const gap = ip.includes("::") ? 8 - groups.length - (tail === "" ? 0 : tail.split(":").length) : 0;
      const all = [
        ...groups,
        ...Array.from({ length: Math.max(0, gap) }, () => "0"),
        ...(tail === "" ? [] : tail.split(":")),
      ];
      return `${all.slice(0, 3).join(":")}::`;
    }
    default:
      return "";
  }
}
