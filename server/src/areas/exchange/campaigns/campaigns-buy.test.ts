import { expect, onTestFinished, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { campaignMarket, NOON } from "../testing/campaign-market.ts";
import { bidsAt, startBidder } from "../testing/start-bidder.ts";
import { addPartner, askForAd, DEVICE, fire, startSession } from "../testing/start-exchange.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";

const market = await campaignMarket(await testStores());

/** A request as a row changes it: the same for the SDK and for OpenRTB. */
interface Asked {
  at?: string;
  country?: string;
  osv?: string | undefined;
  connection?: number | undefined;
  platform?: "android" | "ios";
  os?: string;
  model?: string;
  size?: { w: number; h: number };
}

const WIFI = 2;
const CELLULAR = 3;
const ios = { platform: "ios", osv: "17.2" } as const;
/** As a page on an iPad sees it: its browser says that it is a Mac. */
const desktopPage = { platform: "ios", os: "macos", osv: "10.15.7", model: "Mac" } as const;
const versions = (min: string, max: string) => ({ all: false, min, max });

test.each<[string, object, Asked, boolean]>([
  ["any request of its countries", {}, {}, true],
  ["another country", {}, { country: "FR" }, false],
  ["an unknown country", {}, { country: "XX" }, false],
  ["a country that it excludes", { geo_type: "not_in", country: ["DE"] }, {}, false],
  ["a country that it does not exclude", { geo_type: "not_in", country: ["FR"] }, {}, true],
  ["a request everywhere", { geo_type: "not_in", country: [] }, { country: "XX" }, true],
  ["an unknown region of a country of which it names one", { region: ["DE-BY"] }, {}, false],
  ["another of its countries, of which it names no region", { region: ["US-CA"] }, {}, true],
  [
    "an unknown region of a country of which it excludes one",
    { geo_type: "not_in", country: ["DE"], region: ["DE-BY"] },
    {},
    false,
  ],
  [
    "a country other than that of the region that it excludes",
    { geo_type: "not_in", country: ["DE"], region: ["DE-BY"] },
    { country: "FR" },
    true,
  ],
  ["the first moment of its start", { start_date: "2026-03-03", start_time: "12:00" }, {}, true],
  ["the moment before its start", { start_date: "2026-03-03", start_time: "12:01" }, {}, false],
  ["the moment before its end", { end_date: "2026-03-03", end_time: "12:01" }, {}, true],
  ["its end", { end_date: "2026-03-03", end_time: "12:00" }, {}, false],
  ["its day of the week", { days: [2] }, {}, true],
  ["another day of the week", { days: [1, 3, 4, 5, 6, 7] }, {}, false],
  ["its first minute", { day_activity_from: "12:00", day_activity_to: "13:00" }, {}, true],
  ["its last minute", { day_activity_from: "11:00", day_activity_to: "12:00" }, {}, true],
  ["the minute after its last", { day_activity_from: "11:00", day_activity_to: "11:59" }, {}, false],
  ["the minute before its first", { day_activity_from: "12:01", day_activity_to: "13:00" }, {}, false],
  ["midnight", { day_activity_from: "00:00", day_activity_to: "00:01" }, { at: "2026-03-04T00:00:00Z" }, true],
  ["a day of 23 hours in Berlin", { days: [7], day_activity_from: "02:00" }, { at: "2026-03-29T02:00:00Z" }, true],
  ["that day before its hour", { days: [7], day_activity_from: "02:00" }, { at: "2026-03-29T01:59:00Z" }, false],
  ["a day of 25 hours in Berlin", { days: [7], day_activity_to: "01:59" }, { at: "2026-10-25T01:59:30Z" }, true],
  ["that day after its hour", { days: [7], day_activity_to: "01:59" }, { at: "2026-10-25T02:00:00Z" }, false],
  ["Android", { platform: ["android"] }, {}, true],
  ["Android if it is for iPhones", { platform: ["iphone", "ipad"] }, {}, false],
  ["an iPhone", { platform: ["iphone"] }, { ...ios, model: "iPhone15,2" }, true],
  ["an iPad if it is for iPhones", { platform: ["iphone"] }, { ...ios, model: "iPad13,1" }, false],
  ["an iPad", { platform: ["ipad"] }, { ...ios, model: "iPad13,1" }, true],
  ["a page on an iPad if it is for iPhones", { platform: ["iphone"] }, desktopPage, false],
  ["a page on an iPad", { platform: ["ipad"] }, desktopPage, true],
  ["its lowest version of Android", { android: versions("14", "15") }, { osv: "14" }, true],
  ["a lower version of Android", { android: versions("14", "15") }, { osv: "13" }, false],
  ["its highest version of Android", { android: versions("12", "13") }, { osv: "13.1" }, true],
  ["a higher version of Android", { android: versions("12", "13") }, { osv: "14" }, false],
  ["its version of iOS", { ios: versions("16", "17") }, ios, true],
  ["another version of iOS", { ios: versions("16", "18") }, { ...ios, osv: "15.8" }, false],
  ["Wi-Fi", { network: "wifi" }, { connection: WIFI }, true],
  ["a cellular network", { network: "wifi" }, { connection: CELLULAR }, false],
  ["an unknown network", { network: "wifi" }, {}, false],
  ["its size", {}, { size: { w: 320, h: 50 } }, true],
  ["another size", {}, { size: { w: 300, h: 250 } }, false],
])("a campaign and %s, by the SDK and by OpenRTB", async (_, campaign, asked, wins) => {
  const { exchange, app } = market;
  exchange.clock.offsetMs = (asked.at === undefined ? NOON : Date.parse(asked.at)) - Date.now();
  await market.campaign(campaign);
  market.country = asked.country ?? "DE";
  const { platform = "android", osv = "14", size = { w: 320, h: 50 } } = asked;
  if (platform === "ios") await market.stores.pg.pool.query("UPDATE apps SET platform = 'ios' WHERE id = $1", [app.id]);
  await exchange.exchange.reloadConfig();
  const device = {
    os: asked.os ?? (platform === "ios" ? "iOS" : "Android"),
    osv,
    model: asked.model ?? "Pixel 8",
    ...(asked.connection !== undefined && { connectiontype: asked.connection }),
  };
  const session = await startSession(exchange, app, { platform });
  const { ads, reason } = await askForAd(exchange, session, { ...size, device: { ...DEVICE, ...device } });
  const answer = await askOpenrtb(
    exchange,
    bannerRequest({
      imp: [{ id: "1", banner: { format: [size] } }],
      device: { ip: "203.0.113.7", ua: "App/1.0", ...device },
    }),
  );
  const bids = answer.seatbid?.flatMap(({ seat, bid }) => bid.map(({ price }) => [seat, price])) ?? [];
  const won = { reason: undefined, providers: ["campaigns"], bids: [["campaigns", 1.25]] };
  const lost = { reason: expect.any(String) as unknown, providers: [], bids: [] };
  expect({ reason, providers: ads.map(({ provider }) => provider), bids }).toEqual(wins ? won : lost);
});

const BAVARIA = { country: "DEU", region: "BY" };

test.each<[string, object, object, boolean]>([
  ["its region", { region: ["DE-BY"] }, BAVARIA, true],
  ["its region with the country before it", { region: ["DE-BY"] }, { ...BAVARIA, region: "DE-BY" }, true],
  ["a part of its region", { country: ["FR"], region: ["FR-IDF"] }, { country: "FRA", region: "75C" }, true],
  ["another region", { region: ["DE-BE"] }, BAVARIA, false],
  ["no region", { region: ["DE-BY"] }, { country: "DEU" }, false],
  ["a name that is no region code", { region: ["DE-BY"] }, { country: "DEU", region: "Bayern" }, false],
  ["a region that it excludes", { geo_type: "not_in", country: ["DE"], region: ["DE-BY"] }, BAVARIA, false],
  ["a region that it does not exclude", { geo_type: "not_in", country: ["DE"], region: ["DE-BE"] }, BAVARIA, true],
])("a campaign and an OpenRTB request of %s", async (_, campaign, geo, wins) => {
  const { exchange } = market;
  await market.campaign(campaign);
  const answer = await askOpenrtb(
    exchange,
    bannerRequest({
      imp: [{ id: "1", banner: { format: [{ w: 320, h: 50 }] } }],
      device: { ip: "203.0.113.7", ua: "App/1.0", os: "Android", osv: "14", model: "Pixel 8", geo },
    }),
  );
  expect(answer.seatbid?.map(({ seat }) => seat) ?? []).toEqual(wins ? ["campaigns"] : []);
});

test("an auction is recorded with its region", async () => {
  const ask = (geo: object) =>
    askOpenrtb(market.exchange, bannerRequest({ device: { ip: "203.0.113.7", ua: "App/1.0", geo } }));
  for (const geo of [BAVARIA, { country: "DEU" }]) await ask(geo);
  const rows = await market.exchange.rows<{ country: string; region: string }>("auctions");
  expect(new Set(rows.map(({ country, region }) => `${country} ${region}`))).toEqual(new Set(["DE ", "DE DE-BY"]));
});

test("of the campaigns' ads of one answer, only the first that is shown is paid", async () => {
  const { exchange, app } = market;
  const [one, other] = [
    await market.campaign({ bid: { type: "cpm", value: 3_000_000, daily: 300_000_000 } }),
    await market.campaign({ bid: { type: "cpm", value: 1_000_000, daily: 300_000_000 } }),
  ];
  const session = await startSession(exchange, app);
  await expect.poll(async () => (await askForAd(exchange, session)).ads.length).toBe(2);
  const { ads } = await askForAd(exchange, session);
  for (const ad of ads.toReversed()) await fire(exchange, ad.beacons.impression);
  const rows = await exchange.rows<{ kind: string; campaign_id: number; invalid: string; cost_micros: string }>(
    "events",
  );
  const shown = rows.filter(({ kind }) => kind === "impression");
  expect(shown.map(({ campaign_id, invalid, cost_micros }) => [campaign_id, invalid, Number(cost_micros)])).toEqual([
    [other.id, "", 1000],
    [one.id, "other_ad_shown", 0],
  ]);
});

test("a campaign's ad and a partner's of one answer are not both paid, whichever is shown first", async () => {
  const { exchange, app } = market;
  await market.campaign({ bid: { type: "cpm", value: 3_000_000, daily: 300_000_000 } });
  const bidder = await startBidder(bidsAt(1));
  onTestFinished(() => bidder.close());
  await addPartner(market.stores, app, "buyer", bidder.endpoint);
  await exchange.exchange.reloadConfig();
  const session = await startSession(exchange, app);
  await expect.poll(async () => (await askForAd(exchange, session)).ads.length).toBe(2);
  for (const isReversed of [false, true]) {
    const { ads } = await askForAd(exchange, session);
    for (const ad of isReversed ? ads.toReversed() : ads) await fire(exchange, ad.beacons.impression);
  }
  const rows = await exchange.rows<{ kind: string; provider: string; invalid: string }>("events");
  const shown = rows.filter(({ kind }) => kind === "impression");
  expect(shown.map(({ provider, invalid }) => [provider, invalid])).toEqual([
    ["campaigns", ""],
    ["buyer", "other_ad_shown"],
    ["buyer", ""],
    ["campaigns", "other_ad_shown"],
  ]);
});

test("a campaign's bid names its app and its categories, so that callers and publishers can block them", async () => {
  const { id } = await market.campaign();
  const categorise = async (categories: string[]) => {
    await market.stores.pg.pool.query("UPDATE creatives SET categories = $2 WHERE campaign_id = $1", [id, categories]);
    await market.exchange.exchange.reloadConfig();
    await market.isReady(id);
  };
  const bidFor = async (more: object) => (await askOpenrtb(market.exchange, bannerRequest(more))).seatbid?.[0]?.bid[0];
  await categorise(["IAB7-39"]);
  expect(await bidFor({})).toMatchObject({ bundle: "com.example.tide", cat: ["IAB7-39"] });
  expect(await bidFor({ bapp: ["com.example.tide"] })).toBeUndefined();
  expect(await bidFor({ bapp: ["com.example.other"] })).toBeDefined();
  expect(await bidFor({ bcat: ["IAB7"] })).toBeUndefined();
  expect(await bidFor({ bcat: ["IAB8"] })).toBeDefined();
  await categorise([]);
  expect(await bidFor({ bcat: ["IAB7"] })).toBeDefined();
});

test("a campaign's bid says how long its ad may wait, because later it can no longer be paid", async () => {
  const { exchange } = market;
  await market.campaign();
  const [bid] = (await askOpenrtb(exchange, bannerRequest({}))).seatbid?.[0]?.bid ?? [];
  const shownAfter = async (seconds: number) => {
    exchange.clock.offsetMs += seconds * 1000;
    await fire(
      exchange,
      /https?:[^"]+beacon\/impression[^"]+/.exec(bid?.adm ?? "")?.[0].replaceAll("&amp;", "&") ?? "",
    );
    const rows = await exchange.rows<{ kind: string; invalid: string }>("events");
    return rows.flatMap(({ kind, invalid }) => (kind === "impression" ? [invalid] : []));
  };
  expect(bid?.exp).toBeGreaterThan(0);
  expect(await shownAfter(bid?.exp ?? Infinity)).toEqual([""]);
});

test("five higher campaigns that the app blocks do not keep a sixth from bidding", async () => {
  const bid = (value: number) => ({ bid: { type: "cpm", value, daily: 300_000_000 } });
  const creatives = [market.advertiser.someCreative({ click_url: "https://rival.example/boats" })];
  for (let nth = 0; nth < 5; nth++) await market.campaign({ ...bid(3_000_000), creatives });
  const { uuid } = await market.campaign(bid(1_000_000));
  await market.stores.pg.pool.query("UPDATE apps SET blocked_domains = '{rival.example}'");
  await market.exchange.exchange.reloadConfig();
  const bids = async (more: object) => (await askOpenrtb(market.exchange, bannerRequest(more))).seatbid?.[0]?.bid ?? [];
  await expect.poll(async () => (await bids({})).map(({ cid }) => cid)).toEqual([uuid]);
  expect(await bids({ badv: ["shop.example"] })).toEqual([]);
  const [last] = (await market.exchange.rows<{ no_ad: string }>("auctions")).toReversed();
  expect(last?.no_ad).toBe("blocked");
});

test("a campaign is shown to children only if a moderator has found it suitable", async () => {
  const { id } = await market.campaign();
  const { pool } = market.stores.pg;
  const session = await startSession(market.exchange, market.app);
  const adsFor = async (kids: boolean) => {
    await pool.query("UPDATE apps SET kids = $1", [kids]);
    await market.exchange.exchange.reloadConfig();
    await market.isReady(id);
    return (await askForAd(market.exchange, session, { format: "banner" })).ads.length;
  };
  expect([await adsFor(false), await adsFor(true)]).toEqual([1, 0]);
  const coppa = bannerRequest({ regs: { coppa: 1 } });
  expect((await askOpenrtb(market.exchange, coppa)).seatbid).toBeUndefined();
  await pool.query("UPDATE creatives SET for_children = true WHERE campaign_id = $1", [id]);
  expect(await adsFor(true)).toBe(1);
  expect((await askOpenrtb(market.exchange, coppa)).seatbid).toBeDefined();
});
