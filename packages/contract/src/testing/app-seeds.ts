import type { SeedIds, SeedParts } from "./seed-ids.ts";

const FILTER = { ds: "2025-01-01", de: "2025-01-31", provider: "lab-steady", format: "banner", country: "US" };
const DATES = { ds: FILTER.ds, de: FILTER.de };
const STATS = {
  ...FILTER,
  compare: "weekdays",
  func: "totals",
  metrics: "revenue",
  view: "date",
  order: "name",
  order_type: "asc",
};

const LINE_ITEM = {
  name: "Partner tag",
  format: "video",
  zones: [],
  enabled: true,
  source: { kind: "vast", url: "https://ads.example/vast?z={zone}" },
  prices: [{ country: null, price: 2_000_000 }],
  gvl_id: null,
};

/** Requests about apps, their settings and statistics. */
export const appSeeds = ({ app, changedApp, lineItem, tableFile }: SeedIds) => {
  const params = { id: app };
  const changed = { id: changedApp };
  return {
    listApps: { query: { ...FILTER, app_id: "1", search: "a", order: "name", order_type: "asc", p: "0" } },
    dashFilters: {},
    appStats: { params, query: STATS },
    appStatsCsv: { params, query: STATS },
    appStatsPdf: { params, query: STATS },
    publisherStats: { query: STATS },
    publisherStatsCsv: { query: STATS },
    publisherStatsPdf: { query: STATS },
    appChanges: { params, query: { ...FILTER, compare: "weekdays", by: "country" } },
    publisherChanges: { query: { ...FILTER, compare: "previous", by: "app" } },
    appAnnotations: { params, query: DATES },
    publisherAnnotations: { query: DATES },
    makeAppFile: { params, query: STATS, body: { kind: "csv" } },
    makePublisherFile: { query: STATS, body: { kind: "csv" } },
    tableFileStatus: { params: { id: tableFile } },
    downloadTableFile: { params: { id: tableFile } },
    // Asks about an unknown look-up, so that no app is added.
    addApp: { body: { type: "apps", qid: "0123456789abcdef" } },
    removeSampleApps: {},
    renameApp: {
      params: changed,
      body: { uuid: changedApp, app_name: "Renamed", app_bundle_id: null },
    },
    muteApp: { params: changed, body: { mute: "on", tag: 1 } },
    deleteApp: { params: changed },
    instructionFrame: { params },
    firstSteps: { params },
    testAd: { params, body: { format: "banner" } },
    debugToken: { params },
    connectDemoPartners: { params: changed },
    appSettings: { params },
    appMediation: { params, query: { ds: "2025-01-01", de: "2025-01-31", format: "banner", country: "US" } },
    appBids: { params, query: { format: "banner", country: "US", floor: "500000" } },
    automaticFloors: { params },
    switchAutomaticFloors: { params: changed, body: { enabled: true } },
    setFloors: { params: changed, body: { floors: [{ country: "US", format: "banner", floor: 1_000_000 }] } },
    setBlocks: { params: changed, body: { categories: ["IAB7-39"], domains: ["shop.example"] } },
    setTestDevices: { params: changed, body: { devices: ["6d92078a-8246-4ba4-ae5b-76104861e7dc"] } },
    setFlags: {
      params: changed,
      body: { kids: false, adult: false, is_gaming: true, only_image: false, muted: true },
    },
    setRewards: {
      params: changed,
      body: { callback_url: "https://game.example/reward", name: "coins", amount: 5 },
    },
    rewardCallbacks: { params },
    sendTestReward: { params: changed },
    rewardKeys: {},
    revenueWebhook: { params },
    setRevenueWebhook: { params: changed, body: { url: "https://game.example/revenue" } },
    removeRevenueWebhook: { params: changed },
    testRevenueWebhook: { params: changed },
    setLearning: { params: changed, body: { skip_partners: true, exploration: 5 } },
    switchPartner: { params: { ...changed, partner: "lab-steady" }, body: { enabled: true } },
    editZone: { params: { ...changed, zone: "malformed" }, body: { name: "Top", refresh_seconds: 30 } },
    deleteZone: { params: { ...changed, zone: "malformed" } },
    lineItems: { params },
    addLineItem: { params: changed, body: { ...LINE_ITEM, name: "Another tag" } },
    editLineItem: { params: { ...changed, item: lineItem }, body: LINE_ITEM },
    importLinePrices: { params: changed, body: { content: "line_item,country,price\nPartner tag,US,2.5\n" } },
    deleteLineItem: { params: { ...changed, item: lineItem } },
    dspKeys: { params },
    putDspKeys: { params: { ...changed, dsp: "lab-steady", format: "banner" }, body: { seat: "a" } },
    deleteDspKeys: { params: { ...changed, dsp: "lab-steady", format: "banner" } },
    appAdsTxt: {},
    sellersJson: {},
    appAds: {},
    setAppAds: { body: { domain: "studio.example", is_confidential: true } },
    checkAppAds: {},
  } satisfies Record<string, SeedParts>;
};
