import { randomUUID } from "node:crypto";
import { sdkInit } from "@millrace/contract";
import { expect, test, vi } from "vitest";
import { LONGEST_HOLD_MS } from "../../budgets/index.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { BANNER_HTML, bidsAt, bidsNothing, goodBid, sendBids } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, type EventRow, fire, insertApp, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("an ad request is sold in an auction, its impression counts once, and bidders get their notices", async () => {
  const [high, low] = [await at.partner("high", bidsAt(2.5)), await at.partner("low", bidsAt(1.25))];
  const init = await post(at.exchange, "/sdk/v1/init", {
    app: at.app.uuid,
    platform: "android",
    sdk_version: "1.0.0",
    install_id: randomUUID(),
    device: DEVICE,
  });
  const { session } = sdkInit.reply.parse(init.json());
  const { ads, auction } = await askForAd(at.exchange, session, {}, { "x-forwarded-for": "8.8.8.8" });
  expect(ads.map(({ provider, revenue_micros }) => [provider, revenue_micros])).toEqual([
    ["high", 2000],
    ["low", 1000],
  ]);
  expect(ads[0]).toMatchObject({ markup: { type: "html", content: BANNER_HTML }, w: 320, h: 50, format: "banner" });
  expect(high.requests[0]).toMatchObject({
    id: auction,
    imp: [{ id: "1", tagid: "high-banner", banner: { format: [{ w: 320, h: 50 }], api: [3, 5, 6] } }],
    app: { id: at.app.uuid },
    device: { ip: "8.8.8.8", geo: { country: "USA" }, os: "android", devicetype: 4 },
  });

  const [first] = ads;
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => fire(at.exchange, first?.beacons.impression ?? "")),
  );
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  await fire(at.exchange, first?.beacons.impression ?? "");
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.filter(({ kind, invalid }) => kind === "impression" && invalid === "")).toMatchObject([
    { provider: "high", revenue_micros: "2000", country: "US", zone: "main" },
  ]);
  expect(events.filter(({ kind }) => kind === "session")).toHaveLength(1);
  expect(await at.exchange.rows("auctions")).toMatchObject([
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

test("SDK and VAST requests name the publisher by its account's uuid, as app-ads.txt and sellers.json do", async () => {
  const buyer = await at.partner("buyer", bidsNothing);
  const { rows } = await at.stores.pg.pool.query<{ uuid: string }>("SELECT uuid FROM accounts WHERE id = $1", [
    at.app.accountId,
  ]);
  const id = rows[0]?.uuid;
  await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await at.exchange.app.inject(`/vast?app=${at.app.uuid}&zone=top`);
  expect(buyer.requests.map(({ app }) => app?.publisher)).toEqual([{ id }, { id }]);
  // The platform pays the app's owner itself, so the chain is complete.
  const schain = { ver: "1.0", complete: 1, nodes: [{ asi: "ads.example.com", sid: id, hp: 1 }] };
  expect(buyer.requests.map(({ source }) => source?.schain)).toEqual([schain, schain]);
});

test("without bids there is no ad, but a reason", async () => {
  await at.partner("none", bidsNothing);
  const reply = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  expect(reply).toMatchObject({ ads: [], nbr: 0, reason: "Partners had no demand" });
  expect(await at.exchange.rows("auctions")).toMatchObject([{ winner: "", no_ad: "no_demand" }]);
});

test("requests for children have no ids and no location", async () => {
  const kids = await insertApp(at.stores, { kids: true });
  const buyer = await at.partner("buyer", bidsAt(1), { of: kids });
  const ifa = randomUUID();
  const device = { ...DEVICE, ifa };
  await askForAd(
    at.exchange,
    await startSession(at.exchange, kids, { device }),
    { device },
    { "x-forwarded-for": "8.8.8.8" },
  );
  const [request] = buyer.requests;
  expect(request).toMatchObject({ regs: { coppa: 1 }, device: { ip: "8.8.8.0", lmt: 1 } });
  expect(JSON.stringify(request)).not.toContain(ifa);
});

test("an ad on a test device is marked as a test and shown, but neither counted nor paid", async () => {
  const ifa = randomUUID();
  await at.stores.pg.pool.query("UPDATE apps SET test_devices = $2 WHERE id = $1", [at.app.id, [ifa]]);
  const buyer = await at.partner("buyer", bidsAt(1));
  const device = { ...DEVICE, ifa: ifa.toUpperCase(), lmt: 0 };
  const reply = await askForAd(at.exchange, await startSession(at.exchange, at.app, { device }), { device });
  expect(buyer.requests[0]).toMatchObject({ test: 1 });
  const [ad] = reply.ads;
  await fire(at.exchange, ad?.beacons.impression ?? "");
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.filter(({ kind }) => kind === "impression")).toMatchObject([{ invalid: "test", revenue_micros: "0" }]);
  // A test is not counted as a request, because it would lower the fill rate.
  expect(await at.exchange.rows("auctions")).toEqual([]);
  expect(await at.exchange.rows("traces")).toHaveLength(1);
});

test("an ad that the app requests as a test is neither counted nor paid", async () => {
  const buyer = await at.partner("buyer", bidsAt(1));
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app), { test: 1 });
  expect(buyer.requests[0]).toMatchObject({ test: 1 });
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.filter(({ kind }) => kind === "impression")).toMatchObject([{ invalid: "test", revenue_micros: "0" }]);
  expect(await at.exchange.rows("auctions")).toEqual([]);
});

