import type { CampaignRow, Reply, getCampaign, listCampaigns } from "@millrace/contract";

export const REVISION = "a-revision";
export const UUID = "00000000-0000-4000-8000-000000000021";

export const CHOICES = {
  countries: { DE: "Germany", FR: "France", JP: "Japan", US: "United States" },
  versions: { ios: ["15", "16", "17", "18"], android: ["9", "10", "11", "12"] },
  banners: [
    { width: 300, height: 50 },
    { width: 320, height: 50 },
  ],
};

export const IMAGE = { url: "/files/a.png", size: 22_528, width: 320, height: 480, video: null };

export const someRow = (change: Partial<CampaignRow> = {}): CampaignRow => ({
  uuid: UUID,
  name: "Autumn",
  app_platform: "android",
  bundle_id: "com.example.tide",
  store_id: "com.example.tide",
  image_url: null,
  campaign_format: "image",
  status: "active",
  campaign_status: "wait",
  status_reason: "Its creatives wait for a moderator.",
  creatives: 2,
  creative_status: [
    { store_id: "com.example.tide", format: "image", status: "new" },
    { store_id: "com.example.tide", format: "image", status: "blocked" },
  ],
  budget: 0,
  daily: 250_000_000,
  impressions: 1200,
  clicks: 34,
  conversions: 5,
  costs: 1_250_000,
  ...change,
});

export const someList = (campaigns: CampaignRow[]): Reply<typeof listCampaigns> => ({
  campaigns,
  totals: { impressions: 2400, clicks: 68, conversions: 10, costs: 2_500_000 },
  pager: { current_page: 1, entries_per_page: 50, first_page: 1, last_page: 1 },
  ...CHOICES,
});

type Saved = Reply<typeof getCampaign>["campaign"];

export const someCampaign = (change: Partial<Saved> = {}): Saved => ({
  uuid: UUID,
  image_url: null,
  status: "active",
  campaign_status: "play",
  status_reason: null,
  name: "Autumn",
  bundle_id: "com.example.tide",
  store_id: "com.example.tide",
  app_platform: "android",
  site: "https://play.google.com/store/apps/details?id=com.example.tide",
  campaign_format: "image",
  budget: 0,
  bid: { type: "cpm", value: 2_400_000, daily: 300_000_000 },
  start_date: "2026-01-05",
  start_time: "14:00",
  end_date: null,
  end_time: "14:00",
  days: [1, 2, 3, 4, 5],
  day_activity_from: "08:00",
  day_activity_to: "20:00",
  network: "wifi",
  geo_type: "in",
  country: ["DE", "US"],
  region: [],
  platform: ["android"],
  ios: { all: true, min: "15", max: "18" },
  android: { all: false, min: "9", max: "12" },
  limit: [{ impressions: 3, period: "day", per: "user" }],
  click_link: "",
  view_link: "",
  conversion_event: "install",
  click_window: 7,
  view_window: 24,
  rotation: "even",
  hold_out: 20,
  creatives: [
    {
      c_id: "00000000-0000-4000-8000-000000000031",
      format: "image",
      store_id: "com.example.tide",
      country: "US",
      title: "",
      skip_timer: 0,
      cta: "Play",
      click_url: "https://shop.example/tide",
      tracking_url: "",
      image_url: IMAGE.url,
      status: "active",
      reason: null,
      image: IMAGE,
    },
    {
      c_id: "00000000-0000-4000-8000-000000000032",
      format: "image",
      store_id: "com.example.tide",
      country: "",
      title: "",
      skip_timer: 0,
      cta: "",
      click_url: "https://shop.example/other",
      tracking_url: "",
      image_url: IMAGE.url,
      status: "blocked",
      reason: "Its text cannot be read",
      image: IMAGE,
    },
  ],
  ...change,
});
