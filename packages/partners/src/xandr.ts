import { type BidRequest, isObject } from "@millrace/openrtb";
import { durationFromExt } from "./adapter/bid-steps.ts";
import { asNumber, asText } from "./adapter/check-keys.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { textAt } from "./adapter/ext-paths.ts";
import { bannerWith, floorChanges, onlyExt } from "./adapter/imp-changes.ts";
import { byExt } from "./adapter/media-type-of-bid.ts";
import { schainOf, without } from "./adapter/request-changes.ts";

interface Keys {
  placement_id?: number;
  inv_code?: string;
  member?: string;
  reserve?: number;
  position?: "above" | "below";
  keywords?: string;
  traffic_source_code?: string;
  use_pmt_rule?: boolean;
  ext_inv_code?: string;
  external_imp_id?: string;
  /** Not in the form: requests may bring it. */
  private_sizes?: unknown;
}

/** AdCOM's placement positions. */
const POSITIONS = { above: 1, below: 3 };

const sdkName = textAt("prebid.source");
const sdkVersion = textAt("prebid.version");

/** Keywords as `key=value,key`, also from `[{ key, value: [...] }]` and from `{ key: [...] }`. */
function keywordsOf(keywords: unknown): unknown {
  if (!isObject(keywords) && !Array.isArray(keywords)) return keywords;
  const pairs = Array.isArray(keywords)
    ? (keywords as unknown[]).map((pair) => (isObject(pair) ? [pair["key"], pair["value"] ?? []] : []))
    : Object.entries(keywords);
  const texts = pairs.flatMap(([key, values]) => {
    if (typeof key !== "string" || !Array.isArray(values)) return [];
    const told = values.filter((value) => typeof value === "string" || typeof value === "number");
    return told.length === 0 ? [key] : told.map((value) => `${key}=${value}`);
  });
  return texts.join(",");
}

/** The keys that describe the placement, as far as they are given; no others may travel. */
function placementFields(keys: Keys): object {
  const names = [
    "placement_id",
    "keywords",
    "traffic_source_code",
    "use_pmt_rule",
    "private_sizes",
    "ext_inv_code",
    "external_imp_id",
  ] as const;
  return Object.fromEntries(names.filter((name) => (keys[name] ?? "") !== "").map((name) => [name, keys[name]]));
}

/** The SDK of the app, as `name-version`. */
function sdkOf({ app }: BidRequest): string | undefined {
  const [name, version] = [sdkName(app?.ext), sdkVersion(app?.ext)];
  return name && version && `${name}-${version}`;
}

export const xandr = defineAdapter<Keys>({
  id: "xandr",
  name: "AppNexus (Xandr)",
  gvlId: 32,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "http://ib.adnxs.com/openrtb2",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      placement_id: { type: "integer", title: "Placement ID", minimum: 1 },
      inv_code: { type: "string", title: "Inventory code" },
      member: { type: "string", title: "Member ID", pattern: "^[0-9]+$" },
      reserve: { type: "number", title: "Bid floor", minimum: 0 },
      position: { type: "string", title: "Ad position", enum: ["above", "below"] },
      keywords: { type: "string", title: "Keywords" },
      traffic_source_code: { type: "string", title: "Traffic source code" },
      use_pmt_rule: { type: "boolean", title: "Use payment rule" },
      ext_inv_code: { type: "string", title: "External inventory code" },
      external_imp_id: { type: "string", title: "External impression ID" },
    },
    required: [],
    anyOf: [{ required: ["placement_id"] }, { required: ["inv_code", "member"] }],
    aliases: {
      placementId: "placement_id",
      invCode: "inv_code",
      trafficSourceCode: "traffic_source_code",
      use_payment_rule: "use_pmt_rule",
    },
    forms: { placement_id: asNumber, member: asText, keywords: keywordsOf },
  },
  keysOf: "first-non-empty",
  maxImps: 10,
  plan: ({ inv_code: tagid, member, reserve, position, ...keys }) => ({
    query: { member_id: member },
    imp: {
      tagid: tagid || undefined,
      displaymanagerver: (imp, { request }) => imp.displaymanagerver || sdkOf(request),
      ...floorChanges({ floor: reserve, mode: "if-missing" }),
      banner: bannerWith({ size: "both-missing", fields: position && { pos: POSITIONS[position] } }),
      ext: onlyExt(["gpid"], { appnexus: placementFields(keys) }),
    },
    request: {
      source: ({ source }) => source && { ...source, ext: without(source.ext, "schain") },
      ext: (request) => {
        const { appnexus, schain, ...ext } = request.ext ?? {};
        return {
          ...ext,
          schain: schainOf(request) ?? schain,
          appnexus: { ...(isObject(appnexus) && appnexus), hb_source: 5 },
        };
      },
    },
  }),
  response: {
    mediaType: [byExt("appnexus.bid_ad_type", { 0: "banner", 1: "video", 3: "native" }, { missing: "banner" })],
    ownId: true,
    steps: [durationFromExt("appnexus.creative_info.video.duration")],
  },
});
