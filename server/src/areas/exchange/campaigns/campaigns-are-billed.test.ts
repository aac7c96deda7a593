import { randomUUID } from "node:crypto";
import { dayOf, dayStartMs, HOUR_MS, impressionMicros, revenueShareMicros } from "@millrace/units";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { LONGEST_HOLD_MS } from "../../budgets/index.ts";
import { openToken } from "../delivery/beacon-token.ts";
import { keyringOf } from "../delivery/secrets.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { campaignMarket } from "../testing/campaign-market.ts";
import { bidsAt, startBidder } from "../testing/start-bidder.ts";
import { addPartner, ANDROID_UA, askForAd, fire, insertApp, post, startSession } from "../testing/start-exchange.ts";

const market = await campaignMarket(await testStores());
const { pool } = market.stores.pg;
const keyring = keyringOf(["a secret for tests of at least 32 bytes"]);

interface Event {
  kind: string;
  invalid: string;
  provider: string;
  campaign_id: number;
  creative_id: number;
  cost_micros: string;
  revenue_micros: string;
}
const tokenOf = (address: string) => new URL(address).searchParams.get("t") ?? "";
const spentOf = async (id: number): Promise<number> =>
  Number(
    (
      await pool.query<{ spent: string }>("SELECT spent_micros AS spent FROM campaign_budgets WHERE campaign_id = $1", [
        id,
      ])
    ).rows[0]?.spent ?? 0,
  );
const events = () =>
  market.exchange.rows<Event>("events").then((rows) => rows.filter(({ kind }) => kind !== "session"));

/** Asks for ads until the campaign's is among them: the answer waits for a lease in the background. */
async function adOf(session: string, more: object = {}) {
  for (let tries = 0; tries < 200; tries++) {
    const { ads } = await askForAd(market.exchange, session, more);
    const ad = ads.find(({ provider }) => provider === "campaigns");
    if (ad) return ad;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  throw new Error("the campaign does not bid");
}

test("the advertiser pays what the publisher and the platform get, for every impression and in PostgreSQL", async () => {
  const bids = [1_250_000, 3_333_333, 777_777];
  const campaigns = [];
  for (const value of bids) campaigns.push(await market.campaign({ bid: { type: "cpm", value, daily: 300_000_000 } }));
  const session = await startSession(market.exchange, market.app);
  for (let nth = 0; nth < 12; nth++) {
    const { ads } = await askForAd(market.exchange, session);
    await fire(market.exchange, ads[nth % ads.length]?.beacons.impression ?? "");
  }
  const rows = (await events()).filter(({ campaign_id }) => campaign_id !== 0);
  expect(rows.length).toBeGreaterThanOrEqual(10);
  const sums = new Map<number, number>();
  for (const { campaign_id, cost_micros, revenue_micros, invalid, provider } of rows) {
    const price = bids[campaigns.findIndex(({ id }) => id === campaign_id)] ?? 0;
    const fee = impressionMicros(price) - revenueShareMicros(impressionMicros(price), 800_000);
    expect({ invalid, provider, cost: Number(cost_micros) }).toEqual({
      invalid: "",
      provider: "campaigns",
      cost: Number(revenue_micros) + fee,
    });
    sums.set(campaign_id, (sums.get(campaign_id) ?? 0) + Number(cost_micros));
  }
  for (const { id } of campaigns) expect(await spentOf(id)).toBe(sums.get(id) ?? 0);
});

test("an impression counts once, and a click only with it and leads to the advertiser", async () => {
  const { id } = await market.campaign({
    creatives: [market.advertiser.someCreative({ click_url: "https://shop.example/tide?a=1&b='2'" })],
  });
  const { seatbid } = await askOpenrtb(market.exchange, bannerRequest());
  const bid = seatbid?.[0]?.bid[0];
  const click =
    /href="([^"]+)"/
      .exec(bid?.adm ?? "")?.[1]
      ?.replaceAll("&amp;", "&")
      .replaceAll("&#39;", "'") ?? "";
  const pixel = /<img src="([^"]+beacon[^"]+)"/.exec(bid?.adm ?? "")?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(bid).toMatchObject({ price: 1.25, adomain: ["shop.example"], w: 320, h: 50, mtype: 1 });
  expect(bid?.iurl).toMatch(/^https:\/\/ads\.example\.com\/files\/[\da-f]+\.png$/);
  market.exchange.clock.offsetMs += 1000;
  await fire(market.exchange, pixel);
  await fire(market.exchange, pixel);
  const reply = await fire(market.exchange, click);
  expect([reply.statusCode, reply.headers.location]).toEqual([302, "https://shop.example/tide?a=1&b=%272%27"]);
  expect((await events()).map(({ kind, invalid, campaign_id }) => [kind, invalid, campaign_id])).toEqual([
    ["impression", "", id],
    ["impression", "replayed", id],
    ["click", "", id],
  ]);
  expect(await spentOf(id)).toBe(1250);
});

