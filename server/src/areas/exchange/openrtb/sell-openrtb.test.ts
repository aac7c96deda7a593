import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { JSDOM } from "../testing/dom.ts";
import { bidsAt, bidsMarkup, goodBid, sendBody, VIDEO_AD } from "../testing/start-bidder.ts";
import { fire, insertApp, post } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("a server's request returns the winner, whose markup counts its impression", async () => {
  const buyer = await at.partner("buyer", bidsAt(2));
  await at.partner("loser", bidsAt(1));
  const given = bannerRequest({
    ext: { custom: { deep: [1] } },
    user: { id: "u1", ext: { eids: [] } },
    bcat: ["IAB25"],
    cur: ["USD"],
    tmax: 480,
  });
  const response = await askOpenrtb(at.exchange, given);
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
    // The categories the request blocks, and those blocked by default.
    bcat: ["IAB25", "IAB25-3", "IAB26"],
    imp: [{ id: "imp-1", tagid: "buyer-banner", banner: { format: [{ w: 320, h: 50 }] } }],
  });
  const { document } = new JSDOM(response.seatbid?.[0]?.bid[0]?.adm ?? "").window;
  await fire(at.exchange, document.querySelector("img")?.getAttribute("src") ?? "");
  const events = await at.exchange.rows("events");
  expect(events).toMatchObject([
    { kind: "impression", provider: "buyer", zone: "_1_home_1", revenue_micros: "1600", country: "US", invalid: "" },
  ]);
  expect(buyer.notices.map((url) => url.split("?")[0])).toEqual(["/win", "/billing"]);
});

test("a request's supply chain ends with the platform, at a partner by the name that the operator has set for it", async () => {
  const buyer = await at.partner("buyer", bidsAt(2));
  const older = await at.partner("older", bidsAt(1), { openrtb_version: "2.5" });
  const { pool } = at.stores.pg;
  const names = await at.partner("names", bidsAt(1));
  await pool.query(`UPDATE partners SET schain_node = '{"asi": "sales.example", "sid": "7"}' WHERE id = 'names'`);
  await at.exchange.exchange.reloadConfig();
  const { rows } = await pool.query<{ uuid: string }>("SELECT uuid FROM accounts WHERE id = $1", [at.app.accountId]);
  const before = { asi: "games.example", sid: "42", hp: 1 };
  const schain = { ver: "1.0", complete: 0, nodes: [before] };
  await askOpenrtb(at.exchange, bannerRequest({ source: { schain } }));
  const own = { asi: "ads.example.com", sid: rows[0]?.uuid, hp: 1 };
  expect(buyer.requests[0]?.source?.schain).toEqual({ ...schain, nodes: [before, own] });
  expect(older.requests[0]?.source).toMatchObject({ ext: { schain: { ...schain, nodes: [before, own] } } });
  // Where a Prebid client has chains for single bidders, nobody can say that this one is complete.
  await askOpenrtb(at.exchange, bannerRequest({ ext: { prebid: { schains: [{ bidders: ["other"], schain }] } } }));
  expect(buyer.requests[1]?.source?.schain).toEqual({ ver: "1.0", complete: 0, nodes: [own] });
  const renamed = { asi: "sales.example", sid: "7", hp: 1 };
  expect(names.requests[0]?.source?.schain).toEqual({ ...schain, nodes: [before, renamed] });
});

test("a malformed request is refused with the path of its first fault", async () => {
  const cases: [unknown, string][] = [
    [{ ...bannerRequest(), imp: [{ id: "1", banner: { w: "wide" } }] }, "imp[0].banner.w"],
    [{ ...bannerRequest(), imp: [] }, "imp"],
    [{ ...bannerRequest(), site: { domain: "a.example" } }, "app"],
    [{ ...bannerRequest(), id: 1, app: { bundle: "nobody" } }, "id"],
    [[], "body"],
    [
      {
        ...bannerRequest(),
        imp: Array.from({ length: 101 }, (_, n) => ({ id: String(n), banner: { w: 320, h: 50 } })),
      },
      "imp",
    ],
  ];
  for (const [request, path] of cases) {
    const reply = await post(at.exchange, "/openrtb2/auction", request);
    expect(reply.statusCode).toBe(400);
    expect(Object.keys(reply.json<{ error: object }>().error)).toEqual([path]);
  }
  const broken = await at.exchange.app.inject({
    method: "POST",
    url: "/openrtb2/auction",
    payload: "{",
    headers: { "content-type": "application/json" },
  });
  expect([broken.statusCode, broken.json()]).toEqual([400, { error: { body: "is not readable JSON" } }]);
});

test("an unknown app or site gets a no-bid", async () => {
  await at.partner("buyer", bidsAt(2));
  for (const inventory of [
    { app: { bundle: "com.example.other" } },
    { app: undefined, site: { domain: "other.example" } },
    { app: undefined, dooh: { domain: "screens.example" } },
  ]) {
    expect(await askOpenrtb(at.exchange, bannerRequest(inventory))).toEqual({ id: "request-1", cur: "USD", nbr: 7 });
  }
});

