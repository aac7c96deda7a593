import { explainAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { type Promotion, promoteApp } from "../testing/promote-app.ts";
import { askForAd, DEVICE, fire, insertApp, startSession, type TestApp } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const { pool } = at.stores.pg;
const promote = (promoted: TestApp, some?: Promotion) => promoteApp(at, promoted, some);

const ask = async (app: TestApp = at.app, more: object = {}) => {
  const session = await startSession(at.exchange, app);
  return askForAd(at.exchange, session, { format: "interstitial", ...more });
};
const shownIn = async (app?: TestApp, more?: object) => (await ask(app, more)).ads.map(({ provider }) => provider);
async function explained(auction: string) {
  await at.exchange.rows("traces");
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  expect([reply.statusCode, reply.statusCode === 200 ? "" : reply.body]).toEqual([200, ""]);
  return explainAuction.reply.parse(reply.json());
}

test("an in-house ad fills what nobody bought, in its apps alone, and is counted free of charge", async () => {
  const other = await insertApp(at.stores);
  const id = await promote(other, { landscape: true });
  const { ads, auction } = await ask();
  expect(ads).toMatchObject([{ provider: "inhouse", revenue_micros: 0, markup: { type: "html" } }]);
  const content = ads[0]?.markup.content ?? "";
  const link = (/href="([^"]+)"/.exec(content)?.[1] ?? "").replaceAll("&amp;", "&");
  expect(content).toContain('alt="Try Tide"');
  expect(content).toMatch(
    /<source media="\(orientation:landscape\)" srcset="https:\/\/ads\.example\.com\/files\/b+\.png">/,
  );
  expect(content).toMatch(/<img src="https:\/\/ads\.example\.com\/files\/a+\.png" width="320" height="480"/);
  expect(content).not.toContain("<script");
  expect(await shownIn(other)).toEqual([]);
  expect(await shownIn(at.app, { format: "banner" })).toEqual([]);
  expect(await shownIn(at.app, { format: "rewarded" })).toEqual([]);
  // The caller of an OpenRTB auction compares prices, and this ad has none.
  const full = { id: "imp-1", instl: 1 as const, banner: { format: [{ w: 320, h: 480 }] } };
  expect((await askOpenrtb(at.exchange, bannerRequest({ imp: [full] }))).seatbid).toBeUndefined();

  at.exchange.clock.offsetMs += 1000;
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  const click = await fire(at.exchange, link);
  expect([click.statusCode, click.headers.location]).toEqual([302, "https://tide.example/?a=1&b=2"]);
  // Money held for campaigns ends after half an hour; nothing is held for this one.
  const late = await ask();
  at.exchange.clock.offsetMs += 3_600_000;
  await fire(at.exchange, late.ads[0]?.beacons.impression ?? "");
  const events = await at.exchange.rows<Record<string, unknown>>("events");
  expect(
    events
      .filter(({ kind }) => kind !== "session")
      .map(({ kind, invalid, provider, campaign_id, revenue_micros, cost_micros }) => [
        kind,
        invalid,
        provider,
        campaign_id,
        Number(revenue_micros) + Number(cost_micros),
      ]),
  ).toEqual([
    ["impression", "", "inhouse", id, 0],
    ["impression", "replayed", "inhouse", id, 0],
    ["click", "", "inhouse", id, 0],
    ["impression", "", "inhouse", id, 0],
  ]);
  const day = new Date(at.exchange.clock.now()).toISOString().slice(0, 10);
  const figures = await at.exchange.statistics.campaigns.figures([id], { ds: "2015-03-30", de: day });
  expect(figures.get(id)).toMatchObject({ impressions: 2, clicks: 1, costs: 0 });
  const told = await explained(auction);
  expect(told.imps[0]).toMatchObject({
    sentence: "Cross promotion filled this interstitial, free of charge: Try Tide.",
    price: null,
  });
  expect(told.imps[0]?.detail).toMatch(
    /Nobody bought the place\. The ad was shown 1\.\d s after the request\. It earns and costs nothing\.$/,
  );
  expect(told.replays).toBe(true);
  expect(told.participants).toMatchObject([
    { name: "Try Tide", latency_ms: null, calls: [], results: [{ result: "won", price: null }] },
  ]);
});

