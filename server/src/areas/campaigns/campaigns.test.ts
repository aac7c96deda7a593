import { DAY_MS, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { anAdvertiser } from "./testing/an-advertiser.ts";

const stores = await testStores();
const { pool } = stores.pg;

const item = {
  name: "Tide",
  logo_url: null,
  url: "https://store.example/",
  store_id: "com.example.tide",
  bundle_id: "com.example.tide",
};
const FOUND = [
  { ...item, id: "android:com.example.tide", platform: "android" as const },
  { ...item, id: "androidtv:com.example.tide", platform: "androidtv" as const },
];
const figures = new Map<number, { impressions: number; clicks: number; conversions: number; costs: number }>();
const asked: { ids: readonly number[]; ds: string; de: string }[] = [];
const { at, me, imageOf, someCreative, someFields, newCampaign, campaign, list } = await anAdvertiser(stores, {
  figuresOf: async (ids, days) => {
    asked.push({ ids, ...days });
    return figures;
  },
  appLookup: {
    begin: async (_, text) => (text === "com.example.tide" ? "a-search" : null),
    find: async (_, qid) => ({ state: qid === "a-search" ? "done" : "working", items: FOUND }),
    logoOf: async (_, { storeId }) => {
      // It asks the store too.
      await pool.query("SELECT");
      return storeId === "com.example.tide" ? "https://store.example/tide.png" : null;
    },
  },
});

test("a campaign that starts now has started, whatever start its body has, and still ends after its start", async () => {
  const end_date = dayOf(at.clock.now() + 30 * DAY_MS);
  const past = { start_date: "2020-01-01", start_time: "00:00", end_date };
  const { status, body } = await at.send(me.accountId, "/campaign/add?start=now", someFields(past));
  expect(status).toBe(200);
  const { start_date, start_time, campaign_status } = await campaign(String(body["uuid"]));
  expect(campaign_status).toBe("wait");
  const startedMs = Date.parse(`${String(start_date)}T${String(start_time)}:00Z`);
  expect(at.clock.now() - startedMs).toBeGreaterThanOrEqual(0);
  expect(at.clock.now() - startedMs).toBeLessThan(120_000);
  const over = someFields({ ...past, end_date: "2020-01-02" });
  expect(await at.send(me.accountId, "/campaign/add?start=now", over)).toMatchObject({
    status: 400,
    body: { error: { end_date: "End date must be after start date" } },
  });
  expect((await at.send(me.accountId, "/campaign/add?start=later", someFields())).status).toBe(400);
});

test("a campaign is shown as it was entered", async () => {
  const region = ["US-TX", "US-CA"];
  const creative = someCreative({ country: "FR" });
  const uuid = await newCampaign(me.accountId, { region, creatives: [creative] });
  const found = await campaign(uuid);
  expect(found).toMatchObject({
    ...someFields({ days: [1, 7], region }),
    creatives: [{ ...creative, c_id: expect.any(String) }],
  });
  expect(found).toMatchObject({
    uuid,
    image_url: "https://store.example/tide.png",
    status: "active",
    campaign_status: "wait",
    status_reason: "It starts on Jan 1st, 2099, 14:00 UTC.",
  });
  expect(found.creatives[0]).toMatchObject({
    status: "new",
    reason: null,
    image: { url: me.banner, width: 320, height: 50 },
  });
});

test("more saves at once than there are connections do not wait for each other", async () => {
  const uuid = await newCampaign();
  const { creatives } = await campaign(uuid);
  const edit = someFields({ creatives: [someCreative({ c_id: creatives[0]?.c_id })] });
  const saves = Array.from({ length: pool.options.max * 2 }, () => at.send(me.accountId, `/campaign/${uuid}`, edit));
  expect(new Set((await Promise.all(saves)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("a campaign that was saved under lower limits still opens", async () => {
  const uuid = await newCampaign();
  await stores.pg.pool.query("UPDATE campaigns SET bid_micros = 200000, daily_micros = 120000000 WHERE uuid = $1", [
    uuid,
  ]);
  expect(await campaign(uuid)).toMatchObject({ bid: { value: 200_000, daily: 120_000_000 } });
});

test("a campaign without an end is kept as one", async () => {
  expect(await campaign(await newCampaign(me.accountId, { end_date: null }))).toMatchObject({
    end_date: null,
    end_time: "14:00",
  });
});

test("the list has pages, a search, figures with their totals, and the form's choices", async () => {
  const account = await at.newAccount();
  await pool.query(
    `INSERT INTO campaigns (account_id, name, bundle_id, store_id, app_platform, format, budget_micros, bid_micros,
       daily_micros, starts_at, days, active_from, active_to, network, geo_type, countries, platforms, ios, android,
       caps, created_at)
     SELECT $1, 'Campaign ' || n, 'com.example.app' || n, 'com.example.app' || n, 'ios', 'image', 7000000, 250000,
       250000000, now(), '{1}', '00:00', '23:59', 'any', 'not_in', '{}', '{iphone}', '{}', '{}', '[]', now()
     FROM generate_series(1, 60) AS n`,
    [account],
  );
  const { rows } = await pool.query<{ id: number }>("SELECT id FROM campaigns WHERE account_id = $1 ORDER BY id", [
    account,
  ]);
  const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0];
  figures.set(first, { impressions: 10, clicks: 2, conversions: 1, costs: 900 });
  figures.set(last, { impressions: 5, clicks: 1, conversions: 0, costs: 100 });

  const page = await list(account, "?ds=2025-01-01&de=2025-01-31");
  expect(asked.at(-1)).toMatchObject({ ds: "2025-01-01", de: "2025-01-31" });
  expect(asked.at(-1)?.ids).toHaveLength(60);
  expect(page.pager).toEqual({ current_page: 1, entries_per_page: 50, first_page: 1, last_page: 2 });
  expect(page.totals).toEqual({ impressions: 15, clicks: 3, conversions: 1, costs: 1000 });
  expect(page.campaigns[0]).toMatchObject({
    name: "Campaign 60",
    impressions: 5,
    costs: 100,
    budget: 7_000_000,
    daily: 250_000_000,
  });
  expect(page.campaigns[1]).toMatchObject({ name: "Campaign 59", impressions: 0, clicks: 0, conversions: 0, costs: 0 });
  expect((await list(account, "?p=1")).campaigns).toHaveLength(10);
  expect((await list(account, "?search=APP17")).campaigns.map(({ name }) => name)).toEqual(["Campaign 17"]);
  expect((await list(account, "?search=nothing")).campaigns).toEqual([]);
  expect(page).toMatchObject({
    countries: { DE: "Germany", FR: "France", US: "United States" },
    versions: { ios: expect.arrayContaining(["26"]), android: expect.arrayContaining(["16"]) },
    banners: expect.arrayContaining([{ width: 300, height: 50 }]),
  });
  figures.clear();
});

test("the regions of countries are listed in the order of their names", async () => {
  const regions = async (query: string) => {
    const { status, body } = await at.get(me.accountId, `/campaign/regions.json${query}`);
    return [status, Object.entries(body["regions"] ?? {})];
  };
  expect(await regions("?country=US,FR")).toEqual([
    200,
    [
      ["US-CA", "California"],
      ["FR-IDF", "Île-de-France"],
      ["US-TX", "Texas"],
    ],
  ]);
  expect(await regions("?country=QQ")).toEqual([200, []]);
  for (const refused of ["", "?country=", "?country=us", "?country=US,", "?country=US&p=1"])
    expect((await regions(refused))[0]).toBe(400);
});

test("an account without campaigns has an empty list", async () => {
  expect(await list(await at.newAccount())).toMatchObject({
    campaigns: [],
    totals: { impressions: 0, clicks: 0, conversions: 0, costs: 0 },
  });
});

test.each([
  [
    "starts in the past",
    { start_date: "2020-01-01", end_date: null },
    { start_date: "Date and time must be after current date" },
  ],
  ["has no name", { name: " " }, { name: "This field is required" }],
  ["bids too little", { bid: { type: "cpm", value: 249_999, daily: 250_000_000 } }, { "bid.value": "Add value in $" }],
  ["spends too little a day", { bid: { type: "cpm", value: 250_000, daily: 1 } }, { "bid.daily": "Add value in $" }],
  ["has no creative", { creatives: [] }, { creatives: "Add at least 1 creative" }],
  ["targets a country that does not exist", { country: ["QQ"] }, { country: "There is no country QQ" }],
  ["targets a region that does not exist", { region: ["US-QQ"] }, { region: "There is no region US-QQ" }],
  [
    "targets a region without its country",
    { country: ["DE"], region: ["US-CA"] },
    { region: "Choose the countries of these regions too" },
  ],
  [
    "is in a store of a country that does not exist",
    { creatives: [someCreative({ country: "QQ" })] },
    { "creatives.0.country": "There is no country QQ" },
  ],
  [
    "has an image that nobody uploaded",
    { creatives: [someCreative({ image_url: "/files/x.png" })] },
    { "creatives.0.image_url": "Upload the image again" },
  ],
  [
    "has a creative of another format",
    { campaign_format: "image" },
    { "creatives.0.format": "All creatives must have the campaign's format" },
  ],
  [
    "links to no web address",
    { creatives: [someCreative({ click_url: "javascript:alert(1)" })] },
    { "creatives.0.click_url": "Please enter a valid URL" },
  ],
  [
    "has a link that is too long",
    { click_link: `https://track.example/${"x".repeat(980)}` },
    { click_link: "Please enter a valid URL of at most 1,000 characters" },
  ],
  ["ends before it starts", { end_date: "2098-12-31" }, { end_date: "End date must be after start date" }],
])("a campaign that %s is refused at that field", async (_, some, error) => {
  const creatives = "creatives" in some ? some.creatives : [someCreative()];
  // The banner was not uploaded yet when the table was made.
  const withBanner = creatives.map((creative) => ({
    ...creative,
    image_url: creative.image_url === "" ? me.banner : creative.image_url,
  }));
  const { status, body } = await at.send(me.accountId, "/campaign/add", someFields({ ...some, creatives: withBanner }));
  expect([status, body]).toEqual([400, { error }]);
});

test("a banner of another size and another account's image are refused, each at its creative", async () => {
  const [odd, foreign] = [await imageOf(me.accountId, 321, 50), await imageOf(await at.newAccount(), 300, 250)];
  const creatives = [someCreative(), someCreative({ image_url: odd }), someCreative({ image_url: foreign })];
  const { status, body } = await at.send(me.accountId, "/campaign/add", someFields({ creatives }));
  expect([status, body]).toEqual([
    400,
    {
      error: {
        "creatives.1.image_url": expect.stringContaining("This image has 321×50 pixels"),
        "creatives.2.image_url": "Upload the image again",
      },
    },
  ]);
});

test("an account has at most 500 campaigns, also with simultaneous requests", async () => {
  const account = await at.newAccount({ balance: 1 });
  const image_url = await imageOf(account);
  const fields = someFields({ creatives: [someCreative({ image_url })] });
  await at.send(account, "/campaign/add", fields);
  await pool.query(
    `INSERT INTO campaigns (account_id, name, bundle_id, store_id, app_platform, format, budget_micros, bid_micros,
       daily_micros, starts_at, days, active_from, active_to, network, geo_type, countries, platforms, ios, android,
       caps, created_at)
     SELECT account_id, name, bundle_id, store_id, app_platform, format, budget_micros, bid_micros, daily_micros,
       starts_at, days, active_from, active_to, network, geo_type, countries, platforms, ios, android, caps, created_at
     FROM campaigns, generate_series(1, 497) WHERE account_id = $1`,
    [account],
  );
  const replies = await Promise.all(Array.from({ length: 4 }, () => at.send(account, "/campaign/add", fields)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toEqual({
    error: "An account can have at most 500 campaigns",
  });
});

test("the app is looked up by address or id, until there are items; apps of televisions are left out", async () => {
  const look = (body: object) => at.send(me.accountId, "/campaign/app_info", body);
  expect((await look({ url: "com.example.tide" })).body).toEqual({ qid: "a-search", status: "waiting" });
  expect((await look({ qid: "another" })).body).toEqual({ qid: "another", status: "working" });
  expect((await look({ qid: "a-search" })).body).toMatchObject({ status: "done", items: [{ platform: "android" }] });
  for (const body of [{ url: "https://example.com/app" }, { url: "" }, {}])
    expect(await look(body)).toMatchObject({ status: 400, body: { error: { url: "Incorrect url or id" } } });
});
