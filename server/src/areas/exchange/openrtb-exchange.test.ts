import { gzipSync } from "node:zlib";
import { explainAuction } from "@millrace/contract";
import type { BidRequest, BidResponse } from "@millrace/openrtb";
import { VASTParser } from "@dailymotion/vast-client";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { someCaller } from "../../platform/testing/some-caller.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { JSDOM } from "./testing/dom.ts";
import {
  bidsAt,
  type Behaviour,
  goodBid,
  sendBids,
  sendBody,
  startBidder,
  type TestBidder,
} from "./testing/start-bidder.ts";
import {
  addPartner,
  ANDROID_UA,
  fire,
  insertApp,
  post,
  removeDir,
  startExchange,
  type TestApp,
  type TestExchange,
} from "./testing/start-exchange.ts";

const stores = await testStores();
const bidders: TestBidder[] = [];
const dirs: string[] = [];
const owner = someCaller({ accountId: 0 });
let exchange: TestExchange;
let app: TestApp;

async function partner(
  id: string,
  behave: Behaviour,
  more: Parameters<typeof addPartner>[4] = {},
): Promise<TestBidder> {
  const made = await startBidder(behave);
  bidders.push(made);
  await addPartner(stores, app, id, made.endpoint, more);
  await exchange.exchange.reloadConfig();
  return made;
}

beforeEach(async () => {
  await stores.pg.pool.query("TRUNCATE partners, apps RESTART IDENTITY CASCADE");
  for (const table of ["events", "auctions", "traces"])
    await stores.clickhouse.write.command({ query: `TRUNCATE TABLE ${table}` });
  app = await insertApp(stores, { bundleId: "com.example.game" });
  owner.accountId = app.accountId;
  exchange = await startExchange(stores, { caller: owner });
  await exchange.exchange.reloadConfig();
  dirs.push(exchange.dataDir);
});
afterEach(async () => {
  await exchange.stop();
  for (const each of bidders.splice(0)) each.close();
});
afterAll(async () => {
  for (const dir of dirs) await removeDir(dir);
});

const bannerRequest = (more: Partial<BidRequest> = {}): BidRequest => ({
  id: "request-1",
  imp: [{ id: "imp-1", tagid: "/1/home#1", banner: { format: [{ w: 320, h: 50 }] } }],
  app: { bundle: "com.example.game" },
  device: { ua: ANDROID_UA, ip: "8.8.8.8", os: "Android" },
  ...more,
});

