import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import type { Figures } from "./deps.ts";
import { anAdvertiser } from "./testing/an-advertiser.ts";

const stores = await testStores();
const figures = new Map<number, Figures>();
const { at, me, newCampaign, list } = await anAdvertiser(stores, {
  figuresOf: async (ids) => new Map([...figures].filter(([id]) => ids.includes(id))),
});

/** A campaign that has cost something. */
async function costing(costs: number, name: string): Promise<string> {
  const uuid = await newCampaign(me.accountId, { name });
  const { rows } = await stores.pg.pool.query<{ id: number }>("SELECT id FROM campaigns WHERE uuid = $1", [uuid]);
  figures.set(rows[0]?.id ?? 0, { impressions: 1, clicks: 0, conversions: 0, costs });
  return uuid;
}

test("beside its totals, the list says what deleted campaigns cost, unless campaigns are searched for", async () => {
  await costing(3000, "Kept");
  const gone = await costing(9000, "Gone");
  expect(await list(me.accountId)).not.toHaveProperty("deleted_costs");
  await at.send(me.accountId, `/campaign/${gone}/status?status=delete`, {});
  expect(await list(me.accountId)).toMatchObject({ totals: { costs: 3000 }, deleted_costs: 9000 });
  expect(await list(me.accountId, "?search=Kept")).not.toHaveProperty("deleted_costs");
});