test("an impression after its money's hold is not billed, while its click still leads on", async () => {
  const { id } = await market.campaign();
  const ad = await adOf(await startSession(market.exchange, market.app));
  market.exchange.clock.offsetMs += LONGEST_HOLD_MS + 1;
  await fire(market.exchange, ad.beacons.impression);
  expect(
    (await events()).map(({ kind, invalid, cost_micros, revenue_micros }) => [
      kind,
      invalid,
      cost_micros,
      revenue_micros,
    ]),
  ).toEqual([["impression", "expired", "0", "0"]]);
  expect(await spentOf(id)).toBe(0);
});

test("an impression that a cut budget cannot pay does not count, nor does its click", async () => {
  const { id } = await market.campaign();
  const session = await startSession(market.exchange, market.app);
  const [paid, unpaid] = [await adOf(session), await adOf(session)];
  await fire(market.exchange, paid.beacons.impression);
  await pool.query("UPDATE campaigns SET budget_micros = 1300 WHERE id = $1", [id]);
  market.exchange.clock.offsetMs += 1000;
  const sent = { events: [paid, unpaid].map(({ beacons }) => ({ type: "click", token: tokenOf(beacons.click) })) };
  const { statusCode } = await post(market.exchange, "/sdk/v1/events", {
    events: [{ type: "impression", token: tokenOf(unpaid.beacons.impression) }, ...sent.events],
  });
  expect(statusCode).toBe(200);
  const rows = await events();
  expect(
    rows.map(({ kind, invalid, cost_micros, revenue_micros }) => [kind, invalid, cost_micros, revenue_micros]),
  ).toEqual(
    expect.arrayContaining([
      ["impression", "", "1250", "1000"],
      ["impression", "over_budget", "0", "0"],
      ["click", "", "0", "0"],
      ["click", "click_without_impression", "0", "0"],
    ]),
  );
  expect(rows).toHaveLength(4);
  expect(await spentOf(id)).toBe(1250);
});

test("while the money cannot be asked for, an impression is deferred, and then billed once", async () => {
  const { id } = await market.campaign();
  const session = await startSession(market.exchange, market.app);
  const ad = await adOf(session);
  const { budgets } = market.exchange;
  if (!budgets) throw new Error("this exchange buys for campaigns");
  const { spend } = budgets;
  budgets.spend = async () => Promise.reject(new Error("PostgreSQL is away"));
  expect((await fire(market.exchange, ad.beacons.impression)).statusCode).toBe(503);
  budgets.spend = spend;
  expect([await spentOf(id), (await events()).length]).toEqual([0, 0]);
  expect((await fire(market.exchange, ad.beacons.impression)).statusCode).toBe(200);
  expect([await spentOf(id), (await events()).length]).toEqual([1250, 1]);
});

test("an impression that cannot be stored is not billed", async () => {
  const { id } = await market.campaign({ limit: [{ impressions: 1, period: "day", per: "user" }] });
  const ad = await adOf(await startSession(market.exchange, market.app));
  const sink = market.exchange.statistics.events;
  const { appendAll } = sink;
  sink.appendAll = async () => Promise.reject(new Problem("unavailable", "The disk is full"));
  expect((await fire(market.exchange, ad.beacons.impression)).statusCode).toBe(503);
  sink.appendAll = appendAll;
  expect(await spentOf(id)).toBe(0);
  await fire(market.exchange, ad.beacons.impression);
  expect((await events()).map(({ invalid }) => invalid)).toEqual([""]);
  expect(await spentOf(id)).toBe(1250);
});

