import { explainAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { goodBid, sendBids } from "../testing/start-bidder.ts";
import { fire } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

/** Sells a banner in each of these imps, all of one zone, and shows the first. */
async function showFirst([first = "", ...others]: readonly string[]) {
  await at.partner("rival", (request, reply, origin) =>
    sendBids(
      reply,
      request,
      request.imp.map((imp, nth) => ({ ...goodBid(request, origin, 2), id: `bid-${nth}`, impid: imp.id })),
    ),
  );
  const imp = [first, ...others].map((id) => ({ id, tagid: "feed", banner: { format: [{ w: 320, h: 50 }] } }));
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ imp }));
  const bids = seatbid?.flatMap(({ bid }) => bid) ?? [];
  expect(bids.map(({ impid }) => impid).toSorted()).toEqual([first, ...others].toSorted());
  const markup = bids.find(({ impid }) => impid === first)?.adm ?? "";
  const beacon = /https?:\/\/[^"'\s]+\/impression\?[^"'\s<]+/.exec(markup)?.[0] ?? "";
  await fire(at.exchange, beacon.replaceAll("&amp;", "&"));
  const [event] = await at.exchange.rows<{ auction_id: string; revenue_micros: string }>("events");
  return { auction: event?.auction_id ?? "", revenue: Number(event?.revenue_micros) };
}

/** What each imp earned on its auction's page. */
async function earned(auction: string) {
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  const { imps } = explainAuction.reply.parse(reply.json());
  return imps.filter(({ price }) => price?.is_earned).map(({ imp, price }) => [imp, price?.impression.earned]);
}

const withoutTraces = { settings: { demo: false, traceShare: 0 } };

test.each([true, false])(
  "of two imps of one zone, the one that was not shown earns nothing on its auction's page (traced: %s)",
  async (isTraced) => {
    if (!isTraced) await at.restart(withoutTraces);
    const { auction, revenue } = await showFirst(["1", "2"]);
    expect(await earned(auction)).toEqual([["1", revenue]]);
  },
);

test("long ids of imps that differ in their last character are told apart", async () => {
  const long = "x".repeat(300);
  const { auction, revenue } = await showFirst([`${long}1`, `${long}2`]);
  expect(await earned(auction)).toEqual([[`${long}1`, revenue]]);
});

test.each([true, false])(
  "an impression from before imps were recorded with it is its zone's (traced: %s)",
  async (isTraced) => {
    if (!isTraced) await at.restart(withoutTraces);
    const { auction, revenue } = await showFirst(["1"]);
    await at.stores.clickhouse.write.command({
      query: `ALTER TABLE events UPDATE imp_id = '' WHERE auction_id = '${auction}' SETTINGS mutations_sync = 1`,
    });
    expect(await earned(auction)).toEqual([["1", revenue]]);
  },
);
