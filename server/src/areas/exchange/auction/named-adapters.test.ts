import { decodeTrace, replay } from "@millrace/auction";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsMarkup, goodBid, sendBids, VIDEO_AD } from "../testing/start-bidder.ts";

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

test("a device whose texts no header can have is served, and partners that are sent its headers are asked", async () => {
  const between = await at.partner(
    "between",
    (request, reply, origin) => sendBids(reply, request, [goodBid(request, origin, 2)]),
    { kind: "between", keys: { host: "lbs-eu1.ads", publisher_id: "1" } },
  );
  const { seatbid } = await askOpenrtb(
    at.exchange,
    bannerRequest({ device: { ua: "Mozilla/5.0 (Téléphone)", ip: "8.8.8.8", os: "Android" } }),
  );
  expect(seatbid?.[0]?.bid[0]?.price).toBe(2);
  expect(between.requests[0]?.device?.ua).toBe("Mozilla/5.0 (Téléphone)");
});

test("calls that could not be sent do not pause a partner", async () => {
  // The key is part of the host, and leads to an address that nobody approved.
  await at.partner("elsewhere", bidsAt(2), { kind: "tradplus", keys: { zoneId: "1", accountId: "1" } });
  await at.stores.pg.pool.query("UPDATE partners SET endpoint = 'http://127.0.0.{{ZoneID}}/{{AccountID}}'");
  await at.exchange.exchange.reloadConfig();
  for (let sent = 0; sent < 25; sent++) await askOpenrtb(at.exchange, bannerRequest());
  const auctions = await at.exchange.rows<{ asked: string[]; outcomes: string[] }>("auctions");
  expect(auctions.map(({ asked, outcomes }) => [asked, outcomes])).toEqual(
    Array.from({ length: 25 }, () => [["elsewhere"], ["request_failed"]]),
  );
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

test("a video of a partner that is asked for banners alone does not win, though the imp takes videos", async () => {
  const still = await at.partner("still", bidsMarkup(VIDEO_AD, 2), { media_types: ["banner"] });
  await at.partner("buyer", bidsAt(1));
  const video = { mimes: ["video/mp4"], protocols: [2, 3, 13], w: 320, h: 50 };
  const imp = [{ id: "imp-1", banner: { format: [{ w: 320, h: 50 }] }, video }];
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ imp }));
  expect(still.requests[0]?.imp[0]).not.toHaveProperty("video");
  expect(seatbid?.map(({ seat }) => seat)).toEqual(["buyer"]);
});
