import { randomUUID } from "node:crypto";
import { sdkAd, sdkInit, type Reply } from "@millrace/contract";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { BANNER_HTML, bidsAt, bidsNothing, startBidder, type TestBidder } from "./testing/start-bidder.ts";
import {
  addPartner,
  ANDROID_UA,
  DEVICE,
  fire,
  insertApp,
  post,
  removeDir,
  startExchange,
  startSession,
  type TestApp,
  type TestExchange,
} from "./testing/start-exchange.ts";

const stores = await testStores();
const bidders: TestBidder[] = [];
const dirs: string[] = [];
let exchange: TestExchange;
let app: TestApp;

async function bidder(...args: Parameters<typeof startBidder>): Promise<TestBidder> {
  const made = await startBidder(...args);
  bidders.push(made);
  return made;
}

beforeEach(async () => {
  await stores.pg.pool.query("TRUNCATE partners, apps RESTART IDENTITY CASCADE");
  for (const table of ["events", "auctions", "traces", "cohort_daily"])
    await stores.clickhouse.write.command({ query: `TRUNCATE TABLE ${table}` });
  app = await insertApp(stores);
  exchange = await startExchange(stores);
  dirs.push(exchange.dataDir);
});
afterEach(async () => {
  await exchange.stop();
  for (const each of bidders.splice(0)) each.close();
});
afterAll(async () => {
  for (const dir of dirs) await removeDir(dir);
});

