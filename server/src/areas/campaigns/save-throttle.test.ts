import { randomUUID } from "node:crypto";
import { inhouseForm } from "@millrace/contract";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { anAdvertiser } from "./testing/an-advertiser.ts";

const { at, me, someFields } = await anAdvertiser(await testStores());

test("an account saves campaigns three hundred times an hour, in-house ones included", async () => {
  const [busy, other] = [await at.newAccount(), await at.newAccount()];
  const form = inhouseForm({
    title: "Try Tide",
    desc: "Our puzzle",
    ad_app_id: randomUUID(),
    app_id: [randomUUID()],
    price: 0,
    geo_type: "in",
    country: ["DE"],
    ios: { all: true, min: "12", max: "26" },
    android: { all: false, min: "9", max: "16" },
    format: "image",
    target_url: "https://tide.example/",
    store_id: "com.example.tide",
    store_country: "US",
    image_l: me.banner,
  }).toString();
  const inhouse = async (accountId: number, path: string) =>
    (await at.post(accountId, path, form, "application/x-www-form-urlencoded")).status;
  const saves = [
    async (accountId: number) => (await at.send(accountId, "/campaign/add", someFields())).status,
    async (accountId: number) => (await at.send(accountId, `/campaign/${randomUUID()}`, someFields())).status,
    (accountId: number) => inhouse(accountId, "/inhouse/add"),
    (accountId: number) => inhouse(accountId, `/inhouse/${randomUUID()}/edit`),
  ];
  // Each of them is wrong, and none is saved.
  for (let nth = 0; nth < 75; nth++)
    expect(await Promise.all(saves.map((save) => save(busy)))).toEqual([400, 404, 400, 404]);
  expect(await Promise.all(saves.map((save) => save(busy)))).toEqual([429, 429, 429, 429]);
  expect(await Promise.all(saves.map((save) => save(other)))).toEqual([400, 404, 400, 404]);
});
