import { afterAll, beforeAll, expect } from "vitest";
import { somePng } from "../../../platform/images/testing/some-images.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import type { CampaignsDeps } from "../deps.ts";
import { campaignsServer } from "./campaigns-server.ts";

/** A campaign as its form shows it. */
export interface Shown extends Record<string, unknown> {
  creatives: { c_id: string; status: string; reason: string | null; image: object; image_url: string }[];
}

/** An advertiser with a balance and an uploaded banner, and the calls about their campaigns; for the file's tests. */
export async function anAdvertiser(stores: TestStores, some: Partial<CampaignsDeps> = {}) {
  const { pg } = stores;
  const at = await campaignsServer(stores, some);
  const me = { accountId: 0, banner: "" };
  beforeAll(async () => {
    me.accountId = await at.newAccount({ balance: 5_000_000 });
    me.banner = await imageOf(me.accountId);
  });
  afterAll(() => at.stop());

  async function imageOf(accountId: number, width = 320, height = 50): Promise<string> {
    const { body } = await at.upload(accountId, { content: await somePng(width, height), fileName: "banner.png" });
    return String(body["url"]);
  }
  const someCreative = (some: object = {}) => ({
    c_id: null as string | null,
    format: "banner",
    store_id: "com.example.tide",
    cta: "Install",
    click_url: "https://shop.example/tide",
    tracking_url: "",
    image_url: me.banner,
    ...some,
  });
  const someFields = (some: object = {}) => ({
    name: "Autumn",
    bundle_id: "com.example.tide",
    store_id: "com.example.tide",
    app_platform: "android",
    site: "",
    campaign_format: "banner",
    budget: 0,
    bid: { type: "cpm", value: 1_250_000, daily: 300_000_000 },
    start_date: "2099-01-01",
    start_time: "14:00",
    end_date: "2099-01-31",
    end_time: "09:30",
    days: [7, 1, 1],
    day_activity_from: "06:00",
    day_activity_to: "23:59",
    network: "wifi",
    geo_type: "in",
    country: ["DE", "US"],
    platform: ["android"],
    ios: { all: true, min: "12", max: "26" },
    android: { all: false, min: "9", max: "16" },
    limit: [{ impressions: 3, period: "day", per: "user" }],
    creatives: [someCreative()],
    ...some,
  });
  async function campaign(uuid: string, accountId = me.accountId): Promise<Shown> {
    const { body } = await at.get(accountId, `/campaign/${uuid}`);
    return body["campaign"] as Shown;
  }
  return {
    at,
    me,
    imageOf,
    someCreative,
    someFields,
    campaign,
    async newCampaign(accountId = me.accountId, some: object = {}): Promise<string> {
      const { status, body } = await at.send(accountId, "/campaign/add", someFields(some));
      expect([status, body]).toEqual([200, { uuid: expect.any(String) as string, redirect_to: "/campaign" }]);
      return String(body["uuid"]);
    },
    list: async (accountId: number, query = "") =>
      (await at.get(accountId, `/campaign${query}`)).body as {
        campaigns: Record<string, unknown>[];
        totals: object;
        pager: object;
      },
    /** What the form of a campaign sends without a change. */
    async form(uuid: string) {
      const { creatives, ...shown } = await campaign(uuid);
      const fields = Object.entries(shown).filter(
        ([name]) => !["uuid", "image_url", "status", "campaign_status", "status_reason"].includes(name),
      );
      return {
        ...(Object.fromEntries(fields) as Omit<ReturnType<typeof someFields>, "creatives">),
        creatives: creatives.map(
          ({ status: _status, reason: _reason, image: _image, ...creative }): ReturnType<typeof someCreative> =>
            creative as unknown as ReturnType<typeof someCreative>,
        ),
      };
    },
    acts: async (uuid: string) =>
      (
        await pg.pool.query<{ action: string; details: Record<string, unknown> }>(
          "SELECT action, details FROM audit_log WHERE subject = $1 ORDER BY id",
          [uuid],
        )
      ).rows,
  };
}
