import type { CampaignPage, CampaignParts } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { testStores } from "../../../platform/testing/stores.ts";
import { auction, impression, keep } from "../../statistics/testing/some-rows.ts";
import { anAdvertiser } from "../testing/an-advertiser.ts";

const stores = await testStores();
const advertiser = await anAdvertiser(stores);
const { at, me, newCampaign, campaign } = advertiser;
const DAYS = "ds=2026-03-11&de=2026-03-12";

const uuids = { autumn: "", winter: "", gone: "", foreign: "" };
const idOf = async (uuid: string): Promise<{ campaign_id: number; creative_id: number }> => {
  const { rows } = await stores.pg.pool.query<{ campaign_id: number; creative_id: number }>(
    "SELECT c.id AS campaign_id, r.id AS creative_id FROM campaigns c JOIN creatives r ON r.campaign_id = c.id WHERE c.uuid = $1",
    [uuid],
  );
  if (!rows[0]) throw new Error("the campaign has a creative");
  return rows[0];
};

beforeAll(async () => {
  const other = await anAdvertiserWithCampaign();
  uuids.autumn = await newCampaign(undefined, { name: "Autumn" });
  uuids.winter = await newCampaign(undefined, { name: "Winter" });
  uuids.gone = await newCampaign(undefined, { name: "Gone" });
  uuids.foreign = other;
  const [autumn, winter, gone, foreign] = await Promise.all(Object.values(uuids).map(idOf));
  const banner = { format: "banner", provider: "campaigns" } as const;
  await keep(stores.clickhouse, {
    auctions: [auction("2026-03-12T10:00:00Z", { ...autumn, format: "banner" })],
    events: [
      impression("2026-03-12T10:00:00Z", { ...autumn, ...banner, cost_micros: 3000 }),
      impression("2026-03-11T10:00:00Z", { ...autumn, ...banner, country: "DE", cost_micros: 1000 }),
      impression("2026-03-12T10:00:00Z", { ...winter, ...banner, cost_micros: 9000 }),
      impression("2026-03-12T10:00:00Z", { ...gone, ...banner, cost_micros: 500 }),
      impression("2026-03-12T10:00:00Z", { ...foreign, ...banner, cost_micros: 70_000 }),
    ],
  });
  await at.send(me.accountId, `/campaign/${uuids.gone}/status?status=delete`, {});
});

async function anAdvertiserWithCampaign(): Promise<string> {
  const accountId = await at.newAccount({ balance: 1 });
  const { body } = await at.send(accountId, "/campaign/add", await foreignFields(accountId));
  return String(body["uuid"]);
}
const foreignFields = async (accountId: number) => {
  const { someFields, someCreative, imageOf } = advertiser;
  return someFields({ creatives: [someCreative({ image_url: await imageOf(accountId) })] });
};

const ask = async (query: string, accountId = me.accountId) =>
  (await at.get(accountId, `/campaign/performance.json?${DAYS}&${query}`)).body as CampaignParts;

test("costs are those of the account's own campaigns, deleted ones too", async () => {
  const { totals, top_campaign_by_costs: top } = await ask("func=totals&func=top_campaign_by_costs");
  expect(totals).toMatchObject({ costs: 13_500, impressions: 4, requests: 1, compared_until: null });
  expect(top.map(({ name, costs, deleted }) => [name, costs, deleted])).toEqual([
    ["Winter", 9000, false],
    ["Autumn", 4000, false],
    ["Gone", 500, true],
  ]);
});

test("a filter by campaign, country and format narrows the figures; another account's campaign is none", async () => {
  const costs = async (query: string) => (await ask(`func=totals&${query}`)).totals.costs;
  expect(await costs(`campaign=${uuids.autumn}`)).toBe(4000);
  expect(await costs(`campaign=${uuids.autumn}&country=DE`)).toBe(1000);
  expect(await costs(`campaign=${uuids.autumn}&campaign=0`)).toBe(13_500);
  expect(await costs("format=image")).toBe(0);
  expect(await costs("format=banner")).toBe(13_500);
  expect(await costs(`campaign=${uuids.foreign}`)).toBe(0);
});

