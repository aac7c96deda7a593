import { UNKNOWN_COUNTRY } from "@millrace/contract";
import { type BidRequest, type Device, LOCATION_TYPE, type Publisher } from "@millrace/openrtb";
import type { AppConfig } from "../config/snapshot.ts";
import { ALPHA3 } from "../facts/country-codes.data.ts";
import { countryOf, type Geo } from "../facts/geo.ts";
import { userAgentFacts } from "../facts/user-agent.ts";
import { type Client, hintedVersion, withOptOut } from "../http/client.ts";

/** What is known of a request's sender and inventory. */
interface Known {
  client: Client;
  geo: Geo;
  app: AppConfig;
  tmaxMs: number;
}

/**
 * Adds what a page cannot know about itself to a request: address, country and device. Values that it has stay as they are, except
 * those that say which inventory is sold: these are ours.
 */
export function completeRequest(
  request: BidRequest,
  { client, geo, app, tmaxMs }: Known,
): { request: BidRequest; country: string } {
  const { device, country } = completeDevice(request.device, client, geo);
  return {
    country,
    request: {
      ...request,
      ...inventoryOf(request, app),
      tmax: tmaxMs,
      device,
      ...(client.optsOut && { regs: withOptOut(request.regs, client) }),
    },
  };
}

/**
 * The inventory as buyers check it, as in requests of SDKs: the publisher has the seller's id of sellers.json and app-ads.txt (OpenRTB
 * 2.6, section 3.2.15), and an app its own bundle and store address, so that no key sells under another app's name.
 */
function inventoryOf(
  { app, site, dooh }: BidRequest,
  { sellerId, name, bundle, url }: AppConfig,
): Pick<BidRequest, "app" | "site" | "dooh"> {
  const sold = <Inventory extends { publisher?: Publisher }>(inventory: Inventory): Inventory => ({
    ...inventory,
    publisher: { ...inventory.publisher, id: sellerId },
  });
  if (site) return { site: sold(site) };
  if (dooh) return { dooh: sold(dooh) };
  const own = { ...(bundle !== "" && { bundle }), ...(url !== null && { storeurl: url }) };
  return { app: sold({ name, ...app, ...own }) };
}

function completeDevice(received: Device = {}, client: Client, geo: Geo): { device: Device; country: string } {
  const known = withoutEmptyTexts(received);
  const device: Device = describedDevice({ ...known, ua: known.ua ?? client.userAgent }, client);
  if (device.ip === undefined && device.ipv6 === undefined && client.ip !== "") {
    if (client.ip.includes(":")) device.ipv6 = client.ip;
    else device.ip = client.ip;
  }
  const named = countryOf(device.geo?.country);
  const address = device.ip ?? device.ipv6;
  const country = named !== UNKNOWN_COUNTRY || address === undefined ? named : geo(address);
  const alpha3 = ALPHA3.get(country);
  if (!device.geo?.country && alpha3 !== undefined) {
    device.geo = { type: LOCATION_TYPE.ipAddress, ...device.geo, country: alpha3 };
  }
  return { device, country };
}

/** Many clients send every field, with an empty text for what they do not know. */
const withoutEmptyTexts = (device: Device): Device =>
  Object.fromEntries(Object.entries(device).filter(([, value]) => value !== ""));

/**
 * The device with what its user agent tells, and its client hints, which have what user agents no longer do (OpenRTB 2.6,
 * section 3.2.29).
 */
function describedDevice(device: Device & { ua: string }, client: Client): Device {
  if (device.os !== undefined && device.osv !== undefined && device.devicetype !== undefined) return device;
  const known = userAgentFacts(device.ua);
  const { platform, model } = device.sua ?? {};
  return {
    ...device,
    os: device.os ?? known.os ?? platform?.brand,
    osv: device.osv ?? known.osv ?? (platform?.version?.join(".") || hintedVersion(client, device.ua)),
    make: device.make ?? known.make,
    model: device.model ?? known.model ?? model,
    devicetype: device.devicetype ?? known.devicetype,
  };
}