test("a reply has the device's country, and how long its ads may wait to be billed", async () => {
  const session = await startSession(at.exchange, at.app);
  const reply = await askForAd(at.exchange, session, {}, { "x-forwarded-for": "8.8.8.8" });
  expect(reply.country).toBe("US");
  expect(reply.expires_seconds * 1000).toBeLessThan(LONGEST_HOLD_MS);
});

test("an ad waits no longer to be shown than its bidder offers it", async () => {
  let offered: (number | undefined)[] = [];
  const bidder = await at.partner("buyer", (request, reply, origin) => {
    sendBids(
      reply,
      request,
      offered.map((exp, nth) => ({ ...goodBid(request, origin, 2 - nth), id: `bid-${nth}`, exp })),
    );
  });
  const session = await startSession(at.exchange, at.app);
  const waitsFor = async (...exps: (number | undefined)[]) => {
    offered = exps;
    return (await askForAd(at.exchange, session)).expires_seconds;
  };
  const longest = await waitsFor(undefined);
  expect(bidder.requests[0]?.imp[0]?.exp).toBe(longest);
  expect(await waitsFor(300)).toBe(300);
  expect(await waitsFor(undefined, 300)).toBe(300);
  expect(await waitsFor(86_400)).toBe(longest);
  expect(await waitsFor(0)).toBe(longest);
  expect(await waitsFor(-1)).toBe(longest);
  // It could hardly be shown in five seconds.
  expect(await waitsFor(5)).toBe(60);
});

test("the SDK of a banned app is told to drop its ads, at its start, for an ad and for a ping", async () => {
  const session = await startSession(at.exchange, at.app);
  const ping = { session, seq: 1, seconds: 1 };
  expect((await post(at.exchange, "/sdk/v1/ping", ping)).json()).toEqual({ ok: true });
  await at.stores.pg.pool.query("UPDATE apps SET moderation = 'banned' WHERE id = $1", [at.app.id]);
  await vi.waitFor(async () => {
    const reply = await post(at.exchange, "/sdk/v1/ping", { ...ping, seq: 2 });
    expect(reply.json()).toEqual({ ok: true, disabled: true });
  }, 5000);
  expect(await askForAd(at.exchange, session)).toMatchObject({ ads: [], disabled: true });
  const init = {
    app: at.app.uuid,
    platform: "android",
    sdk_version: "1.0.0",
    install_id: randomUUID(),
    device: DEVICE,
  };
  expect((await post(at.exchange, "/sdk/v1/init", init)).json()).toMatchObject({ disabled: true });
});

test("a test device also works in an app for children, without its id being sent", async () => {
  const kids = await insertApp(at.stores, { kids: true });
  const ifa = randomUUID();
  await at.stores.pg.pool.query("UPDATE apps SET test_devices = $2 WHERE id = $1", [kids.id, [ifa]]);
  const buyer = await at.partner("buyer", bidsAt(1), { of: kids });
  const device = { ...DEVICE, ifa, lmt: 0 };
  const reply = await askForAd(at.exchange, await startSession(at.exchange, kids, { device }), { device });
  await fire(at.exchange, reply.ads[0]?.beacons.impression ?? "");
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.filter(({ kind }) => kind === "impression")).toMatchObject([{ invalid: "test", revenue_micros: "0" }]);
  expect(buyer.requests[0]).toMatchObject({ test: 1 });
  const [trace] = await at.exchange.rows<{ trace: string }>("traces");
  const { input, decision } = JSON.parse(trace?.trace ?? "{}") as Record<"input" | "decision", { request: object }>;
  expect(decision).toMatchObject({ test: true });
  for (const told of [input.request, buyer.requests[0]]) expect(JSON.stringify(told)).not.toContain(ifa);
});

test("unknown apps, invalid sessions and malformed bodies are refused with a reason", async () => {
  const init = {
    app: randomUUID(),
    platform: "android",
    sdk_version: "1.0.0",
    install_id: randomUUID(),
    device: DEVICE,
  };
  expect((await post(at.exchange, "/sdk/v1/init", init)).statusCode).toBe(404);
  expect((await post(at.exchange, "/sdk/v1/init", { ...init, device: { os: 1 } })).json()).toEqual({
    error: { "device.os": "must be a text" },
  });
  const ad = { session: "nonsense", zone: "main", format: "banner", device: DEVICE };
  expect((await post(at.exchange, "/sdk/v1/ad", ad)).statusCode).toBe(401);
  expect((await post(at.exchange, "/sdk/v1/ping", { session: "nonsense", seq: 1, seconds: 1 })).statusCode).toBe(401);
});

test("pages of any origin may call", async () => {
  const preflight = await at.exchange.app.inject({
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
    at.exchange,
    "/sdk/v1/init",
    { app: at.app.uuid, platform: "others", sdk_version: "1.0.0", install_id: randomUUID(), device: DEVICE },
    {
      origin: "https://game.example",
      "sec-fetch-site": "cross-site",
      "content-type": "text/plain",
    },
  );
  expect(reply.statusCode).toBe(200);
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
});

test("a flood from one address is limited, with the time to wait", async () => {
  // Nearly no refill, so that a slow machine refuses some too.
  await at.restart({ limits: { address: { burst: 300, perSecond: 0.01 } } });
  const from = { "x-forwarded-for": "93.184.216.34" };
  const init = {
    app: at.app.uuid,
    platform: "android",
    sdk_version: "1.0.0",
    install_id: randomUUID(),
    device: DEVICE,
  };
  const replies = await Promise.all(Array.from({ length: 320 }, () => post(at.exchange, "/sdk/v1/init", init, from)));
  const refused = replies.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(20);
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
  expect((await post(at.exchange, "/sdk/v1/init", init, { "x-forwarded-for": "93.184.216.35" })).statusCode).toBe(200);
});
