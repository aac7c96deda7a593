import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { ANDROID_UA } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("an empty text in the device says no more than a missing field, and is completed like one", async () => {
  const buyer = await at.partner("buyer", bidsAt(1));
  const empty = { ua: "", ip: "", ipv6: "", os: "", osv: "", make: "", model: "", ifa: "", geo: { country: "" } };
  await askOpenrtb(at.exchange, bannerRequest({ device: empty }));
  expect(buyer.requests[0]?.device).toMatchObject({ ua: ANDROID_UA, ip: "127.0.0.1", os: "Android", osv: "14" });
});

test("devices with an IPv6 address and an empty IPv4 one are told apart, and have countries", async () => {
  await at.partner("buyer", bidsAt(1));
  for (const ipv6 of ["2001:4860:4860::8888", "2001:4860:4860::8844"])
    await askOpenrtb(at.exchange, bannerRequest({ device: { ua: ANDROID_UA, ip: "", ipv6, geo: { country: "" } } }));
  const rows = await at.exchange.rows<{ device: string; country: string }>("auctions");
  expect(rows.map(({ country }) => country)).toEqual(["US", "US"]);
  expect(new Set(rows.map(({ device }) => device)).size).toBe(2);
});

test("an imp with an empty tagid is sold in the zone that its other ids name", async () => {
  await at.partner("buyer", bidsAt(1));
  const imp = [{ id: "1", tagid: "", banner: { w: 320, h: 50 }, ext: { gpid: "/1234/lobby" } }];
  await askOpenrtb(at.exchange, bannerRequest({ imp }));
  expect(await at.exchange.rows("auctions")).toMatchObject([{ zone: "_1234_lobby" }]);
});
