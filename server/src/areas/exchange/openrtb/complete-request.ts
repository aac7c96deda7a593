import { UNKNOWN_COUNTRY } from "@millrace/contract";
import { type BidRequest, type Device, LOCATION_TYPE } from "@millrace/openrtb";
import { ALPHA3 } from "../facts/country-codes.data.ts";
import { countryOf, type Geo } from "../facts/geo.ts";
import { userAgentFacts } from "../facts/user-agent.ts";
import { type Client, withOptOut } from "../http/client.ts";

/**
 * Adds what a page cannot know about itself to a request: address, country and device. Existing values stay unchanged.
 */
export function completeRequest(
  request: BidRequest,
  client: Client,
  geo: Geo,
  tmaxMs: number,
): { request: BidRequest; country: string } {
  const { device, country } = completeDevice(request.device, client, geo);
  return {
    country,
    request: {
      ...request,
      tmax: tmaxMs,
      device,
      ...(client.optsOut && { regs: withOptOut(request.regs, client) }),
    },
  };
}

function completeDevice(given: Device = {}, client: Client, geo: Geo): { device: Device; country: string } {
  const device: Device = { ...given };
  device.ua ??= client.userAgent;
  if (device.ip === undefined && device.ipv6 === undefined && client.ip !== "") {
    if (client.ip.includes(":")) device.ipv6 = client.ip;
    else device.ip = client.ip;
  }
  if (device.os === undefined || device.devicetype === undefined) {
    const told = userAgentFacts(device.ua);
    device.os ??= told.os;
    device.osv ??= told.osv;
    device.make ??= told.make;
    device.model ??= told.model;
    device.devicetype ??= told.devicetype;
  }
  const named = countryOf(device.geo?.country);
  const address = device.ip ?? device.ipv6;
  const country = named !== UNKNOWN_COUNTRY || address === undefined ? named : geo(address);
  const alpha3 = ALPHA3.get(country);
  if (device.geo?.country === undefined && alpha3 !== undefined) {
    device.geo = { type: LOCATION_TYPE.ipAddress, ...device.geo, country: alpha3 };
  }
  return { device, country };
}
