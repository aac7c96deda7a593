import { TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { anAdvertiser } from "./testing/an-advertiser.ts";

const stores = await testStores();
const { pool } = stores.pg;
const { at, me, someCreative, newCampaign, campaign, form, acts } = await anAdvertiser(stores);

const STALE = { status: 409, body: { error: TEXTS.stale } };
const revisionOf = async (uuid: string) => (await at.get(me.accountId, `/campaign/${uuid}`)).body["revision"] as string;

test("a save of what somebody else has changed meanwhile is refused, and undoes nothing", async () => {
  const uuid = await newCampaign();
  const fields = await form(uuid);
  const save = (some: object, query: string) =>
    at.send(me.accountId, `/campaign/${uuid}${query}`, { ...fields, ...some });
  const opened = await revisionOf(uuid);
  const raised = { bid: { ...fields.bid, value: 3_000_000 } };
  expect((await save(raised, `?revision=${opened}`)).status).toBe(200);
  expect(await save({ name: "Winter" }, `?revision=${opened}`)).toMatchObject(STALE);
  expect(await campaign(uuid)).toMatchObject({ name: "Autumn", ...raised });

  const reloaded = await revisionOf(uuid);
  const more = { ...raised, creatives: [...fields.creatives, someCreative({ cta: "Play" })] };
  expect((await save(more, `?revision=${reloaded}`)).status).toBe(200);
  expect(await save(raised, `?revision=${reloaded}`)).toMatchObject(STALE);
  expect((await campaign(uuid)).creatives).toHaveLength(2);
  // A program that sends no revision means what it sends.
  expect((await save({ name: "Winter" }, "")).status).toBe(200);
  expect(await campaign(uuid)).toMatchObject({ name: "Winter", bid: fields.bid });
});

test("of two saves at once from the same form, one is refused", async () => {
  const uuid = await newCampaign();
  const [fields, revision] = [await form(uuid), await revisionOf(uuid)];
  const replies = await Promise.all(
    ["Winter", "Spring"].map((name) =>
      at.send(me.accountId, `/campaign/${uuid}?revision=${revision}`, { ...fields, name }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test("what moderators, the platform and the switch do makes no form stale", async () => {
  const uuid = await newCampaign();
  const [fields, revision] = [await form(uuid), await revisionOf(uuid)];
  await pool.query(
    `UPDATE creatives SET moderation = 'approved', categories = '{IAB1}', moderated_at = now()
     WHERE campaign_id = (SELECT id FROM campaigns WHERE uuid = $1)`,
    [uuid],
  );
  await pool.query("UPDATE campaigns SET logo_url = 'https://store.example/icon.png' WHERE uuid = $1", [uuid]);
  await at.send(me.accountId, `/campaign/${uuid}/status?status=frozen`, {});
  const saved = await at.send(me.accountId, `/campaign/${uuid}?revision=${revision}`, { ...fields, name: "Winter" });
  expect(saved.status).toBe(200);
  expect(await campaign(uuid)).toMatchObject({ name: "Winter", status: "frozen" });
});

test("a save that is sent again after a lost reply is answered as the first, and adds its creatives once", async () => {
  const uuid = await newCampaign();
  const [fields, revision] = [await form(uuid), await revisionOf(uuid)];
  const changed = { ...fields, name: "Winter", creatives: [...fields.creatives, someCreative({ cta: "Play" })] };
  const save = (some: object = {}) =>
    at.send(me.accountId, `/campaign/${uuid}?revision=${revision}`, { ...changed, ...some });
  const first = await save();
  expect(first.status).toBe(200);
  const { creatives } = await form(uuid);
  expect(await save()).toEqual(first);
  expect((await form(uuid)).creatives).toEqual(creatives);
  expect(await save({ creatives: [...changed.creatives, someCreative({ cta: "Shop" })] })).toMatchObject(STALE);
  expect(await acts(uuid)).toMatchObject([{ action: "campaign_added" }, { action: "campaign_edited" }]);
});
