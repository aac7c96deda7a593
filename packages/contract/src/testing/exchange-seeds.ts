import { NOBODY, type SeedIds, type SeedParts } from "./seed-ids.ts";

/** Requests from devices, players and servers, and about auctions. */
export const exchangeSeeds = ({ app, sdkSession: session, auction }: SeedIds) => {
  const device = {
    os: "android",
    osv: "15",
    make: "Pixel",
    model: "9",
    ua: "Mozilla/5.0",
    ifa: NOBODY,
    lmt: 0,
    language: "en",
    w: 1080,
    h: 2400,
    pxratio: 2.5,
    connectiontype: 2,
  };
  const consent = {
    gdpr: 1,
    tcf: "CPokAsAPokAsAABABAENB4CgAAAAAAAAAAYgAAAAAAAA",
    us_privacy: "1YNN",
    gpp: "DBAA",
    gpp_sid: [2],
    coppa: 0,
  };
  const token = "1.WzEsImEiXQ.AAAAAAAAAAAAAAAAAAAAAA";
  return {
    explainAuction: { params: { id: auction } },
    listRequests: { params: { id: app }, query: { outcome: "no_ad", rows: "10" } },
    appImpressions: { params: { id: app }, query: { day: "2024-11-19", after: "1732010401000~iAAAA", rows: "10" } },
    sdkInit: { body: { app, platform: "android", sdk_version: "1.0.0", install_id: NOBODY, device, consent } },
    sdkAd: { body: { session, zone: "malformed", format: "banner", w: 320, h: 50, test: 0, device, consent } },
    sdkDebug: { body: { token, auctions: [auction] } },
    sdkPing: { body: { session, seq: 1, seconds: 30 } },
    sdkEvents: {
      body: {
        events: [
          { type: "impression", token },
          { type: "ping", session, seq: 2, seconds: 30 },
        ],
      },
    },
    impressionBeacon: { query: { t: token } },
    impressionBeaconPost: { query: { t: token } },
    clickBeacon: { query: { t: token, to: "https://shop.example/", s: "AAAA" } },
    lossBeacon: { query: { t: token, e: "303" } },
    rewardBeacon: { query: { t: token } },
    playerBeacon: { query: { t: token, e: "start" } },
    openrtbAuction: { body: bidRequest(app) },
    auctionStatus: {},
    cachedMarkup: { query: { uuid: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" } },
    vastTag: {
      query: {
        app,
        zone: "malformed",
        format: "video",
        w: "640",
        h: "360",
        max: "30",
        ifa: NOBODY,
        lmt: "0",
        gdpr: "0",
        us_privacy: "1YNN",
        coppa: "0",
      },
    },
  } satisfies Record<string, SeedParts>;
};

/** Touches every object of OpenRTB 2.6 that the exchange reads. */
const bidRequest = (app: string) => ({
  id: "a-request",
  tmax: 100,
  at: 1,
  cur: ["USD"],
  test: 0,
  imp: [
    {
      id: "1",
      tagid: "malformed",
      bidfloor: 0.1,
      bidfloorcur: "USD",
      secure: 1,
      banner: { w: 320, h: 50, format: [{ w: 320, h: 50 }], battr: [1], pos: 1, api: [5], mimes: ["text/html"] },
      pmp: { private_auction: 0, deals: [{ id: "deal", bidfloor: 1, at: 1, wseat: ["s"] }] },
      ext: { prebid: { bidder: { "lab-steady": { placement: "x" } } } },
    },
    {
      id: "2",
      video: { mimes: ["video/mp4"], minduration: 5, maxduration: 30, protocols: [2, 3, 7], w: 640, h: 360, plcmt: 1 },
    },
    { id: "3", audio: { mimes: ["audio/mpeg"], minduration: 5, maxduration: 30, protocols: [9] } },
    { id: "4", native: { request: '{"ver":"1.2","assets":[{"id":1,"required":1,"title":{"len":50}}]}', ver: "1.2" } },
  ],
  app: {
    id: app,
    bundle: "app.example",
    name: "App",
    cat: ["IAB1"],
    publisher: { id: "1", name: "P" },
    content: { genre: "games" },
  },
  device: {
    ua: "Mozilla/5.0",
    ip: "192.0.2.1",
    ipv6: "2001:db8::1",
    os: "android",
    osv: "15",
    ifa: NOBODY,
    lmt: 0,
    dnt: 0,
    devicetype: 4,
    w: 1080,
    h: 2400,
    pxratio: 2.5,
    geo: { country: "USA", region: "CA", lat: 1.5, lon: 2.5, type: 2 },
    sua: { browsers: [{ brand: "x", version: ["1"] }] },
  },
  user: {
    id: "u",
    buyeruid: "b",
    consent: "CPok",
    eids: [{ source: "x.test", uids: [{ id: "1", atype: 1 }] }],
    data: [{ id: "1", segment: [{ id: "s" }] }],
  },
  regs: { coppa: 0, gdpr: 1, us_privacy: "1YNN", gpp: "DBAA", gpp_sid: [2] },
  source: { fd: 0, tid: "t", schain: { ver: "1.0", complete: 1, nodes: [{ asi: "x.test", sid: "1", hp: 1 }] } },
  bcat: ["IAB25"],
  badv: ["bad.test"],
  bapp: ["com.bad"],
  ext: { prebid: { targeting: {} } },
});
