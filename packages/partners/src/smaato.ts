import { isObject } from "@millrace/openrtb";
import { type BidStep, durationFromExt, nativeUnwrapped, offeredFor } from "./adapter/bid-steps.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges } from "./adapter/imp-changes.ts";
import { byHeader } from "./adapter/media-type-of-bid.ts";
import { inInventory, without } from "./adapter/request-changes.ts";

interface Keys {
  publisherId: string;
  adspaceId: string;
}

/** These fields of the first-party data that Prebid clients put into an `ext.data`, as far as it has them. */
function dataOf(ext: Record<string, unknown> | undefined, ...names: readonly string[]): object {
  const data = ext?.["data"];
  return isObject(data) ? Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name))) : {};
}

/** Tells the click trackers in the bid's `ext` of clicks on the banner, of which its own markup knows nothing. */
const withClickTrackers: BidStep = (read) => {
  const { adm, ext } = read.bid;
  const trackers: unknown[] = Array.isArray(ext?.["curls"]) ? ext["curls"] : [];
  const calls = trackers
    .filter(isTracker)
    .map((url) => `fetch(decodeURIComponent('${quoted(url)}'),${FETCH_OPTIONS});`);
  if (read.mediaType !== "banner" || adm === undefined || calls.length === 0) return read;
  return { ...read, bid: { ...read.bid, adm: `<div style="cursor:pointer" onclick="${calls.join("")}">${adm}</div>` } };
};

/** A click leaves the page, which must not cancel the call. */
const FETCH_OPTIONS = "{mode:'no-cors',keepalive:true}";

// Half a character has no encoding.
const isTracker = (url: unknown): url is string =>
  typeof url === "string" && /^https?:\/\//i.test(url) && !/\p{Surrogate}/u.test(url);

/** Encoded so that nothing in it ends the script's text or the attribute. */
const quoted = (url: string): string => encodeURIComponent(url).replaceAll("'", "%27");

export const smaato = defineAdapter<Keys>({
  id: "smaato",
  name: "Smaato",
  gvlId: 82,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://prebid.ad.smaato.net/oapi/prebid",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      publisherId: { type: "string", title: "Publisher ID" },
      adspaceId: { type: "string", title: "Adspace ID" },
    },
    required: ["publisherId", "adspaceId"],
  },
  split: "per-imp-media-type",
  plan: ({ publisherId: id, adspaceId: tagid }) => ({
    imp: { tagid, ext: ({ ext }) => without(ext), ...floorChanges({ currency: "USD" }) },
    request: {
      ...inInventory((inventory) => ({ ...inventory, publisher: { id } })),
      site: ({ site }) => site && { ...without(site, "ext"), ...dataOf(site.ext, "keywords"), publisher: { id } },
      dooh: ({ dooh }) => dooh && { ...dooh, publisher: { id } },
      user: ({ user }) =>
        user && { ...user, ...dataOf(user.ext, "gender", "yob", "keywords"), ext: without(user.ext, "data") },
      ext: { client: "prebid_server_1.2" },
    },
  }),
  response: {
    mediaType: [byHeader("x-smt-adtype", { Img: "banner", Richmedia: "banner", Video: "video", Native: "native" })],
    currency: "USD",
    ownId: true,
    steps: [withClickTrackers, nativeUnwrapped, offeredFor(300), durationFromExt("duration")],
  },
});
