import type { BidRequest, Imp } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { askOpenrtb } from "../testing/ask-openrtb.ts";
import { JSDOM } from "../testing/dom.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsMarkup, VIDEO_AD } from "../testing/start-bidder.ts";
import { ANDROID_UA, fire, post } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

/** What Prebid's SDK for apps sends for a place, with the app's key as account and the zone as stored imp. */
const mobileRequest = (imp: Partial<Imp>, { prebid, ...more }: { prebid?: object } & Partial<BidRequest> = {}) => ({
  id: "request-1",
  imp: [
    {
      id: "imp-1",
      displaymanager: "prebid-mobile",
      displaymanagerver: "3.1.0",
      clickbrowser: 1,
      instl: 0,
      secure: 1,
      ...imp,
      ext: { prebid: { storedrequest: { id: "lobby" } }, gpid: "/1234/lobby" },
    },
  ],
  app: { bundle: "com.example.unheard", ext: { prebid: { source: "prebid-mobile", version: "3.1.0" } } },
  device: { ua: ANDROID_UA, ip: "8.8.8.8", os: "Android", lmt: 0 },
  regs: { ext: {} },
  user: { ext: {} },
  source: { tid: "t-1" },
  ext: {
    prebid: {
      storedrequest: { id: at.app.uuid },
      cache: { bids: {}, vastxml: {} },
      targeting: {},
      ...prebid,
    },
  },
  ...more,
});

const BANNER = { banner: { format: [{ w: 320, h: 50 }], api: [3, 5, 6] } };

/** What the best bid's `ext.prebid` says. */
interface Told {
  targeting: Record<string, string>;
  cache?: { bids?: { cacheId: string; url: string }; vastXml?: { cacheId: string; url: string } };
}

async function bidsFor(request: object) {
  const response = await askOpenrtb(at.exchange, request);
  const seats = response.seatbid?.map(({ seat, bid }) => ({ seat, bid: bid[0] ?? expect.fail() })) ?? [];
  return seats.map(({ seat, bid }) => ({ seat, bid, told: bid.ext?.["prebid"] as Told }));
}

test("an app with Prebid's SDK is found by its account's id, and its zone by the stored imp's", async () => {
  await at.partner("buyer", bidsAt(1.37));
  expect(await bidsFor(mobileRequest(BANNER))).toMatchObject([{ seat: "buyer" }]);
  const stranger = mobileRequest(BANNER, { prebid: { storedrequest: { id: "somebody" } } });
  expect(await bidsFor(stranger)).toEqual([]);
  expect(await at.exchange.rows("auctions")).toMatchObject([{ zone: "lobby", winner: "buyer" }]);
});

test("a null in a field that the client does not know is no reason to refuse its request, also in the video of a stored imp", async () => {
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const request = {
    ...mobileRequest({}),
    imp: mobileRequest({}).imp.map((imp) => ({
      ...imp,
      bidfloor: null,
      video: { mimes: null, w: 640, h: 360, protocols: [2, 3, 7] },
    })),
    device: { ua: ANDROID_UA, ip: "8.8.8.8", ifa: null, geo: null },
    bcat: null,
  };
  expect(await bidsFor(request)).toMatchObject([{ seat: "buyer" }]);
  expect(buyer.requests[0]?.device).not.toHaveProperty("ifa");
  expect(buyer.requests[0]?.imp[0]?.video?.mimes).toEqual(["video/mp4"]);
});

