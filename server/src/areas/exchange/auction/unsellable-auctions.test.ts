import { DAY_MS, dayOf } from "@millrace/units";
import { beforeEach, expect, test } from "vitest";
import { ANY_CAMPAIGN } from "../../statistics/testing/any-campaign.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";

const at = await exchangeForEachTest();
const { pool } = at.stores.pg;

beforeEach(async () => {
  await pool.query("DELETE FROM kill_switches");
  await at.partner("rival", bidsAt(2));
});

/** The auctions that statistics take for opportunities: of a campaign's spending, and of its reach. */
async function opportunities(): Promise<{ spending: number; reach: number | undefined }> {
  const { clock, statistics } = at.exchange;
  const today = dayOf(clock.now());
  const parts = await statistics.campaigns.spending({
    campaignId: 7,
    fit: ANY_CAMPAIGN,
    range: { ds: today, de: today },
    bidMicros: 9_000_000,
    ownCampaigns: [],
    approvedAt: 0,
  });
  // Reach is that of the last full days.
  clock.offsetMs += DAY_MS;
  const { matching } = await statistics.campaigns.reach({
    fit: ANY_CAMPAIGN,
    bidMicros: 9_000_000,
    dailyMicros: 0,
    caps: [],
  });
  return { spending: parts.reduce((sum, { auctions }) => sum + auctions, 0), reach: matching };
}

test.each<[string, () => Promise<unknown>, object]>([
  [
    "of an app that a moderator has not approved",
    () => pool.query("UPDATE apps SET moderation = 'check' WHERE id = $1", [at.app.id]),
    {},
  ],
  [
    "that are switched off",
    () =>
      pool.query("INSERT INTO kill_switches (app_id, reason, created_at) VALUES ($1, 'It crashes', now())", [
        at.app.id,
      ]),
    {},
  ],
  [
    "that name their partners",
    async () => {},
    { imp: [{ id: "1", banner: { w: 320, h: 50 }, ext: { prebid: { bidder: { rival: {} } } } }] },
  ],
  ["that take no dollars", async () => {}, { cur: ["EUR"] }],
  [
    "whose floor is in a currency without a rate",
    async () => {},
    { imp: [{ id: "1", banner: { w: 320, h: 50 }, bidfloor: 1, bidfloorcur: "XTS" }] },
  ],
])("requests %s are no opportunity of a campaign, and no reach", async (_, change, more) => {
  await askOpenrtb(at.exchange, bannerRequest());
  await change();
  await at.exchange.exchange.reloadConfig();
  await askOpenrtb(at.exchange, bannerRequest(more));
  const rows = await at.exchange.rows<{ media: string[]; campaign_platform: string }>("auctions");
  expect(rows.map(({ media, campaign_platform }) => [media, campaign_platform])).toEqual([
    [["banner"], "android"],
    [[], ""],
  ]);
  expect(await opportunities()).toEqual({ spending: 1, reach: 1 });
});
