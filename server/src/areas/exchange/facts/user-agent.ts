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

/**
 * User agents without the true version of their system: Chromium's reduced user agent has Android 10 and a device K, Macs have
 * 10.15, and WebKit since iOS 26, like Firefox before it, the last iOS 18.
 */
const FROZEN = /\bAndroid 10; K\b|\bMac OS X 10[._]15(?!\d)|\bOS 18_[67](?:_\d+)? like Mac OS X/;
const SAFARI_VERSION = /\bVersion\/((\d{1,5})(?:\.\d{1,5}){0,3})/;
const LAST_TOLD_IOS = 18;

/** The device that a User-Agent describes; empty if it is not recognized. A version that says nothing is left out. */
export function userAgentFacts(userAgent: string): UserAgentFacts {
  if (userAgent.length > MAX_READ) return read(userAgent.slice(0, MAX_READ));
  const before = known.get(userAgent);
  if (before) return before;
  const facts = read(userAgent);
  known.set(userAgent, facts);
  return facts;
}

function versionOf(userAgent: string, os: { name?: string; version?: string }): Pick<UserAgentFacts, "osv"> {
  if (os.version === undefined) return {};
  if (!FROZEN.test(userAgent)) return { osv: os.version };
  // On iOS, Safari has the version of its system.
  const [, version, major] = (os.name === "iOS" && SAFARI_VERSION.exec(userAgent)) || [];
  if (version === undefined) return {};
  return { osv: Number(major) > LAST_TOLD_IOS ? version : os.version };
}

function read(userAgent: string): UserAgentFacts {
  if (userAgent.trim() === "") return {};
  const { os, platform } = bowser.parse(userAgent);
  const devicetype = platform.type === undefined ? undefined : DEVICE_TYPE_OF.get(platform.type);
  return {
    ...(os.name !== undefined && { os: os.name }),
    ...versionOf(userAgent, os),
    ...(platform.vendor !== undefined && { make: platform.vendor }),
    ...(platform.model !== undefined && { model: platform.model }),
    ...(devicetype !== undefined && { devicetype }),
  };
}
