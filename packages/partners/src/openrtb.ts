import { MEDIA_TYPES } from "@millrace/openrtb";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { byExt, byMarkup, type MediaTypeRule } from "./adapter/media-type-of-bid.ts";

/** The keys of a generic OpenRTB bidder. Other keys that a publisher enters are sent as well. */
export interface OpenrtbKeys {
  /** The bidder's id of the placement, sent as `imp.tagid`. */
  placement?: string;
  /** The publisher's seat at the bidder. */
  seat?: string;
}

/** A rule for bids without `mtype`, which takes precedence, even where the imp does not offer its type. */
const withoutMtype =
  (rule: MediaTypeRule): MediaTypeRule =>
  (bid, context) =>
    bid.mtype === undefined ? rule(bid, context) : undefined;

/**
 * An adapter for any bidder that speaks OpenRTB over HTTP. The operator sets endpoint, version and compression, and the
 * publisher's keys are sent as `imp.ext.bidder`. `{{Name}}` in the endpoint is a platform id or a key; imps with the same
 * address share one request.
 */
export const openrtb = defineAdapter<OpenrtbKeys>({
  id: "openrtb",
  name: "OpenRTB bidder",
  mediaTypes: MEDIA_TYPES,
  endpoint: "",
  keys: {
    properties: {
      placement: { type: "string", title: "Placement ID", description: "Sent as imp.tagid", maxLength: 256 },
      seat: { type: "string", title: "Seat ID", description: "Your account at the bidder", maxLength: 256 },
    },
    required: [],
    additionalProperties: true,
  },
  headers: { "content-type": "application/json" },
  split: "by-address",
  maxCalls: 8,
  plan: (keys, { ids }) => ({
    macros: Object.fromEntries(Object.entries({ ...keys, ...ids }).filter(([, value]) => value !== "")),
    imp: { tagid: keys.placement === "" ? undefined : keys.placement },
  }),
  response: {
    // Before OpenRTB 2.6, bidders put the media type into `ext.prebid.type`, or left it to the markup.
    mediaType: [withoutMtype(byExt("prebid.type")), withoutMtype(byMarkup)],
    unknownType: "pass",
  },
});