async function auction(request: unknown, headers: Record<string, string> = {}): Promise<BidResponse> {
  const reply = await post(exchange, "/openrtb2/auction", request, headers);
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

const video = { mimes: ["video/mp4"], protocols: [2, 3, 7], w: 640, h: 360 };
const VAST = `<VAST version="4.2"><Ad id="1"><InLine><AdSystem>B</AdSystem><AdTitle>T</AdTitle><Impression><![CDATA[https://b.example/i]]></Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[https://b.example/v.mp4]]></MediaFile></MediaFiles><VideoClicks><ClickThrough><![CDATA[https://shop.example/]]></ClickThrough></VideoClicks></Linear></Creative></Creatives></InLine></Ad></VAST>`;
const bidsVideo =
  (adm: string, mtype = 2): Behaviour =>
  (request, reply, origin) =>
    sendBids(reply, request, [{ ...goodBid(request, origin, 3), adm, mtype, w: undefined, h: undefined }]);

test("a server's request is answered with the winner, whose markup counts when it is shown", async () => {
  const buyer = await partner("buyer", bidsAt(2));
  await partner("loser", bidsAt(1));
  const given = bannerRequest({
    ext: { custom: { deep: [1] } },
    user: { id: "u1", ext: { eids: [] } },
    bcat: ["IAB25"],
    cur: ["USD"],
    tmax: 480,
  });
  const response = await auction(given);
  expect(response).toMatchObject({
    id: "request-1",
    cur: "USD",
    seatbid: [
      {
        seat: "buyer",
        bid: [
          {
            id: "bid-1",
            impid: "imp-1",
            price: 2,
            crid: "creative-1",
            w: 320,
            h: 50,
            mtype: 1,
            adomain: ["shop.example"],
          },
        ],
      },
    ],
  });
  expect(response.seatbid?.[0]?.bid[0]).not.toHaveProperty("nurl");
  expect(buyer.requests[0]).toMatchObject({
    ...given,
    // What the request closes, and what an app for everybody never shows.
    bcat: ["IAB25", "IAB25-3", "IAB26"],
    imp: [{ id: "imp-1", tagid: "buyer-banner", banner: { format: [{ w: 320, h: 50 }] } }],
  });
  const { document } = new JSDOM(response.seatbid?.[0]?.bid[0]?.adm ?? "").window;
  await fire(exchange, document.querySelector("img")?.getAttribute("src") ?? "");
  const events = await exchange.rows("events");
  expect(events).toMatchObject([
    { kind: "impression", provider: "buyer", zone: "_1_home_1", revenue_micros: "1600", country: "US", invalid: "" },
  ]);
  expect(buyer.notices.map((url) => url.split("?")[0])).toEqual(["/win", "/billing"]);
});

test("a malformed request is told the path at fault, before anything else", async () => {
  const cases: [unknown, string][] = [
    [{ ...bannerRequest(), imp: [{ id: "1", banner: { w: "wide" } }] }, "imp[0].banner.w"],
    [{ ...bannerRequest(), imp: [] }, "imp"],
    [{ ...bannerRequest(), site: { domain: "a.example" } }, "app"],
    [{ ...bannerRequest(), id: 1, app: { bundle: "nobody" } }, "id"],
    [[], "body"],
    [{ ...bannerRequest(), imp: Array.from({ length: 101 }, (_, n) => ({ id: String(n), banner: {} })) }, "imp"],
  ];
  for (const [request, path] of cases) {
    const reply = await post(exchange, "/openrtb2/auction", request);
    expect(reply.statusCode).toBe(400);
    expect(Object.keys(reply.json<{ error: object }>().error)).toEqual([path]);
  }
  const broken = await exchange.app.inject({
    method: "POST",
    url: "/openrtb2/auction",
    payload: "{",
    headers: { "content-type": "application/json" },
  });
  expect([broken.statusCode, broken.json()]).toEqual([400, { error: { body: "is not readable JSON" } }]);
});

test("an app or site that is not known gets an answer without bids", async () => {
  await partner("buyer", bidsAt(2));
  for (const inventory of [
    { app: { bundle: "com.example.other" } },
    { app: undefined, site: { domain: "other.example" } },
    { app: undefined, dooh: {} },
  ]) {
    expect(await auction(bannerRequest(inventory))).toEqual({ id: "request-1", cur: "USD", nbr: 7 });
  }
});

test("a site is the app whose bundle is its domain; an app is also known by its key", async () => {
  await partner("buyer", bidsAt(2));
  const keyed = await auction(bannerRequest({ app: { id: app.uuid.toUpperCase() } }));
  expect(keyed.seatbid).toHaveLength(1);
  await stores.pg.pool.query("UPDATE apps SET bundle_id = 'news.example' WHERE id = $1", [app.id]);
  await exchange.exchange.reloadConfig();
  for (const site of [{ domain: "news.example" }, { page: "https://www.news.example/a?b" }]) {
    expect((await auction(bannerRequest({ app: undefined, site }))).seatbid).toHaveLength(1);
  }
});

test("a Prebid client gets the partners it names, with its keys, in the shape it knows", async () => {
  const [one, two, three] = [
    await partner("one", bidsAt(1.37)),
    await partner("two", bidsAt(0.84)),
    await partner("three", bidsAt(5)),
  ];
  const request = bannerRequest({
    imp: [
      {
        id: "imp-1",
        banner: { format: [{ w: 320, h: 50 }] },
        ext: { tid: "t", prebid: { bidder: { one: { placement: "mine" }, two: {}, ghost: { x: 1 } } } },
      },
    ],
    ext: { prebid: { targeting: { includewinners: true, includebidderkeys: true }, cache: { bids: {} }, debug: true } },
  });
  const reply = await post(exchange, "/openrtb2/auction", request, {
    origin: "https://news.example",
    "content-type": "text/plain",
  });
  expect(reply.headers).toMatchObject({
    "access-control-allow-origin": "https://news.example",
    "access-control-allow-credentials": "true",
  });
  const response = reply.json<BidResponse>();
  expect(response.seatbid?.map(({ seat }) => seat)).toEqual(["one", "two"]);
  expect(response.seatbid?.[0]?.bid[0]?.ext).toMatchObject({
    prebid: {
      type: "banner",
      targeting: { hb_pb: "1.30", hb_bidder: "one", hb_size: "320x50", hb_pb_one: "1.30" },
      meta: { advertiserDomains: ["shop.example"] },
    },
  });
  expect(response.seatbid?.[1]?.bid[0]?.ext?.["prebid"]).toMatchObject({ targeting: { hb_pb_two: "0.80" } });
  expect(response.seatbid?.[1]?.bid[0]?.ext?.["prebid"]).not.toHaveProperty("targeting.hb_pb");
  expect(response.ext).toMatchObject({
    responsetimemillis: { one: expect.any(Number) },
    errors: { ghost: [{ code: 2 }] },
  });
  expect(one.requests[0]?.imp[0]).toMatchObject({ tagid: "mine", ext: { tid: "t", bidder: { placement: "mine" } } });
  expect(one.requests[0]?.imp[0]?.ext).not.toHaveProperty("prebid");
  expect(two.requests[0]?.imp[0]).toMatchObject({ tagid: "two-banner" });
  expect(three.requests).toEqual([]);
  const none = await auction({ ...request, imp: [{ ...request.imp[0], ext: { prebid: { bidder: { ghost: {} } } } }] });
  expect(none).toMatchObject({ id: "request-1", seatbid: [], nbr: expect.any(Number) });
});

test("odd shapes of ext.prebid are tolerated", async () => {
  await partner("buyer", bidsAt(2));
  for (const prebid of [
    null,
    [],
    "x",
    { bidder: [] },
    { bidder: { buyer: null } },
    { bidder: { buyer: "x" } },
    { bidder: { __proto__: 1 } },
  ]) {
    const request = bannerRequest({ ext: { prebid } });
    request.imp[0] = { ...request.imp[0], id: "imp-1", ext: { prebid } };
    expect((await post(exchange, "/openrtb2/auction", request)).statusCode).toBe(200);
  }
});

test("the asker's time is kept when it is shorter than ours", async () => {
  await partner("silent", () => {});
  const from = performance.now();
  const response = await auction(bannerRequest({ tmax: 40 }));
  expect(performance.now() - from).toBeLessThan(400);
  expect(response).toEqual({ id: "request-1", cur: "USD", nbr: 15 });
});

test("a gzipped body is read, one that unpacks beyond the limit is not", async () => {
  await partner("buyer", bidsAt(2));
  const send = (payload: Buffer, encoding = "gzip") =>
    exchange.app.inject({
      method: "POST",
      url: "/openrtb2/auction",
      payload,
      headers: { "content-type": "application/json", "content-encoding": encoding },
    });
  const good = await send(gzipSync(JSON.stringify(bannerRequest())));
  expect([good.statusCode, good.json()]).toMatchObject([200, { id: "request-1" }]);
  expect((await send(gzipSync(Buffer.alloc(50_000_000)))).statusCode).toBe(413);
  expect((await send(Buffer.from("not gzip"))).statusCode).toBe(400);
  expect((await send(Buffer.from("{}"), "zip")).statusCode).toBe(415);
});

test("a video bid carries our impression and click, audio and native too", async () => {
  await partner("video", bidsVideo(VAST), { media_types: ["video"] });
  await partner("audio", bidsVideo(VAST, 3), { media_types: ["audio"] });
  const native = JSON.stringify({
    ver: "1.2",
    assets: [{ id: 1, title: { text: "Hi" } }],
    link: { url: "https://shop.example/" },
  });
  await partner("native", bidsVideo(native, 4), { media_types: ["native"] });
  const asked = async (imp: object) =>
    (await auction(bannerRequest({ imp: [{ id: "1", ...imp }] }))).seatbid?.[0]?.bid[0]?.adm ?? "";
  for (const markup of [
    await asked({ video }),
    await asked({ audio: { mimes: ["audio/mpeg"] } }),
    await asked({ native: { request: JSON.stringify({ ver: "1.2", assets: [{ id: 1, title: { len: 20 } }] }) } }),
  ]) {
    expect(markup).toContain("https://ads.example.com/beacon/impression?t=");
    expect(markup).toContain("https://ads.example.com/beacon/click?t=");
  }
});

test("a player's tag answers with VAST, and with an empty one where nothing sells", async () => {
  const tag = (more = "") =>
    exchange.app.inject({
      method: "GET",
      url: `/vast?app=${app.uuid}&zone=player&w=640&h=360${more}`,
      headers: { "user-agent": ANDROID_UA },
    });
  const empty = await tag();
  expect(empty.statusCode).toBe(200);
  expect(empty.headers).toMatchObject({
    "content-type": "application/xml; charset=utf-8",
    "access-control-allow-origin": "*",
  });
  expect(empty.body).toContain('<VAST version="4.2"');
  expect(empty.body).not.toContain("<Ad");
  const buyer = await partner("video", bidsVideo(VAST), { media_types: ["video"] });
  const reply = await tag();
  const { window } = new JSDOM("");
  const document = new window.DOMParser().parseFromString(reply.body, "text/xml");
  const { ads } = await new VASTParser().parseVAST(document, { resolveAll: false });
  const [creative] = ads[0]?.creatives ?? [];
  expect(creative).toMatchObject({ duration: 15, videoClickThroughURLTemplate: { url: "https://shop.example/" } });
  const [impression] = ads[0]?.impressionURLTemplates ?? [];
  await fire(exchange, impression?.url ?? "");
  expect(await exchange.rows("events")).toMatchObject([
    { kind: "impression", zone: "player", format: "video", invalid: "" },
  ]);
  expect(buyer.requests[0]?.imp[0]).toMatchObject({ video: { w: 640, h: 360 }, tagid: "video-video" });
  expect((await exchange.app.inject({ method: "GET", url: "/vast?app=x&zone=a%20b&w=0" })).json()).toEqual({
    error: { app: expect.any(String), zone: expect.any(String), w: expect.any(String) },
  });
});

const BOMB = gzipSync(Buffer.alloc(20_000_000));

/** Hostile bidders, one by one: each is dropped with its reason, the honest one wins in time. */
const bad = (change: (bid: Record<string, unknown>) => object): Behaviour => {
  return (request, reply, origin) => sendBids(reply, request, [change({ ...goodBid(request, origin, 9) })]);
};
const text = (body: (request: BidRequest, bid: string) => string): Behaviour => {
  return (request, reply, origin) => sendBody(reply, body(request, JSON.stringify(goodBid(request, origin, 9))));
};
test.each<[string, Behaviour, string]>([
  [
    "slow",
    (request, reply, origin) => void setTimeout(() => sendBids(reply, request, [goodBid(request, origin, 9)]), 800),
    "timeout",
  ],
  ["silent", () => {}, "timeout"],
  [
    "dripping",
    (_, reply) => {
      const timer = setInterval(() => reply.write(" "), 5);
      reply.on("close", () => clearInterval(timer));
    },
    "timeout",
  ],
  [
    "huge",
    (_, reply) => {
      const pour = () => {
        while (!reply.destroyed && reply.write("x".repeat(65_536)));
      };
      reply.on("drain", pour);
      pour();
    },
    "response_too_large",
  ],
  [
    "a gzip bomb",
    (_, reply) => {
      reply.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
    },
    "response_too_large",
  ],
  ["hanging up", (_, reply) => reply.socket?.destroy(), "connection_failed"],
  ["failing", (_, reply) => void reply.writeHead(500).end("oops"), "http_error"],
  ["redirecting", (_, reply) => void reply.writeHead(302, { location: "http://127.0.0.1/" }).end(), "http_error"],
  ["broken JSON", text((request) => `{"id":"${request.id}","seatbid":[`), "malformed_response"],
  ["another auction's", text((_, bid) => `{"id":"other","seatbid":[{"bid":[${bid}]}]}`), "malformed_response"],
  ["deeply nested", text(() => "[".repeat(100_000) + "]".repeat(100_000)), "malformed_response"],
  ["negative", bad((bid) => ({ ...bid, price: -5 })), "price_not_positive"],
  ["zero", bad((bid) => ({ ...bid, price: 0 })), "price_not_positive"],
  [
    "1e309",
    text((request, bid) => `{"id":"${request.id}","seatbid":[{"bid":[${bid.replace('"price":9', '"price":1e309')}]}]}`),
    "price_missing",
  ],
  [
    "NaN",
    text((request, bid) => `{"id":"${request.id}","seatbid":[{"bid":[${bid.replace('"price":9', '"price":NaN')}]}]}`),
    "malformed_response",
  ],
  ["NaN as text", bad((bid) => ({ ...bid, price: "NaN" })), "price_missing"],
  ["no price", bad((bid) => ({ ...bid, price: undefined })), "price_missing"],
  ["absurd", bad((bid) => ({ ...bid, price: 1e12 })), "price_too_high"],
  [
    "wrong currency",
    text((request, bid) => `{"id":"${request.id}","cur":"EUR","seatbid":[{"bid":[${bid}]}]}`),
    "wrong_currency",
  ],
  ["wrong imp", bad((bid) => ({ ...bid, impid: "another" })), "unknown_imp"],
  ["wrong media type", bad((bid) => ({ ...bid, mtype: 2 })), "wrong_media_type"],
  ["wrong size", bad((bid) => ({ ...bid, w: 728, h: 90 })), "wrong_size"],
  ["no advertiser's domain", bad((bid) => ({ ...bid, adomain: ["<script>"] })), "advertiser_malformed"],
  ["no markup", bad((bid) => ({ ...bid, adm: undefined, nurl: undefined })), "markup_missing"],
  ["fields of wrong types", bad((bid) => ({ ...bid, adomain: [7] })), "malformed_bid"],
])("a bidder that is hostile by %s is dropped with its reason, and harms nobody", async (_, behave, reason) => {
  await partner("honest", bidsAt(1));
  await partner("hostile", behave);
  const from = performance.now();
  const response = await auction(bannerRequest());
  expect(performance.now() - from).toBeLessThan(700);
  expect(response.seatbid?.map(({ seat }) => seat)).toEqual(["honest"]);
  const [row] = await exchange.rows<{ auction_id: string }>("auctions");
  const reply = await exchange.app.inject({ method: "GET", url: `/auctions/${row?.auction_id}.json` });
  const { participants, replays } = explainAuction.reply.parse(reply.json());
  const hostile = participants.find(({ provider }) => provider === "hostile");
  expect([hostile?.outcome.code, ...(hostile?.bids ?? []).map((bid) => bid.reason?.code)]).toContain(reason);
  expect(replays).toBe(true);
});

test("a partner that keeps failing is left out, and asked again when it has recovered", async () => {
  let isBroken = true;
  const shaky = await partner("shaky", (request, reply, origin) => {
    if (isBroken) reply.writeHead(500).end();
    else sendBids(reply, request, [goodBid(request, origin, 2)]);
  });
  for (let n = 0; n < 25; n++) await auction(bannerRequest());
  expect(shaky.requests).toHaveLength(20);
  isBroken = false;
  await new Promise((resolve) => {
    setTimeout(resolve, 5100);
  });
  const responses: BidResponse[] = [];
  for (let n = 0; n < 4; n++) responses.push(await auction(bannerRequest()));
  expect(responses.every(({ seatbid }) => seatbid?.length === 1)).toBe(true);
});

test("a foreign auction is not there, and one that was not kept neither", async () => {
  await partner("buyer", bidsAt(2));
  await auction(bannerRequest());
  const [row] = await exchange.rows<{ auction_id: string }>("auctions");
  const url = `/auctions/${row?.auction_id}.json`;
  expect((await exchange.app.inject({ method: "GET", url })).statusCode).toBe(200);
  owner.accountId = app.accountId + 1;
  expect((await exchange.app.inject({ method: "GET", url })).statusCode).toBe(404);
  owner.accountId = app.accountId;
  expect(
    (await exchange.app.inject({ method: "GET", url: "/auctions/6f9619ff-8b86-4d01-b42d-00cf4fc964ff.json" }))
      .statusCode,
  ).toBe(404);
});

test("a thousand stored auctions are held again to the same bytes", async () => {
  const seeded = (seed: number): Behaviour => {
    let state = seed;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    return (request, reply, origin) => {
      const roll = random();
      if (roll < 0.2) reply.writeHead(204).end();
      else if (roll < 0.25) reply.writeHead(500).end();
      else if (roll < 0.35) sendBids(reply, request, [{ ...goodBid(request, origin, 1), w: 1 }]);
      else {
        const price = Math.round(random() * 300) / 100;
        sendBids(reply, request, [
          goodBid(request, origin, price),
          { ...goodBid(request, origin, price), id: "bid-2", impid: "imp-2" },
        ]);
      }
    };
  };
  for (let n = 0; n < 6; n++) await partner(`p${n}`, seeded(n + 1));
  const imp = (id: string) => ({ id, banner: { format: [{ w: 320, h: 50 }] }, bidfloor: 0.3 });
  for (let batch = 0; batch < 100; batch++) {
    await Promise.all(Array.from({ length: 10 }, () => auction(bannerRequest({ imp: [imp("imp-1"), imp("imp-2")] }))));
  }
  const rows = await exchange.rows<{ auction_id: string; trace: string }>("traces");
  expect(rows).toHaveLength(1000);
  expect(
    new Set(rows.map(({ trace }) => (JSON.parse(trace) as { decision: { noAdReason: unknown } }).decision.noAdReason))
      .size,
  ).toBeGreaterThan(0);
  const results: (boolean | undefined)[] = [];
  for (const { auction_id } of rows) results.push((await exchange.exchange.replayStored(auction_id))?.same);
  expect(results.filter((same) => same === true)).toHaveLength(1000);
}, 120_000);
