import { dayOf, dayStartMs, HOUR_MS } from "@millrace/units";
import { expect, onTestFinished, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { campaignMarket } from "../testing/campaign-market.ts";
import { bidsAt, startBidder } from "../testing/start-bidder.ts";
import { addPartner, askForAd, fire, startSession } from "../testing/start-exchange.ts";

const stores = await testStores();
const market = await campaignMarket(stores);

async function totalsOf(id: number) {
  const { exchange } = market;
  await Promise.all([exchange.rows("events"), exchange.rows("auctions")]);
  const day = dayOf(exchange.clock.now());
  return exchange.statistics.campaigns
    .of({
      scope: { campaignIds: [id], campaignFormats: ["banner"], range: { ds: day, de: day }, countries: [] },
      compare: "none",
      metrics: [],
    })
    .totals();
}

test("each campaign's returned ad is a request of it, also behind a partner's, and is shown at most once", async () => {
  const rival = await startBidder(bidsAt(5));
  onTestFinished(() => rival.close());
  await addPartner(stores, market.app, "rival", rival.endpoint, {});
  const first = await market.campaign({ bid: { type: "cpm", value: 2_000_000, daily: 300_000_000 } });
  const second = await market.campaign({ bid: { type: "cpm", value: 1_000_000, daily: 300_000_000 } });
  const session = await startSession(market.exchange, market.app);
  const { ads } = await askForAd(market.exchange, session, {});
  expect(ads.map(({ provider }) => provider)).toEqual(["rival", "campaigns", "campaigns"]);
  await fire(market.exchange, ads[0]?.beacons.loss ?? "");
  await fire(market.exchange, ads[1]?.beacons.impression ?? "");
  expect(await totalsOf(first.id)).toMatchObject({ requests: 1, impressions: 1, fillrate: 100 });
  expect(await totalsOf(second.id)).toMatchObject({ requests: 1, impressions: 0, fillrate: 0 });
  const [row] = await market.exchange.rows<Record<string, unknown>>("auctions");
  expect(row).toMatchObject({ winner: "rival", campaign_id: 0, campaign_ids: [first.id, second.id], arms: ["", ""] });
});

test("where an ad that nobody pays for was ranked above a campaign's bid, no gate kept the campaign from winning", async () => {
  // Misses are kept for 30 days of the store's own clock.
  market.exchange.clock.offsetMs = dayStartMs(dayOf(Date.now())) + 12 * HOUR_MS - Date.now();
  await stores.pg.pool.query("UPDATE apps SET kids = true WHERE id = $1", [market.app.id]);
  const { id } = await market.campaign();
  const session = await startSession(market.exchange, market.app);
  await askForAd(market.exchange, session);
  const missed = [expect.objectContaining({ campaign_id: id, reason: "not_for_children", auctions: 1 })];
  expect(await market.exchange.rows("campaign_misses")).toEqual(missed);
  await stores.pg.pool.query(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     VALUES ($1, 'Tag', 'banner', '{}', true, $2, $3, now())`,
    [
      market.app.id,
      JSON.stringify({ kind: "html", html: "<p>Tag</p>", size: { w: 320, h: 50 } }),
      JSON.stringify([{ country: null, price: 10_000_000 }]),
    ],
  );
  await market.exchange.exchange.reloadConfig();
  const { ads: unpaid } = await askForAd(market.exchange, session);
  expect(unpaid.map(({ provider }) => provider)).toEqual(["line-items"]);
  expect(await market.exchange.rows("campaign_misses")).toEqual(missed);
});
