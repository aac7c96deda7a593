import { dayOf } from "@millrace/units";
import type { Reach, Spending } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import type { AuctionRow } from "../../statistics/index.ts";
import { auction, campaignMisses, keep } from "../../statistics/testing/some-rows.ts";
import { campaignsServer } from "../testing/campaigns-server.ts";
import { anAdvertiser } from "../testing/an-advertiser.ts";

const stores = await testStores();
const { at, me, newCampaign } = await anAdvertiser(stores);
const { pool } = stores.pg;

const DAY = dayOf(Date.now() - 86_400_000);
const NOON = `${DAY}T12:00:00Z`;
const fitting: Partial<AuctionRow> = {
  campaign_platform: "android",
  os_major: 12,
  connection: "wifi",
  sizes: ["320x50"],
};

let uuid = "";
let foreign = "";
beforeAll(async () => {
  uuid = await newCampaign();
  foreign = await newCampaign();
  // It has run for long, and its banner is approved.
  await pool.query(
    "UPDATE campaigns SET starts_at = now() - interval '30 days', ends_at = NULL, days = '{1,2,3,4,5,6,7}'",
  );
  await pool.query("UPDATE creatives SET moderation = 'approved', moderated_at = now() - interval '30 days'");
  const { rows } = await pool.query<{ id: number }>("SELECT id FROM campaigns WHERE uuid = $1", [uuid]);
  await pool.query("UPDATE campaigns SET account_id = $1 WHERE uuid = $2", [await at.newAccount(), foreign]);
  const of = { campaign_id: rows[0]?.id ?? 0 };
  await keep(stores.clickhouse, {
    auctions: [
      auction(NOON, { ...fitting, country: "FR" }),
      ...Array.from({ length: 3 }, () => auction(NOON, { ...fitting, price_micros: 1_205_000 + 100_000 })),
      auction(NOON, { ...fitting, floor_micros: 9_000_000 }),
      auction(NOON, { ...fitting, price_micros: 100_000 }),
      auction(NOON, { ...fitting, ...of, price_micros: 1_250_000 }),
    ],
    campaign_misses: [campaignMisses(NOON, { ...of, reason: "daily_budget_spent" })],
  });
});

const spending = async (id: string, accountId = me.accountId) =>
  at.get(accountId, `/campaign/${id}/spending.json?ds=${DAY}&de=${DAY}`);

test("a campaign's opportunities are told by reason, with what to do and a bid that would have won more", async () => {
  const { status, body } = await spending(uuid);
  const answer = body as unknown as Spending;
  expect([status, answer.opportunities, answer.main, answer.better_bid]).toEqual([200, 7, "outbid", 1_310_000]);
  expect(answer.parts.map(({ reason, auctions }) => [reason, auctions])).toEqual([
    ["geography", 1],
    ["floor", 1],
    ["outbid", 3],
    ["daily_budget_spent", 1],
    ["won", 1],
  ]);
  const advice = new Map(answer.parts.map((part) => [part.reason, part.advice]));
  expect(advice.get("outbid")).toBe("Raise the bid: the median winning price there was $1.31.");
  expect(advice.get("floor")).toBe("Raise the bid: the median floor there was $9.00.");
  expect([advice.get("geography"), advice.get("won")]).toEqual([null, null]);
});

/** On every weekday, yesterday's too. */
const runsSinceLong = (id: string) =>
  pool.query(
    `UPDATE campaigns SET starts_at = now() - interval '30 days', ends_at = NULL, days = '{1,2,3,4,5,6,7}' WHERE uuid = $1`,
    [id],
  );

test("requests without a region are told apart from those of other regions, with what either choice means for them", async () => {
  const one = await newCampaign(me.accountId, { region: ["US-CA"] });
  await runsSinceLong(one);
  const day = "2026-02-03";
  await keep(stores.clickhouse, {
    auctions: ["", "", "US-CA", "US-TX"].map((region) => auction(`${day}T12:00:00Z`, { ...fitting, region })),
  });
  const told = async () => {
    await pool.query("UPDATE campaigns SET starts_at = '2026-01-01' WHERE uuid = $1", [one]);
    const { body: answer } = await at.get(me.accountId, `/campaign/${one}/spending.json?ds=${day}&de=${day}`);
    return (answer as unknown as Spending).parts
      .filter(({ reason }) => reason.startsWith("region"))
      .map(({ reason, auctions, text, advice }) => [reason, auctions, text, advice]);
  };
  const noRegions = "Requests from Millrace's SDKs and from video players name no region.";
  expect(await told()).toEqual([
    [
      "region_unknown",
      2,
      "Without a region, in a country of which it targets regions only",
      `${noRegions} Target the whole country to be shown there.`,
    ],
    ["region", 1, "In regions that it does not target", null],
  ]);
  await pool.query("UPDATE campaigns SET geo_type = 'not_in' WHERE uuid = $1", [one]);
  expect(await told()).toEqual([
    [
      "region_unknown",
      2,
      "Without a region, in a country of which it leaves out regions, where it might be",
      `${noRegions} Take the country out of the list to be shown there.`,
    ],
    ["region", 1, "In regions that it leaves out", null],
  ]);
});

