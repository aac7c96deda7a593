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
  const result: BidRequest = { ...request };
  if (request.device) result.device = redactDevice(request.device, parts, removed);
  if (request.user) result.user = redactUser(request.user, parts, removed);
  return { request: result, removed };
}

/** `atts` is the App Tracking Transparency signal. */
const KEPT_IN_DEVICE_EXT = ["atts"];
const KEPT_IN_USER_EXT = ["consent"];

function redactDevice(device: Device, parts: number, removed: string[]): Device {
  const result: Device = { ...device };
  if (parts & PART.deviceIds) {
    drop(result, PARTS.deviceIds.device, "device", removed);
    result.lmt = 1;
  }
  // Its free-form part may contain ids and interests.
  if (parts & (PART.deviceIds | PART.profile)) keepOfExt(result, KEPT_IN_DEVICE_EXT, "device", removed);
  if (parts & PART.address) {
    for (const name of ["ip", "ipv6"] as const) {
      const full = device[name];
      if (full === undefined) continue;
      result[name] = coarseAddress(full);
      if (result[name] !== full) removed.push(`device.${name}`);
    }
  }
  if (parts & PART.location && device.geo) result.geo = coarseGeo(device.geo, "device.geo", removed);
  return result;
}

function redactUser(user: User, parts: number, removed: string[]): User {
  const result: User = { ...user };
  if (parts & PART.userIds) drop(result, PARTS.userIds.user, "user", removed);
  if (parts & PART.extendedIds) drop(result, PARTS.extendedIds.user, "user", removed);
  if (parts & PART.profile) drop(result, PROFILE_FIELDS, "user", removed);
  if (parts & (PART.userIds | PART.extendedIds | PART.profile)) keepOfExt(result, KEPT_IN_USER_EXT, "user", removed);
  if (parts & PART.location && user.geo) result.geo = coarseGeo(user.geo, "user.geo", removed);
  return result;
}

const PROFILE_FIELDS = PARTS.profile.user.filter((field) => field !== "ext");

function drop<T extends object>(from: T, fields: readonly (keyof T & string)[], at: string, removed: string[]): void {
  for (const field of fields) {
    if (from[field] === undefined) continue;
    delete from[field];
    removed.push(`${at}.${field}`);
  }
}

function keepOfExt(target: Device | User, names: readonly string[], at: string, removed: string[]): void {
  if (target.ext === undefined) return;
  const all = Object.entries(target.ext);
  const kept = all.filter(([name]) => names.includes(name));
  if (kept.length === all.length) return;
  removed.push(`${at}.ext`);
  if (kept.length === 0) delete target.ext;
  else target.ext = Object.fromEntries(kept);
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
