import { explainAuction } from "@millrace/contract";
import { DAY_MS, addDays, dayOf, impressionMicros, revenueShareMicros, sharePpmOn } from "@millrace/units";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { setRevenueShare } from "../../payments/index.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, goodBid, sendBids } from "../testing/start-bidder.ts";
import { type EventRow, type TestApp, askForAd, fire, insertApp, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const PLATFORM_PPM = 800_000;
const now = () => at.exchange.clock.now();

const setShare = async ({ accountId }: TestApp, fromDay: string, sharePpm: number) => {
  const share = { accountId, fromDay, sharePpm, reason: "Agreed", at: new Date(now()) };
  await inTransaction(at.stores.pg.pool, (client) => setRevenueShare(client, share, PLATFORM_PPM));
  await at.exchange.exchange.reloadConfig();
};

/** Sells an ad of the app, shows it, and returns its auction's id. */
async function sell(app: TestApp): Promise<string> {
  const { auction, ads } = await askForAd(at.exchange, await startSession(at.exchange, app));
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  return auction;
}

type Sold = EventRow & { at: string; auction_id: string; price_micros: string };
const impressions = async () =>
  (await at.exchange.rows<Sold>("events")).filter(({ kind, invalid }) => kind === "impression" && invalid === "");

test("each impression's price is the publisher's part at the share of its day and the fee, however the shares change", async () => {
  let price = 1;
  await at.partner("buyer", (request, reply, origin) => sendBids(reply, request, [goodBid(request, origin, price)]));
  const step = fc.record({
    price: fc.integer({ min: 1, max: 30_000_000 }),
    daysLater: fc.integer({ min: 0, max: 2 }),
    share: fc.option(
      fc.record({ inDays: fc.integer({ min: 1, max: 4 }), ppm: fc.integer({ min: 0, max: 1_000_000 }) }),
    ),
  });
  const shares: { fromDay: string; sharePpm: number }[] = [];
  const auctions = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      for (const { price: micros, daysLater, share } of steps) {
        at.exchange.clock.offsetMs += daysLater * DAY_MS;
        if (share) {
          const fromDay = addDays(dayOf(now()), share.inDays);
          await setShare(at.app, fromDay, share.ppm);
          shares.push({ fromDay, sharePpm: share.ppm });
        }
        price = micros / 1_000_000;
        auctions.set(await sell(at.app), micros);
      }
    }),
    { numRuns: 8 },
  );
  const events = await impressions();
  expect(events.length).toBe(auctions.size);
  for (const { at: moment, auction_id: auction, gross_micros: gross, revenue_micros: revenue } of events) {
    const sharePpm = sharePpmOn(moment.slice(0, 10), shares, PLATFORM_PPM);
    const cleared = impressionMicros(auctions.get(auction) ?? -1);
    expect([Number(gross), Number(revenue)]).toEqual([cleared, revenueShareMicros(cleared, sharePpm)]);
    expect(await at.exchange.exchange.replayStored(auction)).toMatchObject({ same: true });
  }
  expect(new Set(events.map(({ at: moment }) => moment.slice(0, 10))).size).toBeGreaterThan(3);
  // What is booked of a day is the sum of its impressions.
  const days = events.map(({ at: moment }) => moment.slice(0, 10)).toSorted();
  const earnings = await at.exchange.statistics.books.earnings({ ds: days[0] ?? "", de: days.at(-1) ?? "" });
  const sum = (micros: readonly (string | bigint)[]) => micros.reduce<bigint>((all, one) => all + BigInt(one), 0n);
  for (const { day, grossMicros, revenueMicros } of earnings) {
    const own = events.filter(({ at: moment }) => moment.startsWith(day));
    expect([grossMicros, revenueMicros]).toEqual([
      sum(own.map(({ gross_micros }) => gross_micros)),
      sum(own.map(({ revenue_micros }) => revenue_micros)),
    ]);
  }
}, 120_000);

test("a share is its own account's alone and begins with its day; the auction page splits the price by it", async () => {
  await at.partner("buyer", bidsAt(2.5));
  const other = await insertApp(at.stores, { bundleId: "com.example.other" });
  await at.partner("others-buyer", bidsAt(2.5), { of: other });
  await setShare(at.app, addDays(dayOf(now()), 1), 900_000);
  const before = await sell(at.app);
  at.exchange.clock.offsetMs += DAY_MS;
  const [after, others] = [await sell(at.app), await sell(other)];
  const earned = new Map((await impressions()).map((event) => [event.auction_id, Number(event.revenue_micros)]));
  expect([before, after, others].map((auction) => earned.get(auction))).toEqual([2000, 2250, 2000]);
  const priceOf = async (auction: string) => {
    const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
    return explainAuction.reply.parse(reply.json()).imps[0]?.price;
  };
  expect(await priceOf(before)).toMatchObject({ fee_ppm: 200_000, fee_by: "Your share was 80% at the sale." });
  expect(await priceOf(after)).toMatchObject({
    fee_ppm: 100_000,
    fee_by: "Your share was 90% at the sale.",
    impression: { cleared: 2500, fee: 250, earned: 2250 },
  });
});

test("without a trace, the price is split by the account's share of that day", async () => {
  await at.restart({ settings: { demo: false, traceShare: 0 } });
  await at.partner("buyer", bidsAt(2.5));
  await setShare(at.app, addDays(dayOf(now()), 1), 900_000);
  at.exchange.clock.offsetMs += DAY_MS;
  const auction = await sell(at.app);
  await setShare(at.app, addDays(dayOf(now()), 1), 500_000);
  await impressions();
  at.exchange.clock.offsetMs += DAY_MS;
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  expect(explainAuction.reply.parse(reply.json()).imps[0]?.price).toMatchObject({
    fee_ppm: 100_000,
    fee_by: "No share was recorded at the sale. Your share of 90% gives what was earned.",
  });
});
