import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { anAdvertiser } from "./testing/an-advertiser.ts";

const stores = await testStores();
const { at, me, someFields, someCreative, campaign, list } = await anAdvertiser(stores);

const add = (key: string, some: object = {}, query = "") =>
  at.send(me.accountId, `/campaign/add?key=${key}${query}`, someFields(some));
const added = async (name: string) => (await list(me.accountId, `?search=${name}`)).campaigns.map(({ uuid }) => uuid);

test("a campaign that is sent again after a lost reply is added once, also with capitals and at once", async () => {
  const key = randomUUID();
  const two = { name: "Twice", creatives: [someCreative(), someCreative({ cta: "Play" })] };
  const replies = await Promise.all([add(key, two), add(key.toUpperCase(), two)]);
  const uuid = String((await added("Twice"))[0]);
  for (const { status, body } of replies) expect([status, body]).toEqual([200, { uuid, redirect_to: "/campaign" }]);
  expect(await added("Twice")).toHaveLength(1);
  expect((await campaign(uuid)).creatives).toHaveLength(2);
  expect((await add(randomUUID(), two)).status).toBe(200);
  expect(await added("Twice")).toHaveLength(2);
});

test("a campaign that starts when it is saved is also added once, whatever minute it is by then", async () => {
  const key = randomUUID();
  const now = (start_time: string) => add(key, { name: "Soon", start_time, end_date: null }, "&start=now");
  expect((await now("10:00")).status).toBe(200);
  expect((await now("10:01")).status).toBe(200);
  expect(await added("Soon")).toHaveLength(1);
});

test("a campaign that was changed before it was sent again is refused, not dropped in silence", async () => {
  const key = randomUUID();
  const refusal = {
    status: 409,
    body: {
      error: "This campaign was already added, with what you had entered before. To change it, open it in the list.",
    },
  };
  expect((await add(key, { name: "Changed" })).status).toBe(200);
  expect(await add(key, { name: "Changed", budget: 7_000_000 })).toMatchObject(refusal);
  expect(await add(key, { name: "Changed", creatives: [someCreative({ cta: "Play" })] })).toMatchObject(refusal);
  const [uuid] = await added("Changed");
  await at.send(me.accountId, `/campaign/${String(uuid)}/status?status=delete`, {});
  expect(await add(key, { name: "Changed" })).toMatchObject({ status: 404 });
  expect(await added("Changed")).toEqual([]);
});
