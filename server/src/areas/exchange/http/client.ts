import { isIP } from "node:net";
import type { Regs } from "@millrace/openrtb";
import type { FastifyRequest } from "fastify";

/** The sender of a request. */
export interface Client {
  /** The address as reported by trusted proxies; empty if invalid. */
  ip: string;
  userAgent: string;
  /** The version of its system, where its browser tells it apart from the user agent (`Sec-CH-UA-Platform-Version`). */
  platformVersion: string | undefined;
  /** The browser's opt-out of sale and sharing (Global Privacy Control, header `Sec-GPC`). */
  optsOut: boolean;
}

const MAX_USER_AGENT = 1024;
const HINTED_VERSION = /^"(\d{1,5}(?:\.\d{1,5}){0,3})"$/;
const CLIENT = Symbol("client");

/** Cached for each request, because both its limits and its handler need it. */
export function clientOf(request: FastifyRequest & { [CLIENT]?: Client }): Client {
  return (request[CLIENT] ??= readClient(request));
}

function readClient(request: FastifyRequest): Client {
  // Despite its type, the address is undefined if the socket is closed.
  const address = (request.ip as string | undefined) ?? "";
  const { "sec-ch-ua-platform-version": hint, "user-agent": userAgent = "", "sec-gpc": optOut } = request.headers;
  return {
    ip: addressIn(address),
    userAgent: userAgent.slice(0, MAX_USER_AGENT),
    platformVersion: HINTED_VERSION.exec(String(hint))?.[1],
    optsOut: optOut === "1",
  };
}

/** An address as text, without IPv6's prefix for one of IPv4; empty if it is none. */
function addressIn(text: string): string {
  const ip = text.startsWith("::ffff:") ? text.slice(7) : text;
  return isIP(ip) === 0 ? "" : ip;
}

/**
 * The viewer for whom a request is sent. A server that puts ads into a stream names the device's address and user agent in headers
 * (VAST 4.2, on server-side ad stitching); anyone else is the viewer. The headers lift no limit: limits are the sender's.
 */
export function viewerOf(request: FastifyRequest): Client {
  const client = clientOf(request);
  const { "x-device-ip": address, "x-device-user-agent": userAgent } = request.headers;
  const ip = (typeof address === "string" && addressIn(address)) || client.ip;
  if (typeof userAgent !== "string" || userAgent === "") return ip === client.ip ? client : { ...client, ip };
  return { ...client, ip, userAgent: userAgent.slice(0, MAX_USER_AGENT), platformVersion: undefined };
}

/** The system version in a client's hint; undefined if the client is a server that asks for the device with this user agent. */
export const hintedVersion = ({ userAgent, platformVersion }: Client, ua: string): string | undefined =>
  ua === userAgent ? platformVersion : undefined;

/** The regulations of a request, with the opt-out of its client's browser. */
export function withOptOut(regs: Regs | undefined, { optsOut }: Pick<Client, "optsOut">): Regs | undefined {
  return optsOut ? { ...regs, ext: { ...regs?.ext, gpc: "1" } } : regs;
}
