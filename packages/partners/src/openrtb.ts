import { isObject, MEDIA_TYPES, type Bid, type MediaType, validateBidResponse } from "@millrace/openrtb";
import { fillEndpoint } from "./endpoint.ts";
import type {
  Adapter,
  AdapterRequest,
  PartnerBids,
  PartnerCalls,
  PartnerError,
  PartnerHttpAnswer,
  PartnerSettings,
} from "./adapter.ts";
import type { ImpChanges } from "./prepared-request.ts";

/** The keys of a generic OpenRTB bidder. Other keys that a publisher enters are sent as well. */
export interface OpenrtbKeys {
  /** The bidder's id of the placement, sent as `imp.tagid`. */
  placement?: string;
  /** The publisher's seat at the bidder. */
  seat?: string;
}

// Prebid requests bring their own keys, and must not cause hundreds of calls.
const MAX_CALLS = 8;

const noBids = (): PartnerBids => ({ ok: true, cur: "USD", bids: [], malformed: [] });

/**
 * An adapter for any bidder that speaks OpenRTB over HTTP. The operator sets endpoint, version and compression, and the
 * publisher's keys are sent as `imp.ext.bidder`. `{{Name}}` in the endpoint is a platform id or a key; imps with the same
 * address share one request.
 */
export const openrtbPartner: Adapter<OpenrtbKeys> = {
  id: "openrtb",
  name: "OpenRTB bidder",
  mediaTypes: MEDIA_TYPES,
  keys: {
    type: "object",
    title: "OpenRTB bidder",
    properties: {
      placement: { type: "string", title: "Placement ID", description: "Sent as imp.tagid", maxLength: 256 },
      seat: { type: "string", title: "Seat ID", description: "Your account at the bidder", maxLength: 256 },
    },
    required: [],
    additionalProperties: true,
  },

  buildRequests({ request, imps, settings }: AdapterRequest<OpenrtbKeys>): PartnerCalls {
    const mediaTypes = settings.mediaTypes ?? MEDIA_TYPES;
    const asked = imps.filter(({ imp }) => mediaTypes.some((type) => imp[type] !== undefined));
    const version = settings.openrtbVersion ?? "2.6";
    // Nearly always one and at most a few, so searching a list is faster than building a map.
    const groups: { url: string; items: { id: string; changes: ImpChanges }[] }[] = [];
    for (const { imp, keys } of asked) {
      const { url, changes } = keyedCall(keys, settings);
      if (url === undefined) continue;
      const item = { id: imp.id, changes };
      const group = groups.find((each) => each.url === url);
      if (group) group.items.push(item);
      else if (groups.length < MAX_CALLS) groups.push({ url, items: [item] });
    }
    if (asked.length > 0 && groups.length === 0) {
      return {
        ok: false,
        code: "request_failed",
        message: "the endpoint is not an address, or a part of it has no value",
      };
    }
    const headers = headersFor(settings);
    const requests = groups.map(({ url, items }) => {
      const { text, bytes } = request.body(items, version);
      const gzip = settings.gzip === true;
      return { method: "POST" as const, url, headers, body: text, bodyBytes: bytes, gzip, impIds: items.map(idOf) };
    });
    return { ok: true, requests };
  },

  readResponse({ status, body }: PartnerHttpAnswer, _call, { request }): PartnerBids | PartnerError {
    if (status === 204 || (status === 200 && body === undefined)) return noBids();
    if (status !== 200) return { ok: false, code: "http_error", message: `answered with status ${status}` };
    const verdict = validateBidResponse(body, request.request.id);
    if (!verdict.ok) {
      const { path, message } = verdict.error;
      return { ok: false, code: "malformed_response", message: `${path === "" ? "the answer" : path} ${message}` };
    }
    const bids = verdict.bids.map((seated) => {
      const mediaType = mediaTypeInExt(seated.bid);
      return mediaType === undefined ? seated : { ...seated, mediaType };
    });
    const nbr = verdict.response.nbr ?? undefined;
    return { ok: true, cur: verdict.cur, bids, malformed: verdict.malformed, ...(nbr !== undefined && { nbr }) };
  },
};

const idOf = ({ id }: { id: string }) => id;

/** What a publisher's keys make of a call: the same in every auction. */
interface KeyedCall {
  settings: PartnerSettings;
  /** Undefined if the keys do not complete the endpoint. */
  url: string | undefined;
  changes: ImpChanges;
}
const keyedCalls = new WeakMap<OpenrtbKeys, KeyedCall>();

function keyedCall(keys: OpenrtbKeys, settings: PartnerSettings): KeyedCall {
  const known = keyedCalls.get(keys);
  if (known?.settings === settings) return known;
  const { endpoint, platformIds, mediaTypes = MEDIA_TYPES } = settings;
  const values: Readonly<Record<string, unknown>> = { ...keys, ...platformIds };
  const tagid = nonEmpty(keys.placement) ? keys.placement : undefined;
  const made = { settings, url: fillEndpoint(endpoint, values), changes: { mediaTypes, bidder: keys, tagid } };
  keyedCalls.set(keys, made);
  return made;
}

// The same object each time, because the sender serialises each headers object once.
const headersBySettings = new WeakMap<PartnerSettings, Record<string, string>>();

function headersFor(settings: PartnerSettings): Record<string, string> {
  let headers = headersBySettings.get(settings);
  if (headers === undefined) {
    headers = {
      "content-type": "application/json",
      accept: "application/json",
      "x-openrtb-version": settings.openrtbVersion ?? "2.6",
      ...settings.headers,
    };
    headersBySettings.set(settings, headers);
  }
  return headers;
}

const nonEmpty = (text: unknown): text is string => typeof text === "string" && text !== "";

/** Before OpenRTB 2.6, bidders put the media type into `ext.prebid.type`; `mtype` takes precedence. */
function mediaTypeInExt({ mtype, ext }: Bid): MediaType | undefined {
  if (mtype !== undefined || ext === undefined) return undefined;
  const prebid = ext["prebid"];
  const type = isObject(prebid) ? prebid["type"] : undefined;
  return MEDIA_TYPES.find((known) => known === type);
}
