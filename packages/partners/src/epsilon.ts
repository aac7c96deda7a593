import type { Video } from "@millrace/openrtb";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges } from "./adapter/imp-changes.ts";
import { always, byImp } from "./adapter/media-type-of-bid.ts";
import { inventoryId } from "./adapter/request-changes.ts";

interface Keys {
  site_id: string;
  tag_id?: string;
  secure?: 0 | 1;
  bidfloor?: number;
  position?: number;
  mimes?: string[];
  maxduration?: number;
  api?: number[];
  protocols?: number[];
}

/** The player's fields that keys replace. */
function playerFields({ mimes, maxduration, api, protocols }: Keys): Partial<Video> {
  return {
    ...(mimes?.length && { mimes }),
    ...(maxduration !== undefined && { maxduration }),
    ...(api?.length && { api }),
    ...(protocols?.length && { protocols }),
  };
}

export const epsilon = defineAdapter<Keys>({
  id: "epsilon",
  name: "Epsilon (Conversant)",
  gvlId: 24,
  mediaTypes: ["banner", "video", "native", "audio"],
  endpoint: "http://api.hb.ad.cpe.dotomi.com/cvx/server/hb/ortb",
  openrtbVersion: "2.6",
  gzip: false,
  keys: {
    properties: {
      site_id: { type: "string", title: "Site ID" },
      tag_id: { type: "string", title: "Tag ID" },
      secure: { type: "integer", title: "Secure flag", enum: [0, 1] },
      bidfloor: { type: "number", title: "Bid floor" },
      position: { type: "integer", title: "Ad position" },
      mimes: { type: "array", title: "Video MIME types", items: { type: "string" } },
      maxduration: { type: "integer", title: "Max video duration" },
      api: { type: "array", title: "API frameworks", items: { type: "integer" } },
      protocols: { type: "array", title: "Video protocols", items: { type: "integer" } },
    },
    required: ["site_id"],
  },
  plan(keys) {
    const { site_id: siteId, tag_id: tagId, secure, bidfloor: floor, position: pos } = keys;
    const player = playerFields(keys);
    return {
      imp: {
        // Who speaks its protocol, and in which version: not the app's SDK.
        displaymanager: "prebid-s2s",
        displaymanagerver: "2.0.0",
        tagid: tagId || undefined,
        ...(secure !== undefined && { secure: (imp) => imp.secure || secure }),
        // An imp with a banner is described by that alone.
        banner: ({ banner }) => banner && { ...banner, pos },
        video: ({ banner, video }) => (banner === undefined && video ? { ...video, pos, ...player } : video),
        ...floorChanges({ floor, mode: "if-missing", currency: "USD" }),
      },
      request: { cur: ({ cur }) => (cur?.length ? ["USD"] : cur), ...inventoryId(siteId) },
    };
  },
  response: {
    mediaType: [byImp("native", "audio", "video"), always("banner")],
    currency: "USD",
    firstSeatOnly: true,
    ownId: true,
  },
});
