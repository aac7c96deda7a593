import type { Device } from "@millrace/openrtb";
import { DEVICE_TYPE } from "@millrace/openrtb";
import bowser from "bowser";
import { lruCache } from "../../../platform/lru-cache.ts";

export type UserAgentFacts = Pick<Device, "os" | "osv" | "make" | "model" | "devicetype">;

const DEVICE_TYPE_OF = new Map<string, number>([
  ["mobile", DEVICE_TYPE.phone],
  ["tablet", DEVICE_TYPE.tablet],
  ["desktop", DEVICE_TYPE.personalComputer],
  ["tv", DEVICE_TYPE.connectedTv],
]);

// Parsing is slow compared to an auction, and an app's users share a few hundred user agents.
const known = lruCache<string, UserAgentFacts>(5000);
/** Longer user agents are not parsed or cached, so that they cannot fill the memory. */
const MAX_READ = 1024;

/** The device that a User-Agent describes; empty if it is not recognized. */
export function userAgentFacts(userAgent: string): UserAgentFacts {
  if (userAgent.length > MAX_READ) return read(userAgent.slice(0, MAX_READ));
  const before = known.get(userAgent);
  if (before) return before;
  const facts = read(userAgent);
  known.set(userAgent, facts);
  return facts;
}

function read(userAgent: string): UserAgentFacts {
  if (userAgent.trim() === "") return {};
  const { os, platform } = bowser.parse(userAgent);
  const devicetype = platform.type === undefined ? undefined : DEVICE_TYPE_OF.get(platform.type);
  return {
    ...(os.name !== undefined && { os: os.name }),
    ...(os.version !== undefined && { osv: os.version }),
    ...(platform.vendor !== undefined && { make: platform.vendor }),
    ...(platform.model !== undefined && { model: platform.model }),
    ...(devicetype !== undefined && { devicetype }),
  };
}