test("a site is found by its domain as an app's bundle; an app is also found by its key", async () => {
  await at.partner("buyer", bidsAt(2));
  const keyed = await askOpenrtb(at.exchange, bannerRequest({ app: { id: at.app.uuid.toUpperCase() } }));
  expect(keyed.seatbid).toHaveLength(1);
  await at.stores.pg.pool.query("UPDATE apps SET bundle_id = 'news.example' WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  for (const site of [{ domain: "news.example" }, { page: "https://www.news.example/a?b" }]) {
    expect((await askOpenrtb(at.exchange, bannerRequest({ app: undefined, site }))).seatbid).toHaveLength(1);
  }
});

test("a screen is found by its key or its domain, and buyers get it as a screen", async () => {
  const buyer = await at.partner("buyer", bidsAt(2));
  await at.stores.pg.pool.query("UPDATE apps SET bundle_id = 'screens.example' WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  for (const dooh of [{ id: at.app.uuid }, { domain: "screens.example", venuetype: ["airport"] }]) {
    const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ app: undefined, dooh }));
    expect(seatbid).toHaveLength(1);
    expect(buyer.requests.at(-1)).toMatchObject({ dooh });
    expect(buyer.requests.at(-1)).not.toHaveProperty("app");
  }
});

test("native assets without ids reach buyers with ids, which their response can use", async () => {
  const answer = {
    link: { url: "https://shop.example/" },
    assets: [
      { id: 0, title: { text: "A title" } },
      { id: 1, img: { url: "https://cdn.example/main.png" } },
    ],
  };
  const buyer = await at.partner("buyer", bidsMarkup(JSON.stringify(answer), 4), { media_types: ["native"] });
  const request = JSON.stringify({ ver: "1.2", assets: [{ required: 1, title: { len: 90 } }, { img: { type: 3 } }] });
  const imp = [{ id: "imp-1", native: { request, ver: "1.2" } }];
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ imp }));
  const sent = JSON.parse(buyer.requests[0]?.imp[0]?.native?.request ?? "{}") as { assets?: { id?: number }[] };
  expect(sent.assets?.map(({ id }) => id)).toEqual([0, 1]);
  expect(seatbid).toHaveLength(1);
});

test("the request's tmax applies if it is shorter than the platform's deadline", async () => {
  await at.partner("silent", () => {});
  const from = performance.now();
  const response = await askOpenrtb(at.exchange, bannerRequest({ tmax: 40 }));
  expect(performance.now() - from).toBeLessThan(400);
  expect(response).toEqual({ id: "request-1", cur: "USD", nbr: 15 });
});

test("a gzipped body is read unless it unpacks beyond the limit", async () => {
  await at.partner("buyer", bidsAt(2));
  const send = (payload: Buffer, encoding = "gzip") =>
    at.exchange.app.inject({
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

test("another account's unmoderated app does not take over the bundle of a serving app", async () => {
  await at.partner("buyer", bidsAt(2));
  const { pool } = at.stores.pg;
  const stranger = await insertApp(at.stores, { bundleId: "com.example.late" });
  const late = await insertApp(at.stores, { bundleId: "com.example.late" });
  await pool.query("UPDATE apps SET moderation = 'check' WHERE id = $1", [stranger.id]);
  await at.partner("buyer", bidsAt(2), { of: late });
  expect((await askOpenrtb(at.exchange, bannerRequest({ app: { bundle: "com.example.late" } }))).seatbid).toHaveLength(
    1,
  );
});

test("an app with images only gets no video, even for an imp that accepts both", async () => {
  await at.stores.pg.pool.query("UPDATE apps SET only_image = true WHERE id = $1", [at.app.id]);
  const moving = await at.partner("moving", bidsMarkup(VIDEO_AD, 2));
  const still = await at.partner("still", bidsAt(1));
  const video = { mimes: ["video/mp4"], protocols: [2, 3, 7], w: 320, h: 50 };
  const imp = { id: "imp-1", banner: { format: [{ w: 320, h: 50 }] }, video };
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ imp: [imp] }));
  expect(seatbid?.map(({ seat }) => seat)).toEqual(["still"]);
  for (const { requests } of [moving, still]) expect(requests[0]?.imp[0]).not.toHaveProperty("video");
  expect((await askOpenrtb(at.exchange, bannerRequest({ imp: [{ id: "imp-1", video }] }))).seatbid).toBeUndefined();
});

test("buyers get the publisher's floor, so that nobody bids below it in vain", async () => {
  const { pool } = at.stores.pg;
  await pool.query("INSERT INTO floors (app_id, country, format, floor_micros) VALUES ($1, 'US', 'banner', 1500000)", [
    at.app.id,
  ]);
  const cheap = await at.partner("cheap", bidsAt(1));
  expect((await askOpenrtb(at.exchange, bannerRequest())).seatbid).toBeUndefined();
  expect(cheap.requests[0]?.imp[0]).toMatchObject({ bidfloor: 1.5, bidfloorcur: "USD" });
});

test.each(["GZIP", "x-gzip"])("a body in the coding %s, another name of gzip, is read", async (encoding) => {
  const reply = await at.exchange.app.inject({
    method: "POST",
    url: "/openrtb2/auction",
    headers: { "content-type": "application/json", "content-encoding": encoding },
    payload: gzipSync(JSON.stringify(bannerRequest())),
  });
  expect([reply.statusCode, reply.json<{ id: string }>().id]).toEqual([200, "request-1"]);
});

test("a byte order mark before a request and before a bidder's answer costs no ad", async () => {
  await at.partner("buyer", (request, reply, origin) => {
    const seatbid = [{ bid: [goodBid(request, origin, 2)] }];
    sendBody(reply, `\uFEFF${JSON.stringify({ id: request.id, seatbid })}`);
  });
  const payload = `\uFEFF${JSON.stringify(bannerRequest())}`;
  const reply = await at.exchange.app.inject({ method: "POST", url: "/openrtb2/auction", payload });
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { seatbid: [{ bid: [{ price: 2 }] }] }]);
});

