import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, type Behaviour, goodBid, sendBids, sendBody } from "../testing/start-bidder.ts";
import { askForAd, type EventRow, fire, post, startSession } from "../testing/start-exchange.ts";
import { Notices } from "./notices.ts";
import { OpenAnswers } from "./open-answers.ts";
import { answeredAuction, openedToken } from "./testing/answered-auction.ts";

const at = await exchangeForEachTest();

/** Fires a beacon until the exchange accepts it, which it may not do right after a start. */
async function fireUntilTaken(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await fire(at.exchange, url)).statusCode === 200) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error("the beacon was not taken");
}

test("an ad sold before a restart is billed after it, once for any number of beacons", async () => {
  const buyer = await at.partner("buyer", bidsAt(2.5));
  const { ads, auction } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await at.exchange.exchange.drain();
  expect(buyer.notices).toEqual([`/win?price=2.5&loss=&min=0&auction=${auction}`]);
  await at.restart({ dataDir: at.exchange.dataDir });
  const impression = ads[0]?.beacons.impression ?? "";
  for (let nth = 0; nth < 3; nth++) await fireUntilTaken(impression);
  await at.restart({ dataDir: at.exchange.dataDir });
  await fireUntilTaken(impression);
  await at.exchange.exchange.drain();
  expect(buyer.notices.slice(1)).toEqual([`/billing?price=2.5&loss=&min=0&auction=${auction}`]);
});

test("with an impression of the second ad, its bidder gets a win notice and the first ad's bidder a loss notice", async () => {
  const [high, low] = [await at.partner("high", bidsAt(2)), await at.partner("low", bidsAt(1))];
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await fire(at.exchange, ads[1]?.beacons.impression ?? "");
  await at.exchange.exchange.drain();
  const kinds = (notices: string[]) => notices.map((path) => /\w+/.exec(path)?.[0] ?? "").toSorted();
  expect([kinds(high.notices), kinds(low.notices)]).toEqual([
    ["loss", "win"],
    ["billing", "win"],
  ]);
});

test("of the ads of one answer, the first that is shown counts and is billed, and no other, sent after it or with it", async () => {
  const bidders = [3, 2, 1].map((price) => at.partner(`at-${price}`, bidsAt(price)));
  const [high, middle, low] = await Promise.all(bidders);
  const session = await startSession(at.exchange, at.app);
  const { ads: first } = await askForAd(at.exchange, session);
  for (const nth of [1, 0, 2]) await fire(at.exchange, first[nth]?.beacons.impression ?? "");
  const { ads: second } = await askForAd(at.exchange, session);
  const tokens = second.map(({ beacons }) => new URL(beacons.impression).searchParams.get("t"));
  const events = tokens.map((token) => ({ type: "impression", token }));
  expect((await post(at.exchange, "/sdk/v1/events", { events })).statusCode).toBe(200);
  await at.exchange.exchange.drain();
  const billed = [high, middle, low].map((bidder) => bidder?.notices.filter((path) => path.startsWith("/billing")));
  expect(billed.map((paths) => paths?.length)).toEqual([1, 1, 0]);
  const impressions = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "impression");
  const kinds = impressions.map(({ provider, invalid, revenue_micros }) => [provider, invalid, revenue_micros !== "0"]);
  expect(kinds.map(String).toSorted()).toEqual([
    "at-1,other_ad_shown,false",
    "at-1,other_ad_shown,false",
    "at-2,,true",
    "at-2,other_ad_shown,false",
    "at-3,,true",
    "at-3,other_ad_shown,false",
  ]);
});