test("before a moderator has approved a creative, what fits is the moderation's", async () => {
  const waiting = await newCampaign();
  await runsSinceLong(waiting);
  const answer = (await spending(waiting)).body as unknown as Spending;
  expect(answer.main).toBe("moderation");
  expect(answer.parts.reduce((sum, { auctions }) => sum + auctions, 0)).toBe(answer.opportunities);
});

test("once a creative is approved, the time before it is not what keeps a campaign from spending", async () => {
  const late = await newCampaign();
  await runsSinceLong(late);
  await pool.query(
    `UPDATE creatives SET moderation = 'approved', moderated_at = now()
     WHERE campaign_id = (SELECT id FROM campaigns WHERE uuid = $1)`,
    [late],
  );
  const answer = (await spending(late)).body as unknown as Spending;
  expect(answer.parts.map(({ reason }) => reason)).toContain("moderation");
  expect(answer.main).not.toBe("moderation");
});

test("of a frozen campaign nothing else is called the cause", async () => {
  await pool.query("UPDATE campaigns SET frozen = true WHERE uuid = $1", [uuid]);
  const answer = (await spending(uuid)).body as unknown as Spending;
  await pool.query("UPDATE campaigns SET frozen = false WHERE uuid = $1", [uuid]);
  expect([answer.main, answer.opportunities, answer.frozen]).toEqual([null, 7, true]);
});

test("only days whose auctions are kept are counted", async () => {
  const kept = await campaignsServer(stores, { keptDays: 1 });
  const { body } = await kept.get(me.accountId, `/campaign/${uuid}/spending.json?ds=2020-01-01&de=${DAY}`);
  expect(body).toMatchObject({ days: { ds: DAY, de: DAY }, opportunities: 7 });
  await kept.stop();
});

test("another account's campaign is not there", async () => {
  expect((await spending(foreign)).status).toBe(404);
});

const body = (some: object = {}) => ({
  campaign_format: "banner",
  bid: { type: "cpm", value: 1_250_000, daily: 300_000_000 },
  days: [1, 2, 3, 4, 5, 6, 7],
  day_activity_from: "00:00",
  day_activity_to: "23:59",
  network: "wifi",
  geo_type: "in",
  country: ["DE", "US"],
  platform: ["android"],
  ios: { all: true, min: "12", max: "26" },
  android: { all: false, min: "9", max: "16" },
  limit: [],
  sizes: [{ width: 320, height: 50 }],
  ...some,
});
const reach = (some: object = {}, accountId = me.accountId) => at.send(accountId, "/campaign/reach", body(some));

test("the reach of settings is estimated from last week's auctions, and says that few are known", async () => {
  const { status, body: answer } = await reach();
  expect([status, answer]).toEqual([
    200,
    expect.objectContaining({ days: 1, auctions: 7, matching: 6, enough: false, one_in: 1, held_by: null }) as Reach,
  ]);
  expect((answer as unknown as Reach).reached.map(({ bid }) => bid)).toEqual([1_250_000, 1_880_000, 2_500_000]);
  expect((await reach({ country: ["FR"] })).body).toMatchObject({ matching: 1 });
  expect((await reach({ campaign_format: "image", sizes: [] })).body).toMatchObject({ auctions: 0 });
});

test("settings that no campaign can have are refused", async () => {
  for (const some of [{ bid: { type: "cpm", value: 1, daily: 1 } }, { days: [] }, { platform: ["tv"] }, { name: "x" }])
    expect((await reach(some)).status).toBe(400);
  expect(await reach({ country: ["DE"], region: ["US-CA"] })).toMatchObject({
    status: 400,
    body: { error: { region: "Choose the countries of these regions too" } },
  });
});

test("an account that asks for estimates without end has to wait, and others do not", async () => {
  const eager = await at.newAccount();
  const statuses = new Set<number>();
  for (let tries = 0; tries < 130; tries++) statuses.add((await reach({}, eager)).status);
  expect([...statuses]).toEqual([200, 429]);
  expect((await reach()).status).toBe(200);
});
