import { type AdminPartner, type ListedPartner, PLATFORMS } from "@millrace/contract";

/** A partner that is connected and on, with something in every setting. */
export const somePartner = (more: Partial<AdminPartner> = {}): AdminPartner => ({
  id: "xandr",
  connected: true,
  demo: false,
  settings: {
    kind: "xandr",
    name: "Xandr",
    active: true,
    endpoint: "https://bids.example/openrtb2",
    media_types: ["banner", "video"],
    platforms: ["android", "ios"],
    openrtb_version: "2.5",
    gzip: false,
    gvl_id: 32,
    platform_ids: { seller: "77" },
    headers: { "x-source": "a" },
    credentials: ["authorization"],
    currency: null,
    bid_currency: null,
    schain_node: { asi: "example.com", sid: "s-1" },
    qps_limit: 50,
    app_ads_lines: ["example.com, {member}, RESELLER"],
  },
  adapter: {
    name: "Xandr",
    endpoint: "http://ib.adnxs.com/openrtb2",
    media_types: ["banner", "video", "native"],
    platforms: ["android", "ios"],
    openrtb_version: "2.5",
    gzip: false,
    gvl_id: 32,
    platform_ids: [],
    keys_schema: {
      type: "object",
      title: "Xandr",
      properties: { placement_id: { type: "integer", title: "Placement" } },
      required: ["placement_id"],
    },
  },
  today: { asked: 1000, bids: 250, wins: 50, timeouts: 20, errors: 3, p50_ms: 31.2, p95_ms: 84 },
  ...more,
});

export const someListedPartner = (more: Partial<ListedPartner> = {}): ListedPartner => ({
  id: "xandr",
  kind: "xandr",
  name: "Xandr",
  connected: true,
  active: true,
  demo: false,
  media_types: ["banner", "video"],
  platforms: [...PLATFORMS],
  gvl_id: 32,
  today: somePartner().today,
  ...more,
});
