import { type BidRequest, type Imp, isObject } from "@millrace/openrtb";
import { durationFromExt, nativeUnwrapped, seatFromExt } from "./adapter/bid-steps.ts";
import { type ChangeContext, Refusal } from "./adapter/changes.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { atPath, textAt } from "./adapter/ext-paths.ts";
import { bannerWith, floorChanges, onlyExt } from "./adapter/imp-changes.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";
import { publisherId } from "./adapter/request-changes.ts";

interface Keys {
  publisherId: string;
  adSlot?: string;
  pmzoneid?: string;
  kadfloor?: string;
  dctr?: string;
  // Not in the form: requests may bring them.
  keywords?: unknown;
  wrapper?: unknown;
}

const sdkPlaces = ["prebid.", ""].map((at) => ({ name: textAt(`${at}source`), version: textAt(`${at}version`) }));
const dataOf = atPath("data");
const adServer = textAt("data.adserver.name");
const adServerSlot = textAt("data.adserver.adslot");
const ownSlot = textAt("data.pbadslot");
const sharedWrapper = atPath("prebid.bidderparams.wrapper");
const sharedCategories = atPath("prebid.bidderparams.acat");

const KEPT_EXT = ["ae", "gpid", "skadn", "dfp_ad_unit_code"];

/** An ad slot, as `name@300x250:0` with a size or only a name. */
const AD_SLOT = /^([^@]+?)\s*(?:@\s*(\d+)\s*[xX]\s*(\d+)\s*(?::.*)?)?$/;

/** The changes of an imp that the ad slot gives. */
function adSlotChanges(adSlot = "") {
  const [, name, w, h] = AD_SLOT.exec(adSlot.trim()) ?? [];
  const isBroken = name === undefined && adSlot.trim() !== "";
  return {
    tagid: isBroken ? () => new Refusal("adSlot must be a name, or a name with a size as name@300x250") : name,
    banner: bannerWith({ size: "any-null", ...(w && h && { fields: { w: Number(w), h: Number(h) } }) }),
  };
}

/** The app's SDK, from the first place with its name and its version: one alone may be another SDK's. */
function sdkOf({ app }: BidRequest): Pick<Imp, "displaymanager" | "displaymanagerver"> {
  for (const { name, version } of sdkPlaces) {
    const [displaymanager, displaymanagerver] = [name(app?.ext), version(app?.ext)];
    if (displaymanager && displaymanagerver) return { displaymanager, displaymanagerver };
  }
  return {};
}

/** A field of the app's SDK, unless the imp names one itself. */
const sdkField =
  (field: "displaymanager" | "displaymanagerver") =>
  (imp: Imp, { request }: ChangeContext): string | undefined =>
    imp.displaymanager || imp.displaymanagerver ? imp[field] : sdkOf(request)[field];

/** The imp's slot in Google's ad server, or the publisher's own name of it. */
const adUnitCode = (ext: Imp["ext"]): string | undefined =>
  (adServer(ext) === "gam" ? adServerSlot(ext) : undefined) ?? ownSlot(ext);

/** The imp's data as targeting, `key=a,b` each. */
function targetingOfData(ext: Imp["ext"]): string[] {
  const data = dataOf(ext);
  return Object.entries(isObject(data) ? data : {}).flatMap(([key, value]) => {
    if (key === "adserver" || key === "pbadslot") return [];
    const values = Array.isArray(value) && value.every((each) => typeof each === "string") ? value : [value];
    if (values.length === 0 || !values.every((each) => ["string", "number", "boolean"].includes(typeof each)))
      return [];
    return [`${key.trim()}=${values.map((each) => String(each).trim()).join(",")}`];
  });
}

/** Targeting from `[{ key, value: [...] }]`, as `key: "a,b"`. */
function targetingOf(keywords: unknown): Record<string, string> {
  const targeting: Record<string, string> = {};
  for (const pair of Array.isArray(keywords) ? (keywords as unknown[]) : []) {
    if (!isObject(pair) || typeof pair["key"] !== "string" || !Array.isArray(pair["value"])) continue;
    const values = pair["value"].filter((value) => typeof value === "string");
    if (values.length > 0) targeting[pair["key"] === "pmZoneID" ? "pmZoneId" : pair["key"]] = values.join(",");
  }
  return targeting;
}

export const pubmatic = defineAdapter<Keys>({
  id: "pubmatic",
  name: "PubMatic",
  gvlId: 76,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://hbopenbid.pubmatic.com/translator?source=prebid-server",
  openrtbVersion: "2.6",
  gzip: true,
  keys: {
    properties: {
      publisherId: { type: "string", title: "Publisher ID" },
      adSlot: { type: "string", title: "Ad slot" },
      pmzoneid: { type: "string", title: "Zone ID" },
      kadfloor: { type: "string", title: "Bid floor", pattern: "^\\s*[0-9]*\\.?[0-9]+\\s*$" },
      dctr: { type: "string", title: "Deal custom targeting" },
    },
    required: ["publisherId"],
  },
  keysOf: "first-non-empty",
  plan(keys) {
    const targeting = {
      ...targetingOf(keys.keywords),
      ...(keys.dctr && { key_val: keys.dctr }),
      ...(keys.pmzoneid && { pmZoneId: keys.pmzoneid }),
    };
    return {
      imp: {
        displaymanager: sdkField("displaymanager"),
        displaymanagerver: sdkField("displaymanagerver"),
        ...adSlotChanges(keys.adSlot),
        ...floorChanges({ floor: keys.kadfloor ? Number(keys.kadfloor) : undefined, mode: "higher" }),
        ext(imp) {
          const keyVal = [targeting["key_val"], ...targetingOfData(imp.ext)].filter(Boolean).join("|");
          const fields = { dfp_ad_unit_code: adUnitCode(imp.ext), ...targeting, ...(keyVal && { key_val: keyVal }) };
          return onlyExt(KEPT_EXT, fields)(imp);
        },
      },
      request: {
        ...publisherId(keys.publisherId.trim() || undefined),
        ext({ ext }) {
          const wrapper = sharedWrapper(ext) ?? keys.wrapper;
          const known = isObject(wrapper) ? wrapper : undefined;
          return { wrapper: ext ? { ...known, biddercode: "pubmatic" } : known, acat: sharedCategories(ext) };
        },
      },
    };
  },
  response: {
    mediaType: [byMtype()],
    ownId: true,
    steps: [seatFromExt("marketplace"), nativeUnwrapped, durationFromExt("video.duration")],
  },
});
