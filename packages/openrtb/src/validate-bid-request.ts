import type { BidRequest } from "./bid-request.ts";
import { requestExt } from "./bidder-chains.ts";
import {
  between,
  count,
  cpm,
  extension,
  type Fault,
  flag,
  identifier,
  integer,
  integerFrom,
  type JsonObject,
  listOf,
  matching,
  number,
  object,
  string,
  strings,
} from "./check.ts";
import { app, dooh, site } from "./inventory-shapes.ts";
import { audio, banner, bannerWithoutSizes, durFloor, metric, native, video } from "./media-shapes.ts";
import { MEDIA_TYPES } from "./media-type.ts";
import { device, user } from "./people-shapes.ts";
import { regs, source } from "./source-shapes.ts";
import { withoutNulls } from "./without-nulls.ts";

const currency = matching(/^[A-Z]{3}$/, "an ISO 4217 code such as USD");

// Every imp is checked against every partner; pages and pods have a few dozen at most.
const MAX_IMPS = 100;

const deal = object(
  {
    id: identifier,
    bidfloor: cpm,
    bidfloorcur: currency,
    at: integer,
    wseat: strings,
    wadomain: strings,
    guar: flag,
    mincpmpersec: cpm,
    durfloors: listOf(durFloor),
    ext: extension,
  },
  { required: ["id"] },
);

const qty = object(
  { multiplier: between(0, Infinity), sourcetype: count, vendor: string, ext: extension },
  { required: ["multiplier"] },
);

const imp = object(
  {
    id: identifier,
    metric: listOf(metric),
    banner,
    video,
    audio,
    native,
    pmp: object({ private_auction: flag, deals: listOf(deal), ext: extension }),
    displaymanager: string,
    displaymanagerver: string,
    instl: flag,
    tagid: string,
    bidfloor: cpm,
    bidfloorcur: currency,
    clickbrowser: flag,
    secure: flag,
    iframebuster: strings,
    rwdd: flag,
    ssai: count,
    exp: count,
    qty,
    dt: number,
    refresh: object({
      refsettings: listOf(object({ reftype: count, minint: count, ext: extension })),
      count,
      ext: extension,
    }),
    ext: extension,
  },
  {
    required: ["id"],
    rule: (value) =>
      MEDIA_TYPES.some((type) => value[type] !== undefined)
        ? bannerWithoutSizes(value)
        : { path: "", message: `must have at least one of ${MEDIA_TYPES.join(", ")}` },
  },
);

const bidRequest = object(
  {
    id: identifier,
    imp: listOf(imp, { min: 1, max: MAX_IMPS }),
    site,
    app,
    dooh,
    device,
    user,
    test: flag,
    at: integerFrom(1),
    tmax: integerFrom(1),
    wseat: strings,
    bseat: strings,
    allimps: flag,
    cur: listOf(currency),
    wlang: strings,
    wlangb: strings,
    acat: strings,
    bcat: strings,
    cattax: count,
    badv: strings,
    bapp: strings,
    source,
    regs,
    ext: requestExt,
  },
  { required: ["id", "imp"], rule: (value) => uniqueImpIds(value) ?? atMostOneInventory(value) },
);

function uniqueImpIds({ imp }: JsonObject): Fault | null {
  const imps = imp as { id: string }[];
  if (imps.length === 1) return null;
  const seen = new Set<string>();
  for (const [index, { id }] of imps.entries()) {
    if (seen.has(id)) return { path: `imp[${index}].id`, message: "must be unique in the request" };
    seen.add(id);
  }
  return null;
}

/** None of them is required, but two are contradictory. */
function atMostOneInventory(request: JsonObject): Fault | null {
  const [first, second] = ["site", "app", "dooh"].filter((name) => request[name] !== undefined);
  return second === undefined ? null : { path: second, message: `must not be combined with ${first}` };
}

export type RequestVerdict = { ok: true; request: BidRequest } | { ok: false; error: Fault };

/**
 * Checks a parsed body against OpenRTB 2.6: the types of all standard fields, required fields, and rules between fields.
 * `request` is the given value itself, including fields unknown to the standard, or a copy without its nulls, which count
 * as absent. Never throws; `error.path` names the first invalid field, such as `imp[0].banner.w`, and is empty for the
 * whole body.
 */
export function validateBidRequest(value: unknown): RequestVerdict {
  const request = withoutNulls(value);
  const error = bidRequest(request);
  return error === null ? { ok: true, request: request as BidRequest } : { ok: false, error };
}