test("no device gets more ads than a cap allows, also after a restart", async () => {
  // Misses are kept for 30 days of the store's own clock.
  market.exchange.clock.offsetMs = dayStartMs(dayOf(Date.now())) + 12 * HOUR_MS - Date.now();
  const { id } = await market.campaign({ limit: [{ impressions: 3, period: "day", per: "user" }] });
  const install_id = randomUUID();
  const session = await startSession(market.exchange, market.app, { install_id });
  for (let shown = 0; shown < 2; shown++) await fire(market.exchange, (await adOf(session)).beacons.impression);
  await market.restart();
  await market.isReady(id);
  await fire(market.exchange, (await adOf(session)).beacons.impression);
  const { ads, reason } = await askForAd(market.exchange, session);
  expect([ads, reason]).toEqual([[], "A frequency cap is reached"]);
  // Another device has its own count.
  await adOf(await startSession(market.exchange, market.app));
  expect(await spentOf(id)).toBe(3 * 1250);
  const misses = await market.exchange.rows<{ campaign_id: number; reason: string; auctions: number }>(
    "campaign_misses",
  );
  expect(misses).toContainEqual(expect.objectContaining({ campaign_id: id, reason: "frequency_cap" }));
});

test("ads that are not shown give their money and their place back", async () => {
  // The balance pays four impressions.
  const accountId = await market.advertiser.at.newAccount({ balance: 5000 });
  const image_url = await market.advertiser.imageOf(accountId);
  await market.campaign({ creatives: [market.advertiser.someCreative({ image_url })] }, accountId);
  const dear = await startBidder(bidsAt(5));
  await addPartner(market.stores, market.app, "dear", dear.endpoint);
  await market.exchange.exchange.reloadConfig();
  const session = await startSession(market.exchange, market.app);
  for (let nth = 0; nth < 40; nth++) {
    // A server gets the partner's ad alone; an SDK gets both, and shows the partner's.
    const { seatbid } = await askOpenrtb(market.exchange, bannerRequest());
    expect(seatbid?.[0]?.seat).toBe("dear");
    const { ads } = await askForAd(market.exchange, session);
    expect(ads[0]?.provider).toBe("dear");
    await fire(market.exchange, ads[0]?.beacons.impression ?? "");
  }
  const { ads } = await askForAd(market.exchange, session);
  expect(ads.map(({ provider }) => provider)).toEqual(["dear", "campaigns"]);
  // Skipped by the SDK: its money is free again at once.
  for (let nth = 0; nth < 10; nth++) await fire(market.exchange, (await adOf(session)).beacons.loss);
  dear.close();
});

test("the demo's campaigns buy in its apps only, and real ones in real apps", async () => {
  const demoAccount = await market.advertiser.at.newAccount({ balance: 5_000_000, demo: true });
  const image_url = await market.advertiser.imageOf(demoAccount);
  const demo = await market.campaign({ creatives: [market.advertiser.someCreative({ image_url })] }, demoAccount);
  const session = await startSession(market.exchange, market.app);
  expect((await askForAd(market.exchange, session)).ads).toEqual([]);
  const demoApp = await insertApp(market.stores);
  await pool.query("UPDATE accounts SET demo = true WHERE id = $1", [demoApp.accountId]);
  await pool.query("UPDATE apps SET demo = true WHERE id = $1", [demoApp.id]);
  await market.exchange.exchange.reloadConfig();
  const shown = await adOf(await startSession(market.exchange, demoApp));
  const facts = openToken(keyring, "impression", tokenOf(shown.beacons.impression))?.facts;
  expect(facts?.campaign?.id).toBe(demo.id);
  await pool.query("UPDATE campaigns SET frozen = true WHERE id = $1", [demo.id]);
  const real = await market.campaign();
  expect((await askForAd(market.exchange, await startSession(market.exchange, demoApp))).ads).toEqual([]);
  const ad = await adOf(session);
  expect(openToken(keyring, "impression", tokenOf(ad.beacons.impression))?.facts.campaign?.id).toBe(real.id);
});