test("a billing notice tells when the impression was, and not when the auction was", async () => {
  const behave =
    (price: number): Behaviour =>
    (request, reply, origin) => {
      const told = (kind: string) => `${origin}/${kind}?at=\${AUCTION_IMP_TS}&price=\${AUCTION_PRICE}`;
      sendBids(reply, request, [{ ...goodBid(request, origin, price), nurl: told("win"), burl: told("billing") }]);
    };
  await at.partner("high", behave(2));
  const low = await at.partner("low", behave(1));
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  const shownAt = Date.now();
  await fire(at.exchange, ads[1]?.beacons.impression ?? "");
  await at.exchange.exchange.drain();
  const notices = low.notices.filter((path) => !path.startsWith("/loss")).toSorted();
  expect(notices).toHaveLength(2);
  for (const [nth, kind] of ["billing", "win"].entries()) {
    const { pathname, searchParams } = new URL(notices[nth] ?? "", low.origin);
    expect([pathname, searchParams.get("price")]).toEqual([`/${kind}`, "1"]);
    const toldAt = Number(searchParams.get("at"));
    expect(toldAt).toBeGreaterThanOrEqual(shownAt);
    expect(toldAt).toBeLessThanOrEqual(Date.now());
  }
});

test("notices name the response's own id, and the bid's where there is none", async () => {
  const behave =
    (price: number, own: object): Behaviour =>
    (request, reply, origin) => {
      const bid = { ...goodBid(request, origin, price), id: "bid-9", nurl: `${origin}/win?of=\${AUCTION_BID_ID}` };
      sendBody(reply, JSON.stringify({ id: request.id, ...own, seatbid: [{ bid: [bid] }] }));
    };
  const named = await at.partner("named", behave(2, { bidid: "response-7" }));
  await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await at.exchange.exchange.drain();
  expect(named.notices).toEqual(["/win?of=response-7"]);
  const plain = await at.partner("plain", behave(3, {}));
  await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await at.exchange.exchange.drain();
  expect(plain.notices).toEqual(["/win?of=bid-9"]);
});

test("an impression is billed once it is stored, and not before", async () => {
  const buyer = await at.partner("buyer", bidsAt(1));
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  const { appendAll } = at.exchange.statistics.events;
  at.exchange.statistics.events.appendAll = () => Promise.reject(new Error("the disk is full"));
  expect((await fire(at.exchange, ads[0]?.beacons.impression ?? "")).statusCode).toBe(500);
  at.exchange.statistics.events.appendAll = appendAll;
  await at.exchange.exchange.drain();
  expect(buyer.notices.some((path) => path.startsWith("/billing"))).toBe(false);
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  await at.exchange.exchange.drain();
  expect(buyer.notices.filter((path) => path.startsWith("/billing"))).toHaveLength(1);
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.filter(({ kind, invalid }) => kind === "impression" && invalid === "")).toHaveLength(1);
});

test("an impression's token has room for a billing notice of the maximum length", async () => {
  const buyer = await at.partner("buyer", (request, reply, origin) => {
    const bid = goodBid(request, origin, 1);
    sendBids(reply, request, [{ ...bid, burl: `${origin}/billing?${"x".repeat(4096 - origin.length - 9)}` }]);
  });
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  expect([impression.length < 8000, click.length < 600]).toEqual([true, true]);
  expect((await fire(at.exchange, impression)).statusCode).toBe(200);
  await at.exchange.exchange.drain();
  expect(buyer.notices.at(-1)).toHaveLength(4096 - buyer.origin.length);
});

test("loss notices that wait for an impression are limited in bytes, and the oldest auctions are dropped first", () => {
  const sent: string[] = [];
  const outbox = { send: ({ url }: { url: string }) => void sent.push(url), hold: async () => null };
  const answers = new OpenAnswers({ now: () => 0 }, 1000);
  const notices = new Notices(outbox, answers);
  const lurl = `https://b.example/${"x".repeat(4000)}`;
  for (let nth = 0; nth < 20_000; nth++) {
    const { auction, returned } = answeredAuction(`a${nth}`, [lurl]);
    notices.onAnswer(auction, returned);
  }
  expect(answers.waitingChars).toBeGreaterThan(30 * 2 ** 20);
  expect(answers.waitingChars).toBeLessThanOrEqual(32 * 2 ** 20);
  for (const auctionId of ["a0", "a19999"]) notices.onLoss(openedToken(auctionId, 0).facts);
  expect(sent).toEqual([lurl]);
});
