import { type App, bidderChains, type BidRequest, type Site } from "@millrace/openrtb";
import { deviceHash, type Keyring } from "../delivery/secrets.ts";
import { partsRemovedBy } from "./privacy-table.ts";
import { redactRequest } from "./redact-request.ts";

const EVERYTHING = partsRemovedBy(["coppa"]);

/**
 * A request as its trace stores it, which identifies no person whatever privacy law would allow. The advertising id
 * becomes the events' keyed hash, addresses lose their last part, and other ids, locations, profiles, free-form parts
 * and the queries of page addresses are removed.
 */
export function recordableRequest(full: BidRequest, keyring: Keyring): BidRequest {
  const { request: made } = redactRequest(full, EVERYTHING);
  const request: BidRequest = { ...made };
  const ifa = full.device?.ifa;
  if (request.device) {
    // The description of the device stays.
    const { lmt } = full.device ?? {};
    request.device = { ...request.device, ...(ifa !== undefined && { ifa: deviceHash(keyring, ifa) }) };
    if (lmt === undefined) delete request.device.lmt;
    else request.device.lmt = lmt;
  }
  // The chains of single bidders are told to them, as the one of the request. Fields keep their order, so that requests are made again.
  const schains = bidderChains(full);
  if (schains.length > 0) request.ext = { prebid: { schains } };
  else delete request.ext;
  if (request.app) request.app = withoutFreeForm(request.app);
  if (request.site) request.site = recordableSite(request.site);
  return request;
}

function withoutFreeForm<T extends App | Site>(inventory: T): T {
  if (inventory.ext === undefined) return inventory;
  const result = { ...inventory };
  delete result.ext;
  return result;
}

function recordableSite(site: Site): Site {
  const result = { ...withoutFreeForm(site) };
  if (result.page !== undefined) result.page = withoutQuery(result.page);
  if (result.ref !== undefined) result.ref = withoutQuery(result.ref);
  delete result.search;
  return result;
}

const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, "");