async function newOwner(accountId: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `WITH person AS (INSERT INTO users (email, name) VALUES ('advertiser@example.com', 'Ada') RETURNING id)
     INSERT INTO memberships (user_id, account_id, role) SELECT id, $1, 'owner' FROM person RETURNING user_id AS id`,
    [accountId],
  );
  return rows[0]?.id ?? expect.fail();
}

test("freezing, a moderator's block, a blocked owner and a deletion stop a campaign at once; its ads are still billed", async () => {
  const { id, uuid } = await market.campaign();
  const ownerId = await newOwner(market.advertiser.me.accountId);
  const session = await startSession(market.exchange, market.app);
  const ad = await adOf(session);
  const changes = [
    () => market.advertiser.at.send(market.advertiser.me.accountId, `/campaign/${uuid}/status?status=frozen`, {}),
    () => market.advertiser.at.send(market.advertiser.me.accountId, `/campaign/${uuid}/status?status=active`, {}),
    () => pool.query("UPDATE creatives SET moderation = 'blocked' WHERE campaign_id = $1", [id]),
    () => pool.query("UPDATE creatives SET moderation = 'approved' WHERE campaign_id = $1", [id]),
    () => pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [ownerId]),
    () => pool.query("UPDATE users SET blocked_at = NULL WHERE id = $1", [ownerId]),
    () => market.advertiser.at.send(market.advertiser.me.accountId, `/campaign/${uuid}/status?status=delete`, {}),
  ];
  const isBidding = async () => (await askForAd(market.exchange, session)).ads.length > 0;
  for (const [nth, change] of changes.entries()) {
    await change();
    // Nobody reloads: the change itself wakes the exchange. An address may ask only so often.
    await expect.poll(isBidding, { interval: 100 }).toBe(nth % 2 === 1);
  }
  await fire(market.exchange, ad.beacons.impression, { "user-agent": ANDROID_UA });
  expect((await events()).map(({ invalid, cost_micros }) => [invalid, cost_micros])).toEqual([["", "1250"]]);
});

test("a publisher's blocked domains keep campaigns out by their links", async () => {
  await market.campaign();
  await pool.query("UPDATE apps SET blocked_domains = '{shop.example}' WHERE id = $1", [market.app.id]);
  await market.exchange.exchange.reloadConfig();
  const { ads, reason } = await askForAd(market.exchange, await startSession(market.exchange, market.app));
  expect([ads, reason]).toEqual([[], "Blocked category or domain"]);
});

test("the address that an advertiser wants called goes with the counted impression only", async () => {
  const tracking_url = "https://track.example/seen?c=1";
  await market.campaign({ creatives: [market.advertiser.someCreative({ tracking_url })] });
  const ad = await adOf(await startSession(market.exchange, market.app));
  const opened = openToken(keyring, "impression", tokenOf(ad.beacons.impression));
  expect(opened?.onImpression).toEqual({ billing: tracking_url });
  expect(ad.markup.content).not.toContain("track.example");
  expect(openToken(keyring, "click", tokenOf(ad.beacons.click))?.onImpression).toEqual({});
});

test("a test ad takes nobody's money", async () => {
  const { id } = await market.campaign();
  const { seatbid } = await askOpenrtb(market.exchange, bannerRequest({ test: 1 }));
  const pixel = /<img src="([^"]+beacon[^"]+)"/.exec(seatbid?.[0]?.bid[0]?.adm ?? "")?.[1]?.replaceAll("&amp;", "&");
  await fire(market.exchange, pixel ?? "");
  expect((await events()).map(({ invalid, cost_micros }) => [invalid, cost_micros])).toEqual([["test", "0"]]);
  expect(await spentOf(id)).toBe(0);
});
