import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { type Behaviour, bidsAt, goodBid, sendBids } from "../testing/start-bidder.ts";
import { BREAKER } from "./breaker.ts";

const at = await exchangeForEachTest();

const answersWith =
  (status: number): Behaviour =>
  (_, reply) =>
    void reply.writeHead(status).end();

/** A banner request with so many imps, each with these keys. */
const asking = (imps: number, bidder?: Record<string, object>) =>
  bannerRequest({
    imp: Array.from({ length: imps }, (_, nth) => ({
      id: `imp-${nth}`,
      banner: { format: [{ w: 320, h: 50 }] },
      ...(bidder && { ext: { prebid: { bidder } } }),
    })),
  });

/** Whether the partner is asked with the app's own keys, in a zone that no other auction has. */
async function isAsked(id: string, zone = "own"): Promise<boolean> {
  const imp = bannerRequest().imp.map((each) => ({ ...each, tagid: zone }));
  await askOpenrtb(at.exchange, bannerRequest({ imp }));
  const auctions = await at.exchange.rows<{ zone: string; asked: string[] }>("auctions");
  const [auction, ...others] = auctions.filter((row) => row.zone === zone);
  expect([auction?.zone, others]).toEqual([zone, []]);
  return auction?.asked.includes(id) === true;
}

/** As many auctions as open a breaker if each fails. */
async function askOften(request: object): Promise<void> {
  for (let sent = 0; sent < BREAKER.consecutive; sent++) await askOpenrtb(at.exchange, request);
}

test("a caller that gives a partner no time does not pause it", async () => {
  await at.partner("prompt", (request, reply, origin) => {
    setTimeout(() => sendBids(reply, request, [goodBid(request, origin, 2)]), 15);
  });
  await askOften(bannerRequest({ tmax: 1 }));
  const auctions = await at.exchange.rows<{ outcomes: string[] }>("auctions");
  expect(auctions.map(({ outcomes }) => outcomes)).toEqual(auctions.map(() => ["timeout"]));
  expect(await isAsked("prompt")).toBe(true);
});

test("calls with a request's own keys that fail do not pause a partner, and those with the app's do", async () => {
  let isBroken = false;
  await at.partner("picky", (request, reply, origin) => {
    if (request.imp[0]?.tagid === "of-a-stranger" || isBroken) reply.writeHead(500).end();
    else sendBids(reply, request, [goodBid(request, origin, 2)]);
  });
  await askOften(asking(1, { picky: { placement: "of-a-stranger" } }));
  expect(await isAsked("picky")).toBe(true);
  isBroken = true;
  await askOften(asking(1));
  expect(await isAsked("picky", "when-broken")).toBe(false);
});

test("a host made from keys that nothing answers at pauses nobody, even if it is called for twenty imps at once", async () => {
  const keys = { host: "here", path: "rtb", seller_id: "1" };
  await at.partner("bidmachine", bidsAt(2), { kind: "bidmachine", keys });
  // No such top-level domain exists (RFC 2606).
  await at.stores.pg.pool.query("UPDATE partners SET endpoint = 'http://{{Host}}.invalid'");
  await at.exchange.exchange.reloadConfig();
  for (let sent = 0; sent < 2; sent++) {
    await askOpenrtb(at.exchange, asking(20, { bidmachine: { ...keys, host: "no-such-host" } }));
    await askOpenrtb(at.exchange, asking(20));
  }
  expect(await isAsked("bidmachine")).toBe(true);
});

test("one auction counts once against a partner, however many calls it takes", async () => {
  const keys = { host: "unused", path: "rtb", seller_id: "1" };
  const partner = await at.partner("bidmachine", answersWith(500), { kind: "bidmachine", keys });
  await askOpenrtb(at.exchange, asking(20));
  expect(partner.requests.length).toBeGreaterThan(1);
  expect(await isAsked("bidmachine")).toBe(true);
});

test("a partner that refuses keys with HTTP 400 answers, and is not paused", async () => {
  await at.partner("strict", answersWith(400));
  await askOften(asking(1));
  expect(await isAsked("strict")).toBe(true);
});
