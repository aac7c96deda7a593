import { APPLE_NUMBERS } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { aMeasuredAdvertiser } from "../testing/measured-advertiser.ts";

const stores = await testStores();
const { at, me, newCampaign, imageOf, someCreative } = await aMeasuredAdvertiser(stores);
const { pool } = stores.pg;

let stranger = 0;
const images = new Map<number, string>();
beforeAll(async () => {
  stranger = await at.newAccount({ balance: 0 });
  for (const accountId of [stranger, me.accountId]) images.set(accountId, await imageOf(accountId));
});

/** The number of a new campaign for an app of the App Store. */
async function numberOfNew(accountId: number, store_id: string): Promise<number | null> {
  const creatives = [someCreative({ image_url: images.get(accountId) })];
  const uuid = await newCampaign(accountId, { store_id, app_platform: "ios", platform: ["iphone"], creatives });
  const { rows } = await pool.query<{ n: number | null }>("SELECT apple_number AS n FROM campaigns WHERE uuid = $1", [
    uuid,
  ]);
  return rows[0]?.n ?? null;
}
async function takeAll(accountId: number, store_id: string): Promise<void> {
  for (let nth = 0; nth < APPLE_NUMBERS.ofAccount; nth++) expect(await numberOfNew(accountId, store_id)).toBe(nth + 1);
}

test("an account has a share of the numbers of an app of the App Store, and leaves the others to the app's advertiser", async () => {
  await takeAll(stranger, "id284882215");
  expect(await numberOfNew(stranger, "id284882215")).toBeNull();
  // With or without "id" it is the same app; another app has numbers of its own.
  expect(await numberOfNew(stranger, "284882215")).toBeNull();
  expect(await numberOfNew(stranger, "id284882216")).toBe(1);
  expect(await numberOfNew(me.accountId, "id284882215")).toBe(APPLE_NUMBERS.ofAccount + 1);
});

test("an account's deleted campaigns count for its share of an app's numbers for as long as their numbers are not free", async () => {
  await takeAll(stranger, "501");
  const deletedFor = (days: number) =>
    pool.query("UPDATE campaigns SET deleted_at = now() - make_interval(days => $1) WHERE store_id = '501'", [days]);
  await deletedFor(59);
  expect(await numberOfNew(stranger, "id501")).toBeNull();
  await deletedFor(61);
  expect(await numberOfNew(stranger, "id501")).toBe(1);
});

test("campaigns that are made at once do not pass their account's share of an app's numbers", async () => {
  const numbers = await Promise.all(
    Array.from({ length: APPLE_NUMBERS.ofAccount + 5 }, () => numberOfNew(stranger, "502")),
  );
  const given = numbers.filter((number) => number !== null);
  expect(new Set(given).size).toBe(APPLE_NUMBERS.ofAccount);
  expect(given).toHaveLength(APPLE_NUMBERS.ofAccount);
});