test("rows of a table are named, ordered and paged, and its total covers all of them", async () => {
  const { stats } = await ask("func=stats&view=campaign&order=costs&order_type=desc&rows=2");
  expect(stats.stats.map(({ id, name, costs }) => [id, name, costs])).toEqual([
    [uuids.winter, "Winter", 9000],
    [uuids.autumn, "Autumn", 4000],
  ]);
  expect([stats.total.costs, stats.pager?.last_page]).toEqual([13_500, 2]);
  const byName = await ask("func=stats&view=campaign");
  expect(byName.stats.stats.map(({ name }) => name)).toEqual(["Autumn", "Gone (deleted)", "Winter"]);
  const dates = await ask("func=stats&order_type=desc");
  expect(dates.stats.stats.map(({ id }) => id)).toEqual(["2026-03-12", "2026-03-11"]);
  const formats = await ask("func=stats&view=format");
  expect(formats.stats.stats.map(({ id, name }) => [id, name])).toEqual([["banner", "Banner"]]);
});

test("a creative is named by its campaign, size and button, with its picture", async () => {
  const { stats } = await ask(`func=stats&view=creative&campaign=${uuids.autumn}`);
  const { creatives } = await campaign(uuids.autumn);
  expect(stats.stats).toMatchObject([
    { id: creatives[0]?.c_id, name: "Autumn · 320×50 · Install", image_url: me.banner, costs: 4000 },
  ]);
});

test("the page without func has all data, and what the filters offer", async () => {
  const page = (await ask("")) as unknown as z.infer<typeof CampaignPage>;
  expect(page).toMatchObject({
    stat_summary: { costs: 13_500 },
    requests_summary: { dates: [expect.any(Array), expect.any(Array)], series: { costs: expect.any(Array) } },
    formats_costs: [{ format: "banner", name: "Banner", costs: 13_500 }],
    country_costs: [
      { country: "US", value: 12_500 },
      { country: "DE", value: 1000 },
    ],
    countries: { DE: "Germany", US: "United States" },
    formats: { image: "Image", banner: "Banner" },
    campaigns: { [uuids.gone]: "Gone (deleted)" },
    first_day: "2026-03-11",
  });
});

test("an account without campaigns has zeros and empty lists", async () => {
  const accountId = await at.newAccount();
  const parts = await ask("func=totals&func=stats&func=top_campaign_by_costs&func=choices", accountId);
  expect(parts).toMatchObject({
    totals: { costs: 0, impressions: 0, ecpm: null },
    stats: { stats: [] },
    top_campaign_by_costs: [],
    choices: { campaigns: {}, countries: {}, first_day: null },
  });
});

test.each(["view=zone", "order=revenue", "campaign=7", "format=audio", "metrics=revenue", "app_id=7"])(
  "the query %s is refused",
  async (query) => {
    expect((await at.get(me.accountId, `/campaign/performance.json?${DAYS}&${query}`)).status).toBe(400);
  },
);

test("the table is a CSV file with its total and comparison, and a PDF", async () => {
  const download = (kind: string, query: string) =>
    at.server.inject({
      url: `/campaign/performance.${kind}?${DAYS}&${query}`,
      headers: { "x-account": String(me.accountId) },
    });
  const csv = await download("csv", "view=campaign&order=costs&order_type=desc&columns=impressions&columns=costs");
  expect(csv.headers["content-disposition"]).toBe(
    'attachment; filename="Campaigns-campaign-2026-03-11-2026-03-12.csv"',
  );
  expect(csv.body.split("\r\n")).toEqual([
    'Campaign,Impressions,"Costs, $","Costs before, $","Costs change, %",Compared until',
    "Winter,1,0.009,0,,",
    "Autumn,2,0.004,0,,",
    "Gone (deleted),1,0.0005,0,,",
    "Total,4,0.0135,0,,",
    "",
  ]);
  const pdf = await download("pdf", `view=date&campaign=${uuids.autumn}&country=DE`);
  expect([pdf.headers["content-type"], pdf.rawPayload.subarray(0, 5).toString()]).toEqual(["application/pdf", "%PDF-"]);
  expect((await download("csv", "columns=revenue")).statusCode).toBe(400);
});

test("a deleted creative keeps its name once its file is gone", async () => {
  const { creatives } = await campaign(uuids.autumn);
  const id = creatives[0]?.c_id;
  await stores.pg.pool.query("UPDATE creatives SET deleted_at = now(), upload_id = NULL WHERE uuid = $1", [id]);
  const { stats } = await ask(`func=stats&view=creative&campaign=${uuids.autumn}`);
  expect(stats.stats).toMatchObject([{ id, name: "Autumn · Install (deleted)", image_url: null, costs: 4000 }]);
});
