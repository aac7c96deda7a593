import { randomUUID } from "node:crypto";
import { explainAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsNothing } from "../testing/start-bidder.ts";
import { askForAd, fire, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

/** The explanation of an SDK's auction outside demo mode, where no trace is kept, after its first ad, or another one, was shown. */
async function explainedWithoutTrace({ place = 0, adapters = [] }: { place?: number; adapters?: string[] } = {}) {
  await at.restart({ settings: { demo: false, traceShare: 0 } });
  const session = await startSession(at.exchange, at.app);
  const { auction, ads } = await askForAd(at.exchange, session, { adapters });
  const ad = ads[place];
  if (ad) await fire(at.exchange, ad.beacons.impression);
  await at.exchange.rows("events");
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  return explainAuction.reply.parse(reply.json());
}

test("without a trace, the winner, its price, who was asked and what was earned are known", async () => {
  await at.partner("high", bidsAt(2.5));
  await at.partner("low", bidsAt(1));
  await at.partner("silent", bidsNothing);
  const { traced, imps, participants, followed, consent, request, replays } = await explainedWithoutTrace();
  expect({ traced, consent, request, replays }).toEqual({ traced: false, consent: null, request: null, replays: null });
  expect(imps).toMatchObject([
    {
      sentence: "Partner high won this banner with $2.5000 CPM.",
      zone: "main",
      floor: null,
      price: {
        fee_ppm: 200_000,
        impression: { cleared: 2500, fee: 500, earned: 2000 },
        thousand: { cleared: 2_500_000, fee: 500_000, earned: 2_000_000 },
        is_earned: true,
      },
    },
  ]);
  expect(imps[0]?.detail).toMatch(
    /^3 partners were asked: 2 bid and 1 did not\. The ad was shown .+ after the request and earned you \$0\.002000\.$/,
  );
  expect(participants.map(({ provider, results }) => [provider, results[0]?.label, results[0]?.price])).toEqual([
    ["high", "Won", 2_500_000],
    ["low", "Bid", 1_000_000],
    ["silent", "No bid", null],
  ]);
  expect(participants.every(({ latency_ms: latencyMs }) => latencyMs !== null && latencyMs > 0)).toBe(true);
  expect(followed).toMatchObject([{ kind: "impression", counted: true, revenue: 2000 }]);
});

test("an auction from before partners' answers were recorded says who was asked, and that the bids are not known", async () => {
  await at.partner("high", bidsAt(2.5));
  await at.partner("low", bidsAt(1));
  const { auction } = await explainedWithoutTrace();
  await at.stores.clickhouse.write.command({
    query: `ALTER TABLE auctions UPDATE outcomes = [], latencies_ms = [], bids_micros = [] WHERE auction_id = '${auction}'
      SETTINGS mutations_sync = 1`,
  });
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  const { imps, participants } = explainAuction.reply.parse(reply.json());
  expect(imps[0]?.detail).toMatch(
    /^2 partners were asked\. No trace of this auction is kept, so their bids are not known\./,
  );
  expect(participants.map(({ results }) => results[0]?.label)).toEqual(["Won", "Asked"]);
});

test("without a trace, the ad that was shown after a higher bid is named, with its own price and what it earned", async () => {
  await at.partner("high", bidsAt(2.5));
  await at.partner("low", bidsAt(1.2346));
  const [imp] = (await explainedWithoutTrace({ place: 1 })).imps;
  expect(imp?.sentence).toBe("Partner low was shown as this banner with $1.2346 CPM, after a higher bid.");
  expect(imp?.detail).toMatch(
    /Partner high had bid \$2\.5000 and has no counted impression\. .+ and earned you \$0\.000988\.$/,
  );
  expect(imp?.price).toMatchObject({ provider: "low", thousand: { cleared: 1_234_600 }, is_earned: true });
});

test("without a trace, a paid impression behind an adapter that had no ad is told, and so is a line item's", async () => {
  const source = JSON.stringify({ kind: "sdk", adapter: "Cedar", params: {} });
  await at.stores.pg.pool.query(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     VALUES ($1, 'Cedar', 'banner', '{}', true, $2, '[{"country":null,"price":5000000}]', now()),
       ($1, 'Tag', 'banner', '{}', true, '{"kind":"html","html":"<p>Ad</p>","size":{"w":320,"h":50}}', '[{"country":null,"price":1000000}]', now())`,
    [at.app.id, source],
  );
  await at.partner("buyer", bidsAt(4));
  const [imp] = (await explainedWithoutTrace({ adapters: ["Cedar"] })).imps;
  expect(imp?.sentence).toBe(
    "Partner buyer was shown as this banner with $4.0000 CPM, after a higher place in the order.",
  );
  expect(imp?.detail).toContain("Cedar was before it and has no counted impression. The ad was shown");
  expect(imp?.price).toMatchObject({ provider: "buyer", impression: { cleared: 4000 }, is_earned: true });

  const [tag] = (await explainedWithoutTrace({ adapters: ["Cedar"], place: 1 })).imps;
  expect(tag?.sentence).toContain("Tag was shown as this banner with an expected $1.0000 CPM");
  expect(tag?.price).toBeNull();
});

test("without a trace, the reason of no ad is known", async () => {
  await at.partner("silent", bidsNothing);
  const { imps, no_ad } = await explainedWithoutTrace();
  expect(imps[0]?.sentence).toBe("This banner request got no ad: no partner bid.");
  expect([imps[0]?.price, no_ad?.code]).toEqual([null, "no_demand"]);
});

test("another account's auction without a trace is not found, nor is an unknown one", async () => {
  await at.partner("high", bidsAt(2.5));
  const { auction } = await explainedWithoutTrace();
  at.owner.accountId = at.app.accountId + 1;
  for (const id of [auction, randomUUID()]) {
    expect((await at.exchange.app.inject({ method: "GET", url: `/auctions/${id}.json` })).statusCode).toBe(404);
  }
});