async function askForAd(
  session: string,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Reply<typeof sdkAd>> {
  const reply = await post(
    exchange,
    "/sdk/v1/ad",
    { session, zone: "main", format: "banner", device: DEVICE, ...more },
    headers,
  );
  expect(reply.statusCode).toBe(200);
  return sdkAd.reply.parse(reply.json());
}

interface EventRow {
  first_day: string;
  kind: string;
  invalid: string;
  revenue_micros: string;
  provider: string;
  country: string;
  zone: string;
  seconds: number;
}

test("an ad request is sold in an auction, its impression counts once, and the bidders hear of it", async () => {
  const [high, low] = [await bidder(bidsAt(2.5)), await bidder(bidsAt(1.25))];
  await addPartner(stores, app, "high", high.endpoint);
  await addPartner(stores, app, "low", low.endpoint);
  await exchange.exchange.reloadConfig();

  const init = await post(exchange, "/sdk/v1/init", {
    app: app.uuid,
    platform: "android",
    sdk: "1.0.0",
    install: randomUUID(),
    device: DEVICE,
  });
  const { session } = sdkInit.reply.parse(init.json());
  const { ads, auction } = await askForAd(session, {}, { "x-forwarded-for": "8.8.8.8" });
  expect(ads.map(({ provider, revenue }) => [provider, revenue])).toEqual([
    ["high", 2000],
    ["low", 1000],
  ]);
  expect(ads[0]).toMatchObject({ markup: { type: "html", content: BANNER_HTML }, w: 320, h: 50, format: "banner" });
  expect(high.requests[0]).toMatchObject({
    id: auction,
    imp: [{ id: "1", tagid: "high-banner", banner: { format: [{ w: 320, h: 50 }] } }],
    app: { id: app.uuid },
    device: { ip: "8.8.8.8", geo: { country: "USA" }, os: "android", devicetype: 4 },
  });

  const [first] = ads;
  const replies = await Promise.all(Array.from({ length: 5 }, () => fire(exchange, first?.beacons.impression ?? "")));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  await fire(exchange, first?.beacons.impression ?? "");
  const events = await exchange.rows<EventRow>("events");
  expect(events.filter(({ kind, invalid }) => kind === "impression" && invalid === "")).toMatchObject([
    { provider: "high", revenue_micros: "2000", country: "US", zone: "main" },
  ]);
  expect(events.filter(({ kind }) => kind === "session")).toHaveLength(1);
  expect(await exchange.rows("auctions")).toMatchObject([
    {
      auction_id: auction,
      asked: ["high", "low"],
      winner: "high",
      price_micros: "2500000",
      no_ad: "",
      zone: "main",
      country: "US",
    },
  ]);
  expect(high.notices).toEqual([
    `/win?price=2.5&loss=&min=1.25&auction=${auction}`,
    `/billing?price=2.5&loss=&min=1.25&auction=${auction}`,
  ]);
  expect(low.notices).toEqual([`/loss?price=1.25&loss=102&min=2.5&auction=${auction}`]);
});

test("what happens shows in the metrics", async () => {
  const registry = new Registry();
  await exchange.stop();
  exchange = await startExchange(stores, { metrics: registry });
  dirs.push(exchange.dataDir);
  const buyer = await bidder(bidsAt(1));
  const session = await startSession(exchange, app);
  await askForAd(session);
  await addPartner(stores, app, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const { ads } = await askForAd(session);
  await fire(exchange, ads[0]?.beacons.impression ?? "");
  await exchange.exchange.settle();
  const shown = await registry.metrics();
  for (const line of [
    'millrace_imps_total{result="sold"} 1',
    'millrace_imps_total{result="no_partner_ready"} 1',
    'millrace_notices_total{result="sent"} 2',
    "millrace_partner_connections 1",
    "millrace_paused_partners 0",
    "millrace_seen_events 1",
  ]) {
    expect(shown).toContain(`${line}\n`);
  }
});

test("nobody bids: no ad, and why", async () => {
  const silent = await bidder(bidsNothing);
  await addPartner(stores, app, "none", silent.endpoint);
  await exchange.exchange.reloadConfig();
  const reply = await askForAd(await startSession(exchange, app));
  expect(reply).toMatchObject({ ads: [], nbr: 0, reason: "Partners had no demand" });
  expect(await exchange.rows("auctions")).toMatchObject([{ winner: "", no_ad: "no_demand" }]);
});

test("a click counts once, after its impression, and only then", async () => {
  const buyer = await bidder(bidsAt(1));
  await addPartner(stores, app, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const session = await startSession(exchange, app);
  const { ads } = await askForAd(session);
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  exchange.clock.offsetMs = 500;
  const early = fire(exchange, click);
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  await fire(exchange, impression);
  await early;
  await Promise.all([fire(exchange, click), fire(exchange, click)]);
  const { ads: others } = await askForAd(session);
  exchange.clock.offsetMs = 1500;
  await fire(exchange, others[0]?.beacons.click ?? "");
  const clicks = (await exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "click");
  expect(clicks.filter(({ invalid }) => invalid === "")).toHaveLength(1);
  expect(new Set(clicks.map(({ invalid }) => invalid))).toEqual(new Set(["", "replayed", "click_without_impression"]));
});

test("a replayed beacon counts once, also across a restart", async () => {
  const buyer = await bidder(bidsAt(1));
  await addPartner(stores, app, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const session = await startSession(exchange, app);
  const { ads } = await askForAd(session);
  const url = ads[0]?.beacons.impression ?? "";
  await fire(exchange, url);
  await post(exchange, "/sdk/v1/ping", { session, seq: 1, seconds: 3 });
  await exchange.stop();

  const dir = exchange.dataDir;
  exchange = await startExchange(stores, { dataDir: dir });
  let reply = await fire(exchange, url);
  // The first moments after a start may put it off, but never count it again.
  for (let tries = 0; reply.statusCode === 503 && tries < 50; tries++) {
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    reply = await fire(exchange, url);
  }
  expect(reply.statusCode).toBe(200);
  await post(exchange, "/sdk/v1/ping", { session, seq: 1, seconds: 3 });
  const counted = (await exchange.rows<EventRow>("events")).filter(({ invalid }) => invalid === "");
  expect(counted.filter(({ kind }) => kind === "impression")).toHaveLength(1);
  expect(counted.filter(({ kind }) => kind === "ping")).toHaveLength(1);
});

test("forged, changed and expired beacons are recorded as invalid and earn nothing", async () => {
  const buyer = await bidder(bidsAt(1));
  await addPartner(stores, app, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const { ads } = await askForAd(await startSession(exchange, app));
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  expect((await fire(exchange, impression.slice(0, -4))).statusCode).toBe(400);
  expect((await fire(exchange, impression.replace("impression", "click"))).statusCode).toBe(400);
  expect((await fire(exchange, "https://x.example/beacon/impression?t=1.W10.AAAAAAAAAAAAAAAAAAAAAA")).statusCode).toBe(
    400,
  );
  expect((await fire(exchange, "https://x.example/beacon/impression")).json()).toEqual({
    error: { t: expect.any(String) },
  });
  exchange.clock.offsetMs = 25 * 3_600_000;
  expect((await fire(exchange, impression)).statusCode).toBe(200);
  expect((await fire(exchange, click)).statusCode).toBe(200);
  const rows = (await exchange.rows<EventRow>("events")).filter(({ kind }) => kind !== "session");
  expect(rows.map(({ invalid }) => invalid).sort()).toEqual(["expired", "expired", "forged", "forged", "forged"]);
  expect(rows.every(({ revenue_micros }) => revenue_micros === "0")).toBe(true);
});

test("crawlers and floods are recorded and never billed; a real viewer after a crawler counts", async () => {
  const buyer = await bidder(bidsAt(1));
  await addPartner(stores, app, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const session = await startSession(exchange, app);
  const { ads } = await askForAd(session);
  const url = ads[0]?.beacons.impression ?? "";
  await fire(exchange, url, { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  await fire(exchange, url, { "user-agent": "" });
  await fire(exchange, url, { "user-agent": ANDROID_UA });
  let rows = (await exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "impression");
  expect(rows.map(({ invalid, revenue_micros }) => `${invalid} ${revenue_micros}`).sort()).toEqual([
    " 800",
    "crawler 0",
    "user_agent_missing 0",
  ]);
  for (let n = 0; n < 14; n++) {
    const { ads: more } = await askForAd(session);
    await fire(exchange, more[0]?.beacons.impression ?? "");
    exchange.clock.offsetMs += 300;
    await fire(exchange, more[0]?.beacons.click ?? "");
  }
  rows = (await exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "click");
  expect(rows.filter(({ invalid }) => invalid === "")).toHaveLength(10);
  expect(rows.filter(({ invalid }) => invalid === "device_flood")).toHaveLength(4);
});

test("a beacon is only acknowledged when it is kept, and may be tried again when it was not", async () => {
  const buyer = await bidder(bidsAt(1));
  await addPartner(stores, app, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const { ads } = await askForAd(await startSession(exchange, app));
  const { append } = exchange.statistics.events;
  const { Problem } = await import("../../platform/http/problem.ts");
  exchange.statistics.events.append = async () => {
    throw new Problem("unavailable", "The disk is full", { retryAfterSeconds: 1 });
  };
  const refused = await Promise.all([1, 2, 3].map(() => fire(exchange, ads[0]?.beacons.impression ?? "")));
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  exchange.statistics.events.append = append;
  expect((await fire(exchange, ads[0]?.beacons.impression ?? "")).statusCode).toBe(200);
  const rows = await exchange.rows<EventRow>("events");
  expect(rows.filter(({ kind }) => kind === "impression")).toHaveLength(1);
});

test("zones register themselves at their first request, up to a limit", async () => {
  const session = await startSession(exchange, app);
  for (const zone of ["main", "menu", "main"]) await askForAd(session, { zone });
  await exchange.exchange.settle();
  const { rows } = await stores.pg.pool.query("SELECT zone, name, format FROM zones WHERE app_id = $1 ORDER BY zone", [
    app.id,
  ]);
  expect(rows).toEqual([
    { zone: "main", name: "main", format: "banner" },
    { zone: "menu", name: "menu", format: "banner" },
  ]);
  for (let n = 0; n < 510; n++) await askForAd(session, { zone: `hostile-${n}` });
  await exchange.exchange.settle();
  const count = await stores.pg.pool.query("SELECT count(*)::int AS n FROM zones WHERE app_id = $1", [app.id]);
  expect(count.rows).toEqual([{ n: 500 }]);
  const auctions = await exchange.rows<{ zone: string }>("auctions");
  expect(auctions.filter(({ zone }) => zone === "other")).toHaveLength(12);
});

test("the newest SDK version of an app is written down, older ones do not take it back", async () => {
  for (const sdk of ["1.0.0", "1.2.0", "1.1.9"]) await startSession(exchange, app, { sdk });
  await exchange.exchange.settle();
  const { rows } = await stores.pg.pool.query(
    "SELECT sdk_version, sdk_seen_at IS NOT NULL AS seen FROM apps WHERE id = $1",
    [app.id],
  );
  expect(rows).toEqual([{ sdk_version: "1.2.0", seen: true }]);
});

test("children are asked for without anything that names or finds them", async () => {
  const kids = await insertApp(stores, { kids: true });
  const buyer = await bidder(bidsAt(1));
  await addPartner(stores, kids, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const ifa = randomUUID();
  const device = { ...DEVICE, ifa };
  await askForAd(await startSession(exchange, kids, { device }), { device }, { "x-forwarded-for": "8.8.8.8" });
  const [request] = buyer.requests;
  expect(request).toMatchObject({ regs: { coppa: 1 }, device: { ip: "8.8.8.0", lmt: 1 } });
  expect(JSON.stringify(request)).not.toContain(ifa);
});

test("an ad on a test device is told as a test, shown, and neither counted nor paid", async () => {
  const tested = await insertApp(stores);
  const buyer = await bidder(bidsAt(1));
  await addPartner(stores, tested, "buyer", buyer.endpoint);
  const ifa = randomUUID();
  await stores.pg.pool.query("UPDATE apps SET test_devices = $2 WHERE id = $1", [tested.id, [ifa]]);
  await exchange.exchange.reloadConfig();
  const device = { ...DEVICE, ifa: ifa.toUpperCase(), lmt: 0 };
  const reply = await askForAd(await startSession(exchange, tested, { device }), { device });
  expect(buyer.requests[0]).toMatchObject({ test: 1 });
  const [ad] = reply.ads;
  await fire(exchange, ad?.beacons.impression ?? "");
  const events = await exchange.rows<{ app_id: number; kind: string; invalid: string }>("events");
  expect(events.filter(({ app_id, kind }) => app_id === tested.id && kind === "impression")).toMatchObject([
    { invalid: "test" },
  ]);
});

test("an app's key that is not known, a session that is not ours, and a malformed body are told so", async () => {
  const init = { app: randomUUID(), platform: "android", sdk: "1.0.0", install: randomUUID(), device: DEVICE };
  expect((await post(exchange, "/sdk/v1/init", init)).statusCode).toBe(404);
  expect((await post(exchange, "/sdk/v1/init", { ...init, device: { os: 1 } })).json()).toEqual({
    error: { "device.os": "must be a text" },
  });
  const ad = { session: "nonsense", zone: "main", format: "banner", device: DEVICE };
  expect((await post(exchange, "/sdk/v1/ad", ad)).statusCode).toBe(401);
  expect((await post(exchange, "/sdk/v1/ping", { session: "nonsense", seq: 1, seconds: 1 })).statusCode).toBe(401);
});

test("the day of an installation's first start is on its session and its ads' events, and makes its cohort", async () => {
  const buyer = await bidder(bidsAt(2));
  await addPartner(stores, app, "buyer", buyer.endpoint);
  await exchange.exchange.reloadConfig();
  const firstDay = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const session = await startSession(exchange, app, { first_day: firstDay });
  const { ads } = await askForAd(session);
  await fire(exchange, ads[0]?.beacons.impression ?? "");
  await fire(exchange, ads[0]?.beacons.click ?? "");
  expect(await post(exchange, "/sdk/v1/ping", { session, seq: 1, seconds: 30 })).toMatchObject({ statusCode: 200 });
  const events = await exchange.rows<EventRow>("events");
  expect(Object.fromEntries(events.map((row) => [row.kind, row.first_day]))).toEqual({
    session: firstDay,
    impression: firstDay,
    click: firstDay,
    ping: firstDay,
  });
  const cohort = await stores.clickhouse.read.query({
    query: `SELECT first_day, age, sum(revenue_micros) AS revenue, uniqCombined64Merge(19)(cohort_daily.devices) AS devices
      FROM cohort_daily WHERE app_id = {app:UInt32} GROUP BY first_day, age`,
    query_params: { app: app.id },
    format: "JSONEachRow",
  });
  expect(await cohort.json()).toEqual([{ first_day: firstDay, age: 3, revenue: "1600", devices: "1" }]);
});

test("a first day that cannot be costs no session, and one of a child's device tells nothing of whose it is", async () => {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  for (const first_day of [day(3), "2015-03-29", "soon", undefined]) await startSession(exchange, app, { first_day });
  await startSession(exchange, app, { first_day: day(-2), consent: { coppa: 1 } });
  const events = await exchange.rows<EventRow>("events");
  expect(events.map(({ first_day }) => first_day)).toEqual([...Array<string>(4).fill("1970-01-01"), day(-2)]);
  const wrong = {
    app: app.uuid,
    platform: "android",
    sdk: "1.0.0",
    install: randomUUID(),
    device: DEVICE,
    first_day: 7,
  };
  expect((await post(exchange, "/sdk/v1/init", wrong)).statusCode).toBe(400);
});

test("a page of any origin may speak for a device", async () => {
  const preflight = await exchange.app.inject({
    method: "OPTIONS",
    url: "/sdk/v1/ad",
    headers: {
      origin: "https://game.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "content-type",
  });
  const reply = await post(
    exchange,
    "/sdk/v1/init",
    { app: app.uuid, platform: "others", sdk: "1.0.0", install: randomUUID(), device: DEVICE },
    {
      origin: "https://game.example",
      "sec-fetch-site": "cross-site",
      "content-type": "text/plain",
    },
  );
  expect(reply.statusCode).toBe(200);
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
});

test("a flood from one address is slowed down, and told for how long", async () => {
  const from = { "x-forwarded-for": "93.184.216.34" };
  const init = { app: app.uuid, platform: "android", sdk: "1.0.0", install: randomUUID(), device: DEVICE };
  const replies = await Promise.all(Array.from({ length: 320 }, () => post(exchange, "/sdk/v1/init", init, from)));
  const refused = replies.filter(({ statusCode }) => statusCode === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
  expect((await post(exchange, "/sdk/v1/init", init, { "x-forwarded-for": "93.184.216.35" })).statusCode).toBe(200);
});
