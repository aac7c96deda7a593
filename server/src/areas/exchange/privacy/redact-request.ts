import type { BidRequest, Device, Geo, User } from "@millrace/openrtb";
import { coarseAddress } from "./coarse-address.ts";
import { PART, PARTS } from "./privacy-table.ts";

/** A request without some personal data, and its removed fields, such as `device.ifa`. */
export interface Redacted {
  request: BidRequest;
  removed: string[];
}

/**
 * Removes personal data from a request: ids and profile entirely, an address down to its IP network, a location down to
 * its country and region. Signals that must be passed on (consent strings, the child-directed flag, App Tracking
 * Transparency) stay. `parts` are bits of `PART`. Does not change the given request.
 */
export function redactRequest(request: BidRequest, parts: number): Redacted {
  const removed: string[] = [];
  if (parts === 0) return { request, removed };
  const made: BidRequest = { ...request };
  if (request.device) made.device = redactDevice(request.device, parts, removed);
  if (request.user) made.user = redactUser(request.user, parts, removed);
  return { request: made, removed };
}

/** `atts` is the App Tracking Transparency signal. */
const KEPT_IN_DEVICE_EXT = ["atts"];
const KEPT_IN_USER_EXT = ["consent"];

function redactDevice(device: Device, parts: number, removed: string[]): Device {
  const made: Device = { ...device };
  if (parts & PART.deviceIds) {
    drop(made, PARTS.deviceIds.device, "device", removed);
    made.lmt = 1;
  }
  // Its free-form part may contain ids and interests.
  if (parts & (PART.deviceIds | PART.profile)) keepOfExt(made, KEPT_IN_DEVICE_EXT, "device", removed);
  if (parts & PART.address) {
    for (const name of ["ip", "ipv6"] as const) {
      const full = device[name];
      if (full === undefined) continue;
      made[name] = coarseAddress(full);
      if (made[name] !== full) removed.push(`device.${name}`);
    }
  }
  if (parts & PART.location && device.geo) made.geo = coarseGeo(device.geo, "device.geo", removed);
  return made;
}

function redactUser(user: User, parts: number, removed: string[]): User {
  const made: User = { ...user };
  if (parts & PART.userIds) drop(made, PARTS.userIds.user, "user", removed);
  if (parts & PART.extendedIds) drop(made, PARTS.extendedIds.user, "user", removed);
  if (parts & PART.profile) drop(made, PROFILE_FIELDS, "user", removed);
  if (parts & (PART.userIds | PART.extendedIds | PART.profile)) keepOfExt(made, KEPT_IN_USER_EXT, "user", removed);
  if (parts & PART.location && user.geo) made.geo = coarseGeo(user.geo, "user.geo", removed);
  return made;
}

const PROFILE_FIELDS = PARTS.profile.user.filter((field) => field !== "ext");

function drop<T extends object>(from: T, fields: readonly (keyof T & string)[], at: string, removed: string[]): void {
  for (const field of fields) {
    if (from[field] === undefined) continue;
    delete from[field];
    removed.push(`${at}.${field}`);
  }
}

function keepOfExt(of: Device | User, names: readonly string[], at: string, removed: string[]): void {
  if (of.ext === undefined) return;
  const all = Object.entries(of.ext);
  const kept = all.filter(([name]) => names.includes(name));
  if (kept.length === all.length) return;
  removed.push(`${at}.ext`);
  if (kept.length === 0) delete of.ext;
  else of.ext = Object.fromEntries(kept);
}

/** What says no more than the country and region. */
const COARSE_FIELDS = new Set(["country", "region", "type", "utcoffset"]);

function coarseGeo(geo: Geo, at: string, removed: string[]): Geo {
  const all = Object.entries(geo);
  // In the request's own order, so that the same request is made again from its trace.
  const coarse = all.filter(([name]) => COARSE_FIELDS.has(name));
  if (coarse.length < all.length) removed.push(at);
  return Object.fromEntries(coarse);
}