test("it comes after every bid, competes at its owner's price, and tells no bidder that it is free", async () => {
  const other = await insertApp(at.stores);
  await at.partner("rival", bidsAt(2));
  await promote(other, { title: "Filler" });
  expect(await shownIn()).toEqual(["rival", "inhouse"]);
  const { ads: first, auction: bought } = await ask();
  expect(first[0]?.provider).toBe("rival");
  expect((await explained(bought)).imps[0]?.detail).toContain(
    "There was no other valid bid. Otherwise cross promotion would have filled the place.",
  );
  const rival = await promote(other, { title: "Rival", price: 3_000_000 });
  const { ads, auction } = await ask();
  expect(ads.map(({ provider, revenue_micros }) => [provider, revenue_micros])).toEqual([
    ["inhouse", 0],
    ["rival", 1600],
    ["inhouse", 0],
  ]);
  const told = await explained(auction);
  expect(told.imps[0]).toMatchObject({
    sentence: "Cross promotion won this interstitial at $3.0000 CPM, free of charge: Rival.",
    price: null,
  });
  expect(told.imps[0]?.detail).toContain("The next best, Partner rival, was $1.0000 behind.");
  expect(told.participants.map(({ name, results }) => [name, results[0]?.result, results[0]?.text])).toEqual([
    ["Partner rival", "outbid", "$1.0000 short"],
    ["Filler", "outbid", "It only fills what nobody bought"],
    ["Rival", "won", "The highest bid that could be shown"],
  ]);
  const [row] = (await at.exchange.rows<Record<string, unknown>>("auctions")).slice(-1);
  expect(row).toMatchObject({
    winner: "inhouse",
    price_micros: "0",
    expected_micros: "3000000",
    campaign_id: rival,
    asked: ["rival"],
  });
});

test.each<[string, Promotion, object, boolean]>([
  ["in one of its countries", { countries: ["DE"] }, {}, true],
  ["in another country", { countries: ["FR"] }, {}, false],
  ["on one of its versions", { android: { all: false, min: "12", max: "14" } }, {}, true],
  ["on a lower version", { android: { all: false, min: "15", max: "16" } }, {}, false],
  ["of a video whose images fill interstitials", { format: "video", waterfall: true }, {}, true],
  ["of a video whose images do not", { format: "video" }, {}, false],
])("an in-house ad %s", async (_, some, device, isShown) => {
  await at.restart({ geo: () => "DE" });
  await promote(await insertApp(at.stores), some);
  expect(await shownIn(at.app, { device: { ...DEVICE, ...device } })).toEqual(isShown ? ["inhouse"] : []);
});

test("it stops with its owner's switch, its deletion, and with the app that it promotes", async () => {
  const other = await insertApp(at.stores);
  const id = await promote(other);
  const after = async (sql: string, values: unknown[]) => {
    await pool.query(sql, values);
    await at.exchange.exchange.reloadConfig();
    return shownIn();
  };
  expect(await after("UPDATE inhouse_campaigns SET frozen = true WHERE id = $1", [id])).toEqual([]);
  expect(await after("UPDATE inhouse_campaigns SET frozen = false WHERE id = $1", [id])).toEqual(["inhouse"]);
  expect(await after("UPDATE apps SET moderation = 'banned' WHERE id = $1", [other.id])).toEqual([]);
  expect(await after("UPDATE apps SET moderation = 'live' WHERE id = $1", [other.id])).toEqual(["inhouse"]);
  expect(await after("UPDATE inhouse_campaigns SET app_ids = $2 WHERE id = $1", [id, [other.id]])).toEqual([]);
  expect(await after("UPDATE inhouse_campaigns SET app_ids = $2 WHERE id = $1", [id, [at.app.id]])).toEqual([
    "inhouse",
  ]);
  expect(await after("UPDATE apps SET deleted_at = now() WHERE id = $1", [other.id])).toEqual([]);
  expect(await after("UPDATE apps SET deleted_at = NULL WHERE id = $1", [other.id])).toEqual(["inhouse"]);
  expect(await after("UPDATE inhouse_campaigns SET deleted_at = now() WHERE id = $1", [id])).toEqual([]);
});
