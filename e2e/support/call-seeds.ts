import type * as contract from "@millrace/contract";
import type { Seed } from "./hostile-requests.ts";

type Contract = typeof contract;
/** The name of every call of the contract: one that is added and has no seed below does not compile. */
export type CallName = {
  [K in keyof Contract]: Contract[K] extends { method: string; path: string; access: unknown } ? K : never;
}[keyof Contract];

const APP = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";

/** A well-formed request to every call; `session` is a running one, so that what is malformed gets past the door. */
export function callSeeds({ app, session }: { app: string; session: string }): Record<CallName, Seed> {
  const device = {
    os: "android",
    osv: "15",
    make: "Pixel",
    model: "9",
    ua: "Mozilla/5.0",
    ifa: APP,
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
  const filter = { ds: "2025-01-01", de: "2025-01-31", provider: "lab-steady", format: "banner", country: "US" };
  const stats = { ...filter, func: "totals", metrics: "revenue", view: "date", order: "name", order_type: "asc" };
  const token = "1.WzEsImEiXQ.AAAAAAAAAAAAAAAAAAAAAA";
  return {
    login: {
      method: "POST",
      path: "/login.json",
      body: { email: "nobody@example.com", password: "wrong-password", redirect_to: "/apps" },
    },
    logout: { method: "GET", path: "/logout" },
    session: { method: "GET", path: "/session.json" },
    demoConfig: { method: "GET", path: "/demo/config.json" },
    demoMailbox: { method: "GET", path: "/demo/mail" },
    demoMail: { method: "GET", path: "/demo/mail/20300102T030405678Z-0123456789abcdef" },
    listApps: {
      method: "GET",
      path: "/apps.json",
      query: { ...filter, app_id: "1", search: "a", order: "name", order_type: "asc", p: "0" },
    },
    dashFilters: { method: "GET", path: "/apps/dash_filters.json" },
    appStats: { method: "GET", path: `/apps/${app}/stats.json`, query: stats },
    appStatsCsv: { method: "GET", path: `/apps/${app}/stats.csv`, query: stats },
    explainAuction: { method: "GET", path: `/auctions/${APP}.json` },
    sdkInit: {
      method: "POST",
      path: "/sdk/v1/init",
      body: { app, platform: "android", sdk: "1.0.0", install: APP, device, consent },
    },
    sdkAd: {
      method: "POST",
      path: "/sdk/v1/ad",
      body: { session, zone: "malformed", format: "banner", w: 320, h: 50, device, consent },
    },
    sdkPing: { method: "POST", path: "/sdk/v1/ping", body: { session, seq: 1, seconds: 30 } },
    impressionBeacon: { method: "GET", path: "/beacon/impression", query: { t: token } },
    impressionBeaconPost: { method: "POST", path: "/beacon/impression", query: { t: token } },
    clickBeacon: { method: "GET", path: "/beacon/click", query: { t: token, to: "https://shop.example/", s: "AAAA" } },
    lossBeacon: { method: "GET", path: "/beacon/loss", query: { t: token, e: "303" } },
    openrtbAuction: { method: "POST", path: "/openrtb2/auction", body: bidRequest(app) },
    vastTag: {
      method: "GET",
      path: "/vast",
      query: {
        app,
        zone: "malformed",
        format: "video",
        w: "640",
        h: "360",
        max: "30",
        ifa: APP,
        lmt: "0",
        gdpr: "0",
        us_privacy: "1YNN",
        coppa: "0",
      },
    },
  };
}

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
    ifa: APP,
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