test("the best bid gets the cache's keys, by which an ad server's creative loads it with our markup", async () => {
  await at.partner("buyer", bidsAt(1.37));
  await at.partner("other", bidsAt(0.84));
  const [best, second] = await bidsFor(mobileRequest(BANNER));
  const { cacheId, url } = best?.told.cache?.bids ?? expect.fail();
  expect(best?.told.targeting).toEqual({
    hb_pb: "1.30",
    hb_pb_buyer: "1.30",
    hb_bidder: "buyer",
    hb_bidder_buyer: "buyer",
    hb_size: "320x50",
    hb_size_buyer: "320x50",
    hb_cache_id: cacheId,
    hb_cache_id_buyer: cacheId,
    hb_cache_host: "ads.example.com",
    hb_cache_host_buyer: "ads.example.com",
    hb_cache_path: "/cache",
    hb_cache_path_buyer: "/cache",
    hb_env: "mobile-app",
    hb_env_buyer: "mobile-app",
  });
  expect(url).toBe(`https://ads.example.com/cache?uuid=${cacheId}`);
  const loaded = await fire(at.exchange, url, { origin: "null" });
  expect(loaded.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "access-control-allow-origin": "null",
  });
  expect(loaded.json()).toMatchObject({ price: 1.37, w: 320, h: 50, adm: best?.bid.adm });
  expect(second).toMatchObject({ seat: "other", told: { targeting: { hb_pb_other: "0.80" } } });
  expect(second?.told).not.toHaveProperty("cache");
});

const MRAID_AD = `<script src="mraid.js"></script><b>expand me</b>`;

test("an ad of MRAID runs in the app's own container where the place has one, which no frame of ours keeps from it", async () => {
  await at.partner("buyer", bidsMarkup(MRAID_AD, 1));
  const adFor = async (api: number[]) => {
    const [best] = await bidsFor(mobileRequest({ banner: { format: [{ w: 320, h: 50 }], api } }));
    const { body } = new JSDOM(`<body>${best?.bid.adm}`).window.document;
    return {
      html: body.innerHTML,
      attribute: (of: string, name: string) => body.querySelector(of)?.getAttribute(name),
    };
  };
  const bare = await adFor([3, 5, 6]);
  expect(bare.attribute("script", "src")).toBe("mraid.js");
  expect(bare.attribute("iframe", "srcdoc")).toBeUndefined();
  expect(bare.html).not.toContain("/beacon/click");
  await fire(at.exchange, bare.attribute("img", "src") ?? "");
  expect(await at.exchange.rows("events")).toMatchObject([{ kind: "impression", provider: "buyer", invalid: "" }]);
  const framed = await adFor([7]);
  expect(framed.attribute("script", "src")).toBeUndefined();
  expect(framed.attribute("iframe", "sandbox")).not.toContain("same-origin");
});

test("a client that sends its ad server all bids gets an address for each", async () => {
  await at.partner("buyer", bidsAt(1.37));
  await at.partner("other", bidsAt(0.84));
  const bids = await bidsFor(mobileRequest(BANNER, { prebid: { targeting: { includebidderkeys: true } } }));
  const ids = bids.map(({ seat, told }) => told.targeting[`hb_cache_id_${seat}`.slice(0, 20)]);
  expect(new Set(ids)).toEqual(new Set(bids.map(({ told }) => told.cache?.bids?.cacheId)));
  expect(ids).toHaveLength(2);
});

test("a client that caches bids may have their markup left out of the response", async () => {
  await at.partner("buyer", bidsAt(1.37));
  const [best] = await bidsFor(mobileRequest(BANNER, { prebid: { cache: { bids: { returnCreative: false } } } }));
  expect(best?.bid).not.toHaveProperty("adm");
  const loaded = await fire(at.exchange, best?.told.cache?.bids?.url ?? "");
  expect(loaded.json()).toMatchObject({ adm: expect.stringContaining("<") });
});

test("the video of a stored imp, which names no file types, is sold as MP4, with an address of its own for the player", async () => {
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const [best] = await bidsFor(mobileRequest({ video: { w: 640, h: 360, protocols: [2, 3, 7] } as never }));
  expect(buyer.requests[0]?.imp[0]?.video?.mimes).toEqual(["video/mp4"]);
  const { bids, vastXml } = best?.told.cache ?? {};
  expect(best?.told.targeting).toMatchObject({ hb_uuid: vastXml?.cacheId, hb_cache_id: bids?.cacheId });
  expect((await fire(at.exchange, vastXml?.url ?? "")).body).toBe(best?.bid.adm);
});

