import { decodeTrace, replay } from "@millrace/auction";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, goodBid, sendBids } from "../testing/start-bidder.ts";

const at = await exchangeForEachTest();

test("a partner whose row names an adapter is asked in its own way, and its bid wins", async () => {
  const channel = await at.partner(
    "channel",
    (request, reply, origin) => sendBids(reply, request, [goodBid(request, origin, 2)]),
    { kind: "adtelligent", keys: { aid: 7, siteId: 8 } },
  );
  const response = await askOpenrtb(at.exchange, bannerRequest());
  expect(response.seatbid?.[0]?.bid[0]?.price).toBe(2);
  expect(channel.requests[0]?.imp[0]?.ext).toEqual({ adtelligent: { aid: 7, siteId: 8 } });
});

test("keys that break the adapter's schema are an error of the partner, and cost the others nothing", async () => {
  const broken = await at.partner("broken", (request, reply) => sendBids(reply, request, []), {
    kind: "adtelligent",
    keys: { aid: "seven" },
  });
  await at.partner("good", (request, reply, origin) => sendBids(reply, request, [goodBid(request, origin, 1)]));
  await at.restart({ settings: { traceShare: 1 } });
  const response = await askOpenrtb(at.exchange, bannerRequest());
  expect(response.seatbid?.[0]?.bid[0]?.price).toBe(1);
  expect(broken.requests).toEqual([]);
  const [auction] = await at.exchange.rows<{ asked: string[]; outcomes: string[] }>("auctions");
  expect(auction?.outcomes[auction.asked.indexOf("broken")]).toBe("request_failed");
});

test("a partner is asked for apps on its own platforms alone; the trace says why it was not", async () => {
  const buyer = await at.partner("buyer", bidsAt(2));
  const elsewhere = await at.partner("elsewhere", bidsAt(3));
  await at.stores.pg.pool.query("UPDATE partners SET platforms = '{ios,tvos}' WHERE id = 'elsewhere'");
  await at.exchange.exchange.reloadConfig();
  // The app is for Android.
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest());
  expect(seatbid?.[0]?.bid[0]?.price).toBe(2);
  expect([buyer.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
  const [row] = await at.exchange.rows<{ trace: string }>("traces");
  const bytes = new TextEncoder().encode(row?.trace);
  expect(decodeTrace(bytes).decision.refused).toEqual([{ participantId: "elsewhere", reason: "platform_unsupported" }]);
  expect(replay(bytes)).toMatchObject({ same: true });
  await at.stores.pg.pool.query("UPDATE partners SET platforms = '{ios,android}' WHERE id = 'elsewhere'");
  await at.exchange.exchange.reloadConfig();
  expect((await askOpenrtb(at.exchange, bannerRequest())).seatbid?.[0]?.bid[0]?.price).toBe(3);
});
