import type { BidRequest, Device, Geo, User } from "@millrace/openrtb";
import { coarseAddress } from "./client.ts";

/**
 * The request without anything that names or finds a person: for children, and where consent does not allow storage. What
 * the law needs to be passed on (consent strings, the child's flag) stays.
 */
export function redactIds(request: BidRequest): BidRequest {
  return {
    ...request,
    ...(request.device && { device: anonymousDevice(request.device) }),
    ...(request.user && { user: anonymousUser(request.user) }),
  };
}

const DEVICE_IDS = ["ifa", "didsha1", "didmd5", "dpidsha1", "dpidmd5", "macsha1", "macmd5", "ext"] as const;

function anonymousDevice(device: Device): Device {
  const made: Device = { ...device, lmt: 1 };
  for (const id of DEVICE_IDS) delete made[id];
  if (device.ip !== undefined) made.ip = coarseAddress(device.ip);
  if (device.ipv6 !== undefined) made.ipv6 = coarseAddress(device.ipv6);
  if (device.geo) made.geo = coarseGeo(device.geo);
  return made;
}

function anonymousUser({ consent, ext }: User): User {
  return {
    ...(consent !== undefined && { consent }),
    ...(ext?.["consent"] !== undefined && { ext: { consent: ext["consent"] } }),
  };
}

const coarseGeo = ({ country, region, type, utcoffset }: Geo): Geo => ({
  ...(country !== undefined && { country }),
  ...(region !== undefined && { region }),
  ...(type !== undefined && { type }),
  ...(utcoffset !== undefined && { utcoffset }),
});