test("phones that hide their advertising id are not taken for one busy device", { timeout: 120_000 }, async () => {
  await at.partner("buyer", bidsAt(2));
  for (let nth = 0; nth < 140; nth++) {
    const ifa = nth % 10 === 0 ? "" : "00000000-0000-0000-0000-000000000000";
    const device = { ip: `203.0.113.${nth}`, ifa, ua: "Mozilla/5.0 (iPhone)" };
    const response = await askOpenrtb(at.exchange, bannerRequest({ device, user: { id: "" } }));
    const { document } = new JSDOM(response.seatbid?.[0]?.bid[0]?.adm ?? "").window;
    await fire(at.exchange, document.querySelector("img")?.getAttribute("src") ?? "");
  }
  const events = await at.exchange.rows<{ invalid: string; device: string }>("events");
  expect(events.filter(({ invalid }) => invalid !== "")).toEqual([]);
  expect(new Set(events.map(({ device }) => device)).size).toBe(140);
});

test("a placeholder that clients send instead of an advertising id is nobody's id", async () => {
  await at.partner("buyer", bidsAt(2));
  const written = ["null", "undefined", "-1", "-2", "[IFA]", "%%ADVERTISING_IDENTIFIER_PLAIN%%", "${IFA}", "{{IFA}}"];
  for (const ifa of written) {
    for (const ip of ["203.0.113.1", "203.0.113.2"]) {
      const response = await askOpenrtb(
        at.exchange,
        bannerRequest({ device: { ip, ifa, ua: "Mozilla/5.0 (iPhone)" } }),
      );
      const { document } = new JSDOM(response.seatbid?.[0]?.bid[0]?.adm ?? "").window;
      await fire(at.exchange, document.querySelector("img")?.getAttribute("src") ?? "");
    }
  }
  const events = await at.exchange.rows<{ device: string }>("events");
  expect(events).toHaveLength(written.length * 2);
  expect(new Set(events.map(({ device }) => device)).size).toBe(2);
});

test.each([
  ["2.6", { rwdd: 1 }],
  ["2.5", { ext: { prebid: { is_rewarded_inventory: 1 } } }],
] as const)("an imp that is rewarded by OpenRTB %s has the publisher's floor for rewarded ads", async (_, marked) => {
  await at.stores.pg.pool.query("INSERT INTO floors (app_id, format, floor_micros) VALUES ($1, 'rewarded', 5000000)", [
    at.app.id,
  ]);
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 2));
  const video = { mimes: ["video/mp4"], protocols: [2, 3, 13], w: 640, h: 360 };
  const { seatbid } = await askOpenrtb(
    at.exchange,
    bannerRequest({ imp: [{ id: "imp-1", instl: 1, video, ...marked }] }),
  );
  expect(seatbid ?? []).toEqual([]);
  expect(buyer.requests[0]?.imp[0]).toMatchObject({ rwdd: 1, bidfloor: 5 });
  expect(await at.exchange.rows("auctions")).toMatchObject([{ format: "rewarded", floor_micros: "5000000" }]);
});

test("the hidden id of a publisher's phone, entered as a test device, makes no other phone one", async () => {
  const ifa = "00000000-0000-0000-0000-000000000000";
  await at.stores.pg.pool.query("UPDATE apps SET test_devices = $2 WHERE id = $1", [at.app.id, [ifa]]);
  await at.partner("buyer", bidsAt(2));
  const response = await askOpenrtb(at.exchange, bannerRequest({ device: { ip: "203.0.113.7", ifa } }));
  const { document } = new JSDOM(response.seatbid?.[0]?.bid[0]?.adm ?? "").window;
  await fire(at.exchange, document.querySelector("img")?.getAttribute("src") ?? "");
  expect(await at.exchange.rows("events")).toMatchObject([{ kind: "impression", invalid: "", revenue_micros: "1600" }]);
});
