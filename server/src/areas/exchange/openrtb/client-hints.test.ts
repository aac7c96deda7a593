import type { Device } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { ANDROID_UA, askForAd, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const REDUCED =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36";
const sua = { platform: { brand: "Android", version: ["15", "0", "0"] }, model: "Pixel 9", mobile: 1 };
const hinted = { "user-agent": REDUCED, "sec-ch-ua-platform-version": '"16.0.0"' };

test.each<[string, Device, Record<string, string>, Partial<Device>]>([
  ["of the request", { ua: REDUCED, sua }, hinted, { os: "Android", osv: "15.0.0", model: "Pixel 9" }],
  ["of the browser", { ua: REDUCED }, hinted, { os: "Android", osv: "16.0.0" }],
  ["of the browser", {}, hinted, { os: "Android", osv: "16.0.0" }],
  ["without a user agent", { sua }, { "user-agent": "server/1" }, { os: "Android", osv: "15.0.0", model: "Pixel 9" }],
  ["of the request", { ua: ANDROID_UA, os: "Android", sua }, hinted, { osv: "14" }],
  ["of the request", { ua: REDUCED, sua, os: "Android", osv: "13", devicetype: 4 }, hinted, { osv: "13" }],
  ["of the request", { ua: REDUCED, sua, os: "Android", devicetype: 4 }, hinted, { osv: "15.0.0" }],
])("what a user agent no longer tells is read from the client hints %s: %j", async (_, device, headers, told) => {
  const buyer = await at.partner("buyer", bidsAt(1));
  await askOpenrtb(at.exchange, bannerRequest({ device: { ip: "8.8.8.8", ...device } }), headers);
  expect(buyer.requests[0]?.device).toMatchObject(told);
});

test("a reduced user agent without hints tells no version, and a server's hints are not its device's", async () => {
  const buyer = await at.partner("buyer", bidsAt(1));
  const device = { ip: "8.8.8.8", ua: REDUCED };
  for (const headers of [{}, { ...hinted, "user-agent": "server/1" }, { ...hinted, "sec-ch-ua-platform-version": "x" }])
    await askOpenrtb(at.exchange, bannerRequest({ device }), headers);
  expect(buyer.requests.map((request) => request.device?.osv)).toEqual([undefined, undefined, undefined]);
  expect(buyer.requests[0]?.device).not.toHaveProperty("model");
});

test("the SDK's browser is asked by its hints as well", async () => {
  const buyer = await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  await askForAd(at.exchange, session, { device: { os: "android", ua: REDUCED } }, hinted);
  expect(buyer.requests[0]?.device).toMatchObject({ os: "android", osv: "16.0.0" });
});
