import type { BidResponse } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsMarkup, goodBid, sendBids, VIDEO_AD } from "../testing/start-bidder.ts";
import { fire, post } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("a Prebid client gets bids of the partners it names, with its keys, in Prebid's format", async () => {
  const [one, two, three] = [
    await at.partner("one", bidsAt(1.37)),
    await at.partner("two", bidsAt(0.84)),
    await at.partner("three", bidsAt(5)),
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
  const reply = await post(at.exchange, "/openrtb2/auction", request, {
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
  const none = await askOpenrtb(at.exchange, {
    ...request,
    imp: [{ ...request.imp[0], ext: { prebid: { bidder: { ghost: {} } } } }],
  });
  expect(none).toMatchObject({ id: "request-1", seatbid: [], nbr: expect.any(Number) });
});

test("a Prebid client that caches gets an address for a video bid's VAST, for its player and ad server", async () => {
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const ask = async (vastxml: unknown, targeting: object | undefined = {}) => {
    const request = bannerRequest({
      imp: [{ id: "imp-1", video: { mimes: ["video/mp4"], protocols: [2, 3, 7], w: 640, h: 360 } }],
      ext: { prebid: { targeting, cache: { vastxml } } },
    });
    const bid = (await askOpenrtb(at.exchange, request)).seatbid?.[0]?.bid[0];
    return { adm: bid?.adm, prebid: bid?.ext?.["prebid"] as { cache?: { vastXml: { cacheId: string; url: string } } } };
  };
  const { adm, prebid } = await ask({});
  const { cacheId, url } = prebid.cache?.vastXml ?? { cacheId: "", url: "" };
  expect(url).toBe(`https://ads.example.com/cache?uuid=${cacheId}`);
  expect(prebid).toMatchObject({
    targeting: {
      hb_uuid: cacheId,
      hb_cache_host: "ads.example.com",
      hb_cache_path: "/cache",
      hb_uuid_video: cacheId,
    },
  });
  const played = await fire(at.exchange, url, { origin: "https://player.example" });
  expect(played.body).toBe(adm);
  expect(played.headers).toMatchObject({
    "content-type": "application/xml; charset=utf-8",
    "access-control-allow-origin": "https://player.example",
    "access-control-allow-credentials": "true",
  });
  expect((await fire(at.exchange, `${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`)).statusCode).toBe(404);
  at.exchange.clock.offsetMs = 3_601_000;
  expect((await fire(at.exchange, url)).statusCode).toBe(404);
  expect(await ask({ returnCreative: false })).toMatchObject({ adm: undefined, prebid: { cache: {} } });
  for (const odd of [undefined, null, true, "x", []]) {
    const answer = await ask(odd);
    expect(answer.adm).toContain("<VAST");
    expect(answer.prebid).not.toHaveProperty("cache");
  }
});

test("what a bidder says in its own ext.prebid reaches no client, so its video is played from our address", async () => {
  const named = {
    cache: { vastXml: { cacheId: "theirs", url: "https://bidder.example/vast?uuid=theirs" } },
    targeting: { hb_pb: "99.00", hb_uuid: "theirs" },
    events: { win: "https://bidder.example/win" },
    video: { duration: 5 },
  };
  await at.partner("video", (request, reply, origin) => {
    const bid = { ...goodBid(request, origin, 3), adm: VIDEO_AD, mtype: 2, w: undefined, h: undefined };
    sendBids(reply, request, [{ ...bid, ext: { prebid: named, dsa: { behalf: "b" } } }]);
  });
  const imp = [{ id: "imp-1", video: { mimes: ["video/mp4"], protocols: [2, 3, 7], w: 640, h: 360 } }];
  const extOf = async (ext: object) =>
    (await askOpenrtb(at.exchange, bannerRequest({ imp, ...ext }))).seatbid?.[0]?.bid[0]?.ext;
  expect(await extOf({ ext: { prebid: {} } })).toEqual({
    dsa: { behalf: "b" },
    origbidcpm: 3,
    origbidcur: "USD",
    prebid: { type: "video", meta: { advertiserDomains: ["shop.example"], networkName: "video" } },
  });
  expect(await extOf({ ext: { prebid: { targeting: {}, cache: { vastxml: {} } } } })).toMatchObject({
    prebid: {
      targeting: { hb_pb: "3.00" },
      cache: { vastXml: { url: expect.stringMatching(/^https:\/\/ads\.example\.com\//) } },
    },
  });
  expect(await extOf({})).toEqual({ dsa: { behalf: "b" } });
});

test("malformed ext.prebid values are ignored", async () => {
  await at.partner("buyer", bidsAt(2));
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
    expect((await post(at.exchange, "/openrtb2/auction", request)).statusCode).toBe(200);
  }
});

test("a partner that the publisher has switched off is not asked, even if a page brings keys for it", async () => {
  const off = await at.partner("off", bidsAt(5));
  await at.partner("on", bidsAt(1));
  await at.stores.pg.pool.query("UPDATE partner_keys SET enabled = false WHERE partner_id = 'off'");
  await at.exchange.exchange.reloadConfig();
  for (const keys of [{}, { placement: "mine" }]) {
    const ext = { prebid: { bidder: { off: keys, on: {} } } };
    const { seatbid } = await askOpenrtb(
      at.exchange,
      bannerRequest({ imp: [{ id: "imp-1", banner: { format: [{ w: 320, h: 50 }] }, ext }] }),
    );
    expect(seatbid?.map(({ seat }) => seat)).toEqual(["on"]);
  }
  expect(off.requests).toEqual([]);
});

test("a key that names a host leads to no host of our own network", async () => {
  const asked: unknown[] = [];
  const inside = await serveHttp((request, reply) => {
    asked.push(request.url);
    reply.end();
  });
  await at.partner("anywhere", bidsAt(1));
  await at.stores.pg.pool.query("UPDATE partners SET endpoint = 'http://{{Host}}/bid'");
  await at.exchange.exchange.reloadConfig();
  const { host, port } = new URL(inside);
  for (const Host of [host, `localhost:${port}`]) {
    const ext = { prebid: { bidder: { anywhere: { Host } } } };
    const imp = [{ id: "imp-1", banner: { format: [{ w: 320, h: 50 }] }, ext }];
    expect((await askOpenrtb(at.exchange, bannerRequest({ imp }))).seatbid).toEqual([]);
  }
  expect(asked).toEqual([]);
});
