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

function withoutFreeForm<T extends App | Site>(of: T): T {
  if (of.ext === undefined) return of;
  const made = { ...of };
  delete made.ext;
  return made;
}

function recordableSite(site: Site): Site {
  const made = { ...withoutFreeForm(site) };
  if (made.page !== undefined) made.page = withoutQuery(made.page);
  if (made.ref !== undefined) made.ref = withoutQuery(made.ref);
  delete made.search;
  return made;
}

const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, "");
