import { gzipSync } from "node:zlib";
import { explainAuction } from "@millrace/contract";
import type { BidRequest, BidResponse } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { type Behaviour, bidsAt, goodBid, sendBids, sendBody } from "../testing/start-bidder.ts";

const at = await exchangeForEachTest();

const BOMB = gzipSync(Buffer.alloc(20_000_000));

const bad = (change: (bid: Record<string, unknown>) => object): Behaviour => {
  return (request, reply, origin) => sendBids(reply, request, [change({ ...goodBid(request, origin, 9) })]);
};
const text = (body: (request: BidRequest, bid: string) => string): Behaviour => {
  return (request, reply, origin) => sendBody(reply, body(request, JSON.stringify(goodBid(request, origin, 9))));
};
test.each<[string, Behaviour, string]>([
  [
    "slow",
    (request, reply, origin) => void setTimeout(() => sendBids(reply, request, [goodBid(request, origin, 9)]), 800),
    "timeout",
  ],
  ["silent", () => {}, "timeout"],
  [
    "dripping",
    (_, reply) => {
      const timer = setInterval(() => reply.write(" "), 5);
      reply.on("close", () => clearInterval(timer));
    },
    "timeout",
  ],
  [
    "huge",
    (_, reply) => {
      const pour = () => {
        while (!reply.destroyed && reply.write("x".repeat(65_536)));
      };
      reply.on("drain", pour);
      pour();
    },
    "response_too_large",
  ],
  [
    "a gzip bomb",
    (_, reply) => {
      reply.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
    },
    "response_too_large",
  ],
  ["hanging up", (_, reply) => reply.socket?.destroy(), "connection_failed"],
  ["failing", (_, reply) => void reply.writeHead(500).end("oops"), "http_error"],
  ["redirecting", (_, reply) => void reply.writeHead(302, { location: "http://127.0.0.1/" }).end(), "http_error"],
  ["broken JSON", text((request) => `{"id":"${request.id}","seatbid":[`), "malformed_response"],
  ["another auction's", text((_, bid) => `{"id":"other","seatbid":[{"bid":[${bid}]}]}`), "malformed_response"],
  ["deeply nested", text(() => "[".repeat(100_000) + "]".repeat(100_000)), "malformed_response"],
  ["negative", bad((bid) => ({ ...bid, price: -5 })), "price_not_positive"],
  ["zero", bad((bid) => ({ ...bid, price: 0 })), "price_not_positive"],
  [
    "1e309",
    text((request, bid) => `{"id":"${request.id}","seatbid":[{"bid":[${bid.replace('"price":9', '"price":1e309')}]}]}`),
    "price_missing",
  ],
  [
    "NaN",
    text((request, bid) => `{"id":"${request.id}","seatbid":[{"bid":[${bid.replace('"price":9', '"price":NaN')}]}]}`),
    "malformed_response",
  ],
  ["NaN as text", bad((bid) => ({ ...bid, price: "NaN" })), "price_missing"],
  ["no price", bad((bid) => ({ ...bid, price: undefined })), "price_missing"],
  ["absurd", bad((bid) => ({ ...bid, price: 1e12 })), "price_too_high"],
  [
    "wrong currency",
    text((request, bid) => `{"id":"${request.id}","cur":"EUR","seatbid":[{"bid":[${bid}]}]}`),
    "wrong_currency",
  ],
  ["wrong imp", bad((bid) => ({ ...bid, impid: "another" })), "unknown_imp"],
  ["wrong media type", bad((bid) => ({ ...bid, mtype: 2 })), "wrong_media_type"],
  ["wrong size", bad((bid) => ({ ...bid, w: 728, h: 90 })), "wrong_size"],
  ["no advertiser's domain", bad((bid) => ({ ...bid, adomain: ["<script>"] })), "advertiser_malformed"],
  ["no markup", bad((bid) => ({ ...bid, adm: undefined, nurl: undefined })), "markup_missing"],
  ["a burl of 200 KB", bad((bid) => ({ ...bid, burl: `https://b.example/${"x".repeat(200_000)}` })), "notice_too_long"],
  [
    "a notice of macros that expand",
    bad((bid) => ({ ...bid, id: "b".repeat(500), nurl: `https://b.example/?${"${AUCTION_BID_ID}".repeat(200)}` })),
    "notice_too_long",
  ],
  [
    "490 KB of macros that expand to 30 MB",
    bad((bid) => ({ ...bid, id: "b".repeat(500), adm: "${AUCTION_BID_ID}".repeat(28_000) })),
    "markup_too_long",
  ],
  [
    "markup whose macros expand",
    bad((bid) => ({ ...bid, id: "b".repeat(500), adm: "${AUCTION_BID_ID}".repeat(1000) })),
    "markup_too_long",
  ],
  ["fields of wrong types", bad((bid) => ({ ...bid, adomain: [7] })), "malformed_bid"],
])("a hostile bidder (%s) is dropped with its reason and does not affect others", async (_, behave, reason) => {
  // Generous, because an immediate answer can take longer than an auction on a busy machine.
  const deadlineMs = reason === "timeout" ? 500 : 5000;
  await at.restart({ deadlineMs });
  await at.partner("honest", bidsAt(1));
  await at.partner("hostile", behave);
  const from = performance.now();
  const response = await askOpenrtb(at.exchange, bannerRequest());
  expect(performance.now() - from).toBeLessThan(deadlineMs + 200);
  expect(response.seatbid?.map(({ seat }) => seat)).toEqual(["honest"]);
  const [row] = await at.exchange.rows<{ auction_id: string }>("auctions");
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${row?.auction_id}.json` });
  const { participants, replays } = explainAuction.reply.parse(reply.json());
  const hostile = participants.find(({ provider }) => provider === "hostile");
  expect([hostile?.outcome.code, ...(hostile?.bids ?? []).map((bid) => bid.reason?.code)]).toContain(reason);
  expect(replays).toBe(true);
});

test("a partner that keeps failing is skipped, and asked again once it has recovered", async () => {
  let isBroken = true;
  const shaky = await at.partner("shaky", (request, reply, origin) => {
    if (isBroken) reply.writeHead(500).end();
    else sendBids(reply, request, [goodBid(request, origin, 2)]);
  });
  for (let n = 0; n < 25; n++) await askOpenrtb(at.exchange, bannerRequest());
  expect(shaky.requests).toHaveLength(20);
  isBroken = false;
  await new Promise((resolve) => {
    setTimeout(resolve, 5100);
  });
  const responses: BidResponse[] = [];
  for (let n = 0; n < 4; n++) responses.push(await askOpenrtb(at.exchange, bannerRequest()));
  expect(responses.every(({ seatbid }) => seatbid?.length === 1)).toBe(true);
});
