import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { JSDOM } from "../testing/dom.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { type EventRow, fire, post } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const adjusted = (bidadjustmentfactors: unknown, prebid: object = {}) =>
  bannerRequest({ ext: { prebid: { targeting: { pricegranularity: "high" }, bidadjustmentfactors, ...prebid } } });

test("a client's factors change what it is told of bidders' prices, and which bid is best, but not what is paid", async () => {
  await at.partner("gross", bidsAt(2));
  await at.partner("net", bidsAt(1.5));
  const { seatbid = [] } = await askOpenrtb(at.exchange, adjusted({ gross: 0.7, ghost: 3 }));
  const told = seatbid.map(({ seat, bid: [bid] }) => [
    seat,
    bid?.price,
    bid?.ext?.["origbidcpm"],
    bid?.ext?.["prebid"],
  ]);
  expect(told).toMatchObject([
    ["net", 1.5, 1.5, { targeting: { hb_pb: "1.50", hb_bidder: "net" } }],
    ["gross", 1.4, 2, { targeting: { hb_pb_gross: "1.40" } }],
  ]);
  expect(told[1]?.[3]).not.toHaveProperty("targeting.hb_pb");
  const { document } = new JSDOM(seatbid[1]?.bid[0]?.adm ?? "").window;
  await fire(at.exchange, document.querySelector("img")?.getAttribute("src") ?? "");
  expect(await at.exchange.rows<EventRow>("events")).toMatchObject([{ provider: "gross", gross_micros: "2000" }]);
});

test("a factor is of the name that the request has for a bidder, whatever the case of its letters", async () => {
  await at.partner("buyer", bidsAt(2));
  const imp = [{ id: "1", banner: { w: 320, h: 50 }, ext: { prebid: { bidder: { Second: {} } } } }];
  const request = adjusted({ second: 0.5, buyer: 0.9 }, { aliases: { Second: "buyer" } });
  const { seatbid } = await askOpenrtb(at.exchange, { ...request, imp });
  expect(seatbid).toMatchObject([{ seat: "Second", bid: [{ price: 1 }] }]);
});

test.each([0, -1, "0.5", null, true])("the factor %j is refused by name", async (factor) => {
  const reply = await post(at.exchange, "/openrtb2/auction", adjusted({ buyer: factor }));
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toEqual({ error: { "ext.prebid.bidadjustmentfactors.buyer": "must be a positive number" } });
});

test.each([null, 7, [], "x"])("factors like %j are ignored, as other malformed parts are", async (factors) => {
  await at.partner("buyer", bidsAt(2));
  expect(await askOpenrtb(at.exchange, adjusted(factors))).toMatchObject({ seatbid: [{ bid: [{ price: 2 }] }] });
});