test.each([null, [], "x", [null], [{ video: 5 }], [{ id: "1", video: {} }]])(
  "imps like %j are refused as without Prebid",
  async (imp) => {
    const reply = await post(at.exchange, "/openrtb2/auction", { ...mobileRequest(BANNER), imp });
    expect(reply.statusCode).toBe(400);
  },
);

test("the status that Prebid's SDK asks for when it starts is the exchange's", async () => {
  const status = await fire(at.exchange, "https://ads.example.com/status");
  expect([status.statusCode, status.json()]).toEqual([200, { application: { status: "ok" } }]);
});

test("each call for the status or a cached document counts once toward the limit of its address", async () => {
  await at.restart({ limits: { beacon: { burst: 4, perSecond: 0.01 } } });
  const statuses: number[] = [];
  for (const path of ["status", "status", "cache?uuid=x", "cache?uuid=x", "status"])
    statuses.push((await fire(at.exchange, `https://ads.example.com/${path}`)).statusCode);
  expect(statuses).toEqual([200, 200, 404, 404, 429]);
});

const SEGMENTS = [{ name: "own.example", segment: [{ id: "s" }] }];

test("an alias is told the app's own data if the data's bidders have the alias, and a partner's id in any case", async () => {
  const buyer = await at.partner("buyer", bidsAt(1.37));
  const asked = mobileRequest(BANNER, {
    prebid: { aliases: { listed: "buyer", other: "buyer" }, data: { bidders: ["listed", "BUYER"] } },
    user: { id: "u", data: SEGMENTS },
  });
  const bidder = { buyer: { placement: "buyer" }, listed: { placement: "listed" }, other: { placement: "other" } };
  await bidsFor({ ...asked, imp: asked.imp.map((imp) => ({ ...imp, ext: { prebid: { bidder } } })) });
  const told = buyer.requests.map(({ imp: [imp], user }) => [imp?.tagid, user?.data]);
  expect(new Map(told as [string, unknown][])).toEqual(
    new Map([
      ["buyer", SEGMENTS],
      ["listed", SEGMENTS],
      ["other", undefined],
    ]),
  );
});

test.each<[unknown, string[]]>([
  [undefined, ["listed", "other"]],
  [["listed"], ["listed"]],
  [[], []],
  ["listed", []],
])(
  "with the data's bidders %j, the app's own data about its user and content reaches only %j",
  async (bidders, told) => {
    const all = [await at.partner("listed", bidsAt(1.37)), await at.partner("other", bidsAt(0.84))];
    const ext = { data: { level: ["9"] }, consented: 1 };
    await bidsFor(
      mobileRequest(BANNER, {
        prebid: { data: { bidders } },
        app: { bundle: "com.example.unheard", content: { title: "Tide", data: SEGMENTS }, ext },
        user: { id: "u", data: SEGMENTS, ext },
      }),
    );
    const [listed, other] = all.map(({ requests: [sent] }) => sent ?? expect.fail());
    for (const [name, sent] of Object.entries({ listed, other })) {
      const data = told.includes(name) ? { data: SEGMENTS } : {};
      expect(sent?.app?.content).toEqual({ title: "Tide", ...data });
      expect(sent?.user?.data).toEqual(data.data);
      const ofApp = [sent?.app?.ext, sent?.user?.ext].map((own) => [own?.["data"], own?.["consented"]]);
      const known = told.includes(name) ? ext.data : undefined;
      expect(ofApp).toEqual([
        [known, 1],
        [known, 1],
      ]);
    }
  },
);

test("keys of a bidder for all imps are completed by an imp's own", async () => {
  const buyer = await at.partner("buyer", bidsAt(1.37));
  const request = mobileRequest(BANNER, { prebid: { bidderparams: { buyer: { placement: "all", extra: 1 }, x: 3 } } });
  const [imp] = request.imp;
  const named = (keys: object) => ({ ...request, imp: [{ ...imp, ext: { prebid: { bidder: { buyer: keys } } } }] });
  await bidsFor(named({}));
  await bidsFor(named({ placement: "own" }));
  expect(buyer.requests.map(({ imp: [asked] }) => asked?.tagid)).toEqual(["all", "own"]);
});
