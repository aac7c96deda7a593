import type { CreativeTest } from "@millrace/contract";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { click, impression, keep } from "../statistics/testing/some-rows.ts";
import { ATTRIBUTION_EXAMPLE, SIGNED_EXAMPLES } from "./apple/fixtures/apple-examples.ts";
import { aMeasuredAdvertiser } from "./testing/measured-advertiser.ts";

const stores = await testStores();
const advertiser = await aMeasuredAdvertiser(stores);
const { at, me, campaign, aCampaign, newCampaign, measurement, conversions } = advertiser;
const { clock } = at;

test("an install that Apple signed is kept once, for the campaign with its app and number", async () => {
  const [high, low] = SIGNED_EXAMPLES;
  const install = await aCampaign(me.accountId, { app_platform: "ios", store_id: "525463029" });
  await stores.pg.pool.query("UPDATE campaigns SET apple_number = 39 WHERE id = $1", [install.id]);
  const sent = async (payload: object, path = "skadnetwork") =>
    (await at.server.inject({ method: "POST", url: `/.well-known/${path}/report-attribution/`, payload })).statusCode;
  expect([await sent(high), await sent(high), await sent(low)]).toEqual([200, 200, 200]);
  // Forged, another ad network's, another app's, and no postback.
  expect(await sent({ ...high, "app-id": 7 })).toBe(400);
  expect(await sent({ ...high, "did-win": false })).toBe(400);
  expect(await sent(SIGNED_EXAMPLES[2])).toBe(404);
  expect(await sent(ATTRIBUTION_EXAMPLE, "appattribution")).toBe(404);
  expect(await sent({})).toBe(400);
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const report = async (accountId: number) =>
    (await at.get(accountId, `/campaign/apple.json?ds=${today}&de=${today}`)).body["campaigns"];
  expect(await report(me.accountId)).toEqual([
    {
      uuid: install.uuid,
      name: "Autumn",
      number: 39,
      installs: 2,
      redownloads: 0,
      reengagements: 0,
      later: 0,
      lost: 0,
      valued: 2,
      tests: 0,
    },
  ]);
  // Counted for the campaign that they claim to be about.
  await measurement();
  const { rows } = await stores.pg.pool.query(
    "SELECT outcome, postbacks::int FROM postback_counts WHERE campaign_id = $1 ORDER BY outcome",
    [install.id],
  );
  expect(rows).toEqual([
    { outcome: "replayed", postbacks: 1 },
    { outcome: "unauthorized", postbacks: 1 },
  ]);
  expect(await conversions(install.id)).toBe(0);
});

test("campaigns for one app of the App Store have numbers of their own, however its id is entered, and other campaigns none", async () => {
  const numberOf = async ({ id }: { id: number }) =>
    (await stores.pg.pool.query<{ n: number | null }>("SELECT apple_number AS n FROM campaigns WHERE id = $1", [id]))
      .rows[0]?.n;
  const own = { app_platform: "ios", store_id: "77" };
  const both = [await aCampaign(me.accountId, own), await aCampaign(me.accountId, own)];
  expect(await Promise.all(both.map(numberOf))).toEqual([1, 2]);
  const [first, again] = [
    await aCampaign(me.accountId, { ...own, store_id: "78" }),
    await aCampaign(me.accountId, { ...own, store_id: "id78" }),
  ];
  expect([await numberOf(first), await numberOf(again)]).toEqual([1, 2]);
  expect(await numberOf(campaign)).toBeNull();
});

test("creatives of one size are compared over the hours that they share, by even choices alone", async () => {
  const [banner, other_size] = [
    await advertiser.imageOf(me.accountId),
    await advertiser.imageOf(me.accountId, 300, 250),
  ];
  const creatives = [banner, banner, other_size].map((image_url) => advertiser.someCreative({ image_url }));
  const uuid = await newCampaign(me.accountId, { creatives });
  const { rows } = await stores.pg.pool.query<{ id: number; creative: number; uuid: string }>(
    `UPDATE creatives r SET moderation = 'approved', waiting_since = '2026-03-01T00:30:00Z', created_at = '2026-03-01'
     FROM campaigns c WHERE c.id = r.campaign_id AND c.uuid = $1 RETURNING c.id, r.id AS creative, r.uuid`,
    [uuid],
  );
  const [one, two] = rows.toSorted((a, b) => a.creative - b.creative);
  if (!one || !two) throw new Error("it has creatives");
  const shown = (creative_id: number, arm: string, many: number, clicks: number, time = "2026-03-01T02:10:00Z") => [
    ...Array.from({ length: many }, () => impression(time, { campaign_id: one.id, creative_id, arm, cost_micros: 1 })),
    ...Array.from({ length: clicks }, () => click(time, { campaign_id: one.id, creative_id, arm })),
  ];
  await keep(stores.clickhouse, {
    events: [
      ...shown(one.creative, "even", 400, 10),
      ...shown(two.creative, "held", 420, 160),
      // Learned, and before both were there.
      ...shown(one.creative, "learned", 300, 300),
      ...shown(one.creative, "even", 300, 300, "2026-03-01T00:40:00Z"),
    ],
  });
  const tests = (await at.get(me.accountId, `/campaign/${uuid}/tests.json`)).body["tests"] as CreativeTest[];
  expect(tests).toMatchObject([
    {
      place: "Banners of 320×50",
      since: "2026-03-01T01:00:00.000Z",
      creatives: [
        { c_id: one.uuid, impressions: 400, clicks: 10, conversions: 0, ctr: { value: 2.5 } },
        { c_id: two.uuid, impressions: 420, clicks: 160, ctr: { value: (100 * 160) / 420 } },
      ],
      ctr: { winner: two.uuid, leading: { c_id: two.uuid, next: one.uuid } },
      cvr: { winner: null },
    },
  ]);
  expect(tests[0]?.ctr.leading?.low).toBeGreaterThan(20);
});
