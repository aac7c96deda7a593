import { decodeTrace } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { campaignMarket } from "../testing/campaign-market.ts";
import { bidsAt, startBidder } from "../testing/start-bidder.ts";
import { addPartner, askForAd, fire, startSession } from "../testing/start-exchange.ts";

const market = await campaignMarket(await testStores());

/** What distinguishes a campaign from any other in its trace. */
const SECRETS = ["Secret launch", "Poor advertiser", "campaign-", "budget", "balance"];

/** An auction that a campaign wins before another one and a partner, while a third has no money. */
async function anAuction() {
  const { advertiser } = market;
  // Traces are kept for 30 days of the store's own clock.
  market.exchange.clock.offsetMs = 0;
  await market.campaign({ name: "Secret launch", bid: { type: "cpm", value: 4_000_000, daily: 300_000_000 } });
  await market.campaign({ name: "Secret launch 2", bid: { type: "cpm", value: 3_000_000, daily: 300_000_000 } });
  const poor = await advertiser.at.newAccount();
  const creatives = [advertiser.someCreative({ image_url: await advertiser.imageOf(poor) })];
  await market.campaign(
    { name: "Poor advertiser", creatives, bid: { type: "cpm", value: 5_000_000, daily: 300_000_000 } },
    poor,
  );
  const partner = await startBidder(bidsAt(1));
  await addPartner(market.stores, market.app, "north", partner.endpoint);
  await market.exchange.exchange.reloadConfig();
  const { ads, auction } = await askForAd(market.exchange, await startSession(market.exchange, market.app));
  expect(ads.map(({ provider }) => provider)).toEqual(["campaigns", "campaigns", "north"]);
  await fire(market.exchange, ads[1]?.beacons.impression ?? "");
  const [stored] = await market.exchange.rows<{ trace: string }>("traces");
  const trace = decodeTrace(new TextEncoder().encode(stored?.trace ?? ""));
  partner.close();
  return { auction, trace };
}

async function explained(auction: string, impersonatorId: number | null) {
  const caller = someCaller({ accountId: market.app.accountId, impersonatorId });
  const { dataDir } = market.exchange;
  await market.restart({ caller, dataDir });
  const reply = await market.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  return explainAuction.reply.parse(reply.json());
}

test("a publisher reads that campaigns bid, won and were shown, and nothing about whose they are", async () => {
  const { auction, trace } = await anAuction();
  expect(trace.input.participants.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Secret launch", "Secret launch 2", "Poor advertiser"]),
  );
  expect(trace.decision.refused).toContainEqual(expect.objectContaining({ reason: "balance_spent" }));
  const story = await explained(auction, null);
  const text = JSON.stringify(story).toLowerCase();
  for (const secret of SECRETS) expect(text).not.toContain(secret.toLowerCase());
  for (const bid of trace.responses.flatMap(({ bids }) => bids.filter(({ bidId }) => bidId.length > 30)))
    for (const id of [bid.crid, bid.bidId]) expect(text).not.toContain(id);
  expect(story.replays).toBe(true);
  expect(story.participants.map(({ provider, name, outcome }) => [provider, name, outcome.code])).toEqual([
    ["north", "Partner north", "lost"],
    ["campaigns", "Campaigns", "won"],
    ["campaigns-2", "Campaigns", "lost"],
  ]);
  expect(story.imps[0]?.order.map(({ name, price }) => [name, price])).toEqual([
    ["Campaigns", 4_000_000],
    ["Campaigns", 3_000_000],
    ["Partner north", 1_000_000],
  ]);
  // The one that was shown is told by its revenue.
  expect(story.imps[0]?.price).toMatchObject({ name: "Campaigns", impression: { cleared: 3000, earned: 2400 } });
  expect(story.participants.map(({ latency_ms, calls }) => [latency_ms !== null, calls.length])).toEqual([
    [true, 1],
    [false, 0],
    [false, 0],
  ]);
  expect(story.imps[0]?.detail).toContain(
    "1 partner was asked: 1 bid. Campaigns of this platform bid without being asked.",
  );
  expect(story.followed.map(({ kind, name, revenue }) => [kind, name, revenue])).toEqual([
    ["impression", "Campaigns", 2400],
  ]);
});

test("an admin who visits the publisher reads the campaigns' names and why one did not bid", async () => {
  const { auction } = await anAuction();
  const story = await explained(auction, 1);
  expect(story.participants.map(({ name, outcome }) => [name, outcome.code])).toEqual([
    ["Partner north", "lost"],
    ["Secret launch", "won"],
    ["Secret launch 2", "lost"],
    ["Poor advertiser", "refused"],
  ]);
  const refusal = story.participants.at(-1)?.refusals[0]?.reason;
  expect(refusal).toEqual({ code: "balance_spent", text: "The campaign balance is spent or reserved" });
  expect(story.imps[0]?.price).toMatchObject({ name: "Secret launch 2", impression: { cleared: 3000, earned: 2400 } });
});
