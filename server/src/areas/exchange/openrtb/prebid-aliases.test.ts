import type { BidResponse, Imp } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { JSDOM } from "../testing/dom.ts";
import { bidsAt, goodBid, sendBids } from "../testing/start-bidder.ts";
import { fire, post } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

/** A request whose imps name partners with keys. */
const namingRequest = (aliases: unknown, bidders: object[], more: object = {}) =>
  bannerRequest({
    imp: bidders.map((bidder, index): Imp => ({
      id: `imp-${index + 1}`,
      banner: { format: [{ w: 320, h: 50 }] },
      ext: { prebid: { bidder } },
    })),
    ext: { prebid: { aliases, targeting: {} } },
    ...more,
  });

test("an alias is its partner, asked with the alias's keys and named by the alias in the response", async () => {
  const buyer = await at.partner("buyer", bidsAt(1.37));
  const user = { ext: { prebid: { buyeruids: { other: "known-as" } } } };
  const response = await askOpenrtb(
    at.exchange,
    namingRequest({ other: "buyer" }, [{ other: { placement: "theirs" } }], { user }),
  );
  expect(response.seatbid).toMatchObject([
    {
      seat: "other",
      bid: [{ ext: { prebid: { targeting: { hb_bidder: "other", hb_pb_other: "1.30" } } } }],
    },
  ]);
  expect(response.ext).toMatchObject({ responsetimemillis: { other: expect.any(Number) } });
  expect(response.ext).not.toHaveProperty("errors");
  expect(buyer.requests).toMatchObject([{ imp: [{ tagid: "theirs" }], user: { buyeruid: "known-as" } }]);
});

test("a partner named by its id and by aliases gets one call for each name, and its impressions are its own", async () => {
  const buyer = await at.partner("buyer", (request, reply, origin) => {
    const price = request.imp[0]?.tagid === "first" ? 1 : 2;
    sendBids(
      reply,
      request,
      request.imp.map(({ id }) => ({ ...goodBid(request, origin, price), id: `${price}-${id}`, impid: id })),
    );
  });
  const response = await askOpenrtb(
    at.exchange,
    namingRequest({ second: "buyer", unused: "buyer" }, [
      { buyer: { placement: "first" }, second: { placement: "second" } },
      { second: { placement: "second" } },
    ]),
  );
  const asked = buyer.requests.map(({ imp }) => imp.map(({ id, tagid }) => [id, tagid]));
  expect(asked.toSorted((a, b) => a.length - b.length)).toEqual([
    [["imp-1", "first"]],
    [
      ["imp-1", "second"],
      ["imp-2", "second"],
    ],
  ]);
  const prices = response.seatbid?.map(({ seat, bid }) => [seat, bid.map(({ impid, price }) => [impid, price])]);
  expect(new Map(prices as [string, unknown][])).toEqual(
    new Map([
      ["buyer", [["imp-1", 1]]],
      [
        "second",
        [
          ["imp-1", 2],
          ["imp-2", 2],
        ],
      ],
    ]),
  );
  const best = response.seatbid?.find(({ seat }) => seat === "second")?.bid[0];
  const { document } = new JSDOM(best?.adm ?? "").window;
  await fire(at.exchange, document.querySelector("img")?.getAttribute("src") ?? "");
  expect(await at.exchange.rows("events")).toMatchObject([{ provider: "buyer", gross_micros: "2000" }]);
  expect(await at.exchange.rows("auctions")).toMatchObject([
    { asked: ["buyer"], winner: "buyer" },
    { asked: ["buyer"], winner: "buyer" },
  ]);
});

test("invalid keys under one name cost the partner's other name nothing", async () => {
  const buyer = await at.partner("buyer", bidsAt(2));
  const response = await askOpenrtb(
    at.exchange,
    namingRequest({ wrong: "buyer" }, [{ wrong: { placement: "long".repeat(100) }, buyer: { placement: "right" } }]),
  );
  expect(response.seatbid?.map(({ seat }) => seat)).toEqual(["buyer"]);
  expect(buyer.requests).toMatchObject([{ imp: [{ tagid: "right" }] }]);
});

test.each<[unknown, string, string]>([
  [{ other: "ghost" }, "ext.prebid.aliases.other", "refers to an unknown bidder: ghost"],
  [{ other: 7 }, "ext.prebid.aliases.other", "must be the name of a bidder"],
  [{ buyer: "buyer" }, "ext.prebid.aliases.buyer", "is a bidder's own name: choose a different alias"],
  [{ seller: "buyer" }, "ext.prebid.aliases.seller", "is a bidder's own name: choose a different alias"],
  [{ one: "two", two: "buyer" }, "ext.prebid.aliases.one", "refers to an unknown bidder: two"],
  [
    { a: "buyer", b: "buyer", c: "buyer", d: "buyer", e: "buyer", f: "buyer" },
    "ext.prebid.aliases.f",
    "is one of more than 5 aliases of buyer",
  ],
])("the aliases %j are refused at %s: it %s", async (aliases, path, message) => {
  const buyer = await at.partner("buyer", bidsAt(2));
  await at.partner("seller", bidsAt(1));
  const reply = await post(at.exchange, "/openrtb2/auction", namingRequest(aliases, [{ buyer: {} }]));
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toEqual({ error: { [path]: message } });
  expect(buyer.requests).toEqual([]);
});

test("an alias of a partner that the publisher has switched off is not asked", async () => {
  const off = await at.partner("off", bidsAt(5));
  await at.stores.pg.pool.query("UPDATE partner_keys SET enabled = false WHERE partner_id = 'off'");
  await at.exchange.exchange.reloadConfig();
  for (const keys of [{}, { placement: "mine" }]) {
    const response: BidResponse = await askOpenrtb(at.exchange, namingRequest({ other: "off" }, [{ other: keys }]));
    expect(response.seatbid).toEqual([]);
  }
  expect(off.requests).toEqual([]);
});
