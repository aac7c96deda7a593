import { ReachBody } from "../campaign-spending.ts";
import type { SeedIds, SeedParts } from "./seed-ids.ts";

const fieldsWith = (image: string) => ({
  name: "Autumn",
  bundle_id: "com.example.tide",
  store_id: "com.example.tide",
  app_platform: "android",
  site: "https://play.google.com/store/apps/details?id=com.example.tide",
  campaign_format: "banner",
  budget: 0,
  bid: { type: "cpm", value: 250_000, daily: 250_000_000 },
  start_date: "2099-01-01",
  start_time: "14:00",
  end_date: "2099-01-31",
  end_time: "14:00",
  days: [1, 2, 3, 4, 5, 6, 7],
  day_activity_from: "00:00",
  day_activity_to: "23:59",
  network: "any",
  geo_type: "in",
  country: ["US"],
  region: ["US-CA"],
  platform: ["android"],
  ios: { all: true, min: "12", max: "26" },
  android: { all: false, min: "9", max: "16" },
  limit: [{ impressions: 3, period: "day", per: "user" }],
  creatives: [
    {
      c_id: null,
      format: "banner",
      store_id: "com.example.tide",
      cta: "Install",
      click_url: "https://shop.example/tide",
      tracking_url: "",
      image_url: image,
    },
  ],
});

function reachWith() {
  const fields = Object.entries(fieldsWith("")).filter(([field]) => field in ReachBody.shape);
  return { ...Object.fromEntries(fields), sizes: [{ width: 320, height: 50 }] };
}

const inhouseWith = (app: string, image: string) => ({
  title: "Try Tide",
  desc: "A puzzle by us",
  ad_app_id: app,
  app_id: [app],
  price: 500_000,
  geo_type: "in",
  country: ["US"],
  ios: { all: true, min: "12", max: "26" },
  android: { all: false, min: "9", max: "16" },
  format: "image",
  target_url: "https://shop.example/tide",
  store_id: "com.example.tide",
  store_country: "US",
  image_l: image,
});

/** Requests about campaigns and their creatives. */
export const campaignSeeds = ({ app, campaign, creative, image, inhouse }: SeedIds) => {
  const params = { id: campaign };
  const own = { id: inhouse };
  return {
    listCampaigns: { query: { ds: "2025-01-01", de: "2025-01-31", search: "a", p: "0" } },
    campaignStats: {
      query: { ds: "2025-01-01", de: "2025-01-31", func: "stats", view: "campaign", campaign, format: "image" },
    },
    campaignStatsCsv: { query: { ds: "2025-01-01", de: "2025-01-31", view: "country", columns: "costs" } },
    campaignStatsPdf: { query: { ds: "2025-01-01", de: "2025-01-31" } },
    campaignFirstSteps: {},
    campaignSpending: { params, query: { ds: "2025-01-01", de: "2025-01-31" } },
    campaignReach: { body: reachWith() },
    campaignRegions: { query: { country: "US,DE" } },
    getCampaign: { params },
    addCampaign: { body: fieldsWith(image) },
    editCampaign: { params, body: fieldsWith(image) },
    setCampaignStatus: { params, query: { status: "frozen" } },
    setCampaignStatusByGet: { params, query: { status: "active" } },
    campaignAppInfo: { body: { qid: "0123456789abcdef" } },
    uploadCreative: {},
    listInhouse: { query: { ds: "2025-01-01", de: "2025-01-31", search: "a", p: "0" } },
    inhouseChoices: {},
    getInhouse: { params: own },
    addInhouse: { body: inhouseWith(app, image) },
    editInhouse: { params: own, body: inhouseWith(app, image) },
    setInhouseStatus: { params: own, query: { status: "frozen" } },
    deleteInhouse: { params: own },
    inhouseMeasurement: { params: own },
    testInhousePostback: { params: own },
    rotateInhouseSecret: {},
    uploadInhouse: {},
    campaignMeasurement: { params },
    creativeTests: { params },
    appleReport: { query: { ds: "2025-01-01", de: "2025-01-31" } },
    skadnetworkPostback: { body: { version: "4.0" } },
    attributionPostback: { body: { "jws-string": "a.b.c" } },
    testPostback: { params },
    rotatePostbackSecret: {},
    postback: { params, query: { click_id: "a", event: "install", secret: "b" } },
    postbackByPost: { params, query: {}, body: { click_id: "a", event: "install", transaction_id: "1", secret: "b" } },
    creativeQueue: { query: { search: "a", p: "0" } },
    moderateCreative: { params: { id: creative }, body: { decision: "approve", reason: "" } },
  } satisfies Record<string, SeedParts>;
};
