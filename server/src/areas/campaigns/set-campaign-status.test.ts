import { expect, test } from "vitest";
import { somePng } from "../../platform/images/testing/some-images.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { type Shown, anAdvertiser } from "./testing/an-advertiser.ts";
import { campaignsServer } from "./testing/campaigns-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
const { at, me, imageOf, someCreative, someFields, newCampaign, campaign, list, form, acts } =
  await anAdvertiser(stores);

test("another account's campaign is not there", async () => {
  const uuid = await newCampaign();
  const other = await at.newAccount({ balance: 1 });
  expect((await at.get(other, `/campaign/${uuid}`)).status).toBe(404);
  expect((await at.send(other, `/campaign/${uuid}`, await form(uuid))).status).toBe(404);
  for (const status of ["active", "frozen", "delete"])
    expect((await at.send(other, `/campaign/${uuid}/status?status=${status}`, {})).status).toBe(404);
  expect((await list(other)).campaigns).toEqual([]);
  expect((await campaign(uuid))["status"]).toBe("active");
});

test("a campaign is frozen, started and deleted, each logged once", async () => {
  const uuid = await newCampaign();
  const set = (status: string) => at.send(me.accountId, `/campaign/${uuid}/status?status=${status}`, {});
  for (let twice = 0; twice < 2; twice++) expect((await set("frozen")).body).toEqual({ ok: 1 });
  expect(await campaign(uuid)).toMatchObject({ status: "frozen", campaign_status: "frozen", status_reason: null });
  const byGet = await at.get(me.accountId, `/campaign/${uuid}/status?status=active`);
  expect(byGet.body).toEqual({ ok: 1 });
  expect((await campaign(uuid))["status"]).toBe("active");
  expect((await set("delete")).body).toEqual({ ok: 1 });
  expect((await at.get(me.accountId, `/campaign/${uuid}`)).status).toBe(404);
  expect((await set("delete")).status).toBe(404);
  expect((await acts(uuid)).map(({ action, details }) => [action, details["status"]])).toEqual([
    ["campaign_added", undefined],
    ["campaign_status_set", "frozen"],
    ["campaign_status_set", "active"],
    ["campaign_deleted", undefined],
  ]);
});

test("a campaign without balance says so and does not start; one that is over does not either", async () => {
  const poor = await at.newAccount();
  const image_url = await imageOf(poor);
  const uuid = await newCampaign(poor, { creatives: [someCreative({ image_url })] });
  expect((await list(poor)).campaigns[0]).toMatchObject({
    campaign_status: "pause",
    status_reason: "The campaign balance is empty. To refill it, contact support.",
  });
  await at.send(poor, `/campaign/${uuid}/status?status=frozen`, {});
  const started = await at.send(poor, `/campaign/${uuid}/status?status=active`, {});
  expect([started.status, started.body]).toEqual([
    409,
    { error: "Your campaign balance is empty. Contact support to refill it, then start the campaign" },
  ]);
  expect((await campaign(uuid, poor))["status"]).toBe("frozen");

  const over = await newCampaign();
  await pool.query(
    "UPDATE campaigns SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 day' WHERE uuid = $1",
    [over],
  );
  const late = await at.send(me.accountId, `/campaign/${over}/status?status=active`, {});
  expect([late.status, late.body["error"]]).toEqual([409, expect.stringContaining("is over")]);
});

test("in a demo, the creatives of demo accounts need no moderation, and those of others do", async () => {
  const demo = await campaignsServer(stores, { demo: true });
  for (const [isDemo, status] of [
    [true, "moderated"],
    [false, "new"],
  ] as const) {
    const account = await demo.newAccount({ demo: isDemo, balance: 1 });
    const { body } = await demo.upload(account, { content: await somePng(), fileName: "b.png" });
    const creatives = [someCreative({ image_url: body["url"] })];
    const added = await demo.send(account, "/campaign/add", someFields({ creatives }));
    const found = await demo.get(account, `/campaign/${String(added.body["uuid"])}`);
    expect((found.body["campaign"] as Shown).creatives[0]?.status).toBe(status);
  }
  await demo.stop();
});

test("the campaigns of a deleted account are out of service, and were in its export", async () => {
  const account = await at.newAccount({ balance: 1 });
  const uuid = await newCampaign(account, { creatives: [someCreative({ image_url: await imageOf(account) })] });
  expect(await at.campaigns.belongingsOf(account)).toMatchObject({
    campaigns: [{ uuid, name: "Autumn", creatives: [{ click_url: "https://shop.example/tide" }] }],
  });
  await inTransaction(pool, (client) => at.campaigns.closeAccount(client, account));
  expect((await list(account)).campaigns).toEqual([]);
  const { rows } = await pool.query(
    `SELECT c.deleted_at IS NULL AS campaign, r.deleted_at IS NULL AS creative
     FROM campaigns c JOIN creatives r ON r.campaign_id = c.id WHERE c.uuid = $1`,
    [uuid],
  );
  expect(rows).toEqual([{ campaign: false, creative: false }]);
});
