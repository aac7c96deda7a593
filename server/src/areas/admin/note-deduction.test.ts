import { randomUUID } from "node:crypto";
import type { Reply, deductible } from "@millrace/contract";
import { addDays } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { DAY, TODAY, deductionDesk } from "../../testing/deductions/deduction-desk.ts";
import { earn, newApp } from "../../testing/deductions/some-earnings.ts";
import { newPerson } from "../../testing/test-platform.ts";
import { auction, keep } from "../statistics/testing/some-rows.ts";

const stores = await testStores();
const desk = await deductionDesk(stores);
const { pool, ask, asAdmin, mailsTo, subjectsTo, publisher, note, answer, listed, linesOf } = desk;
/** Requests of this day may be deleted already. */
const LONG_AGO = addDays(TODAY, -200);

test("a deduction is noted once for its key, with one posting, one audit entry and one mail to the owner", async () => {
  const { accountId, email, uuid, body, app } = await publisher();
  const asked = body();
  const replies = await Promise.all(Array.from({ length: 5 }, () => note(uuid, asked)));
  const noted = replies[0]?.body["uuid"];
  for (const { status, body: reply } of replies)
    expect([status, reply]).toEqual([200, { uuid: noted, balance: 1_100_000 }]);
  expect(await linesOf(accountId)).toEqual([
    `publisher_balance 400000 aurora ${DAY} t Aurora counted fewer impressions`,
    `adjustments -400000 aurora ${DAY} t Aurora counted fewer impressions`,
  ]);
  const { rows: acts } = await pool.query(
    "SELECT subject, account_id, details FROM audit_log WHERE action = 'deduction_noted' AND account_id = $1",
    [accountId],
  );
  expect(acts).toMatchObject([
    { subject: noted, account_id: accountId, details: { app: app.uuid, provider: "aurora", amountMicros: 400_000 } },
  ]);
  await expect.poll(() => subjectsTo(email)).toEqual(["An amount was deducted from your balance"]);
  const [mail] = await mailsTo(email);
  expect(mail?.text).toContain("$0.40 has been deducted from your balance.");
  expect(mail?.text).toContain("The aurora. The partner counted less: Aurora counted fewer impressions");
  expect(mail?.text).toContain("https://millrace.example/payment/deductions");
});

test.each([
  ["amount", { amount: 400_001 }],
  ["reason", { reason: "clawback" }],
  ["partner", { provider: "borealis" }],
  ["day", { day: addDays(DAY, -1) }],
  ["explanation", { explanation: "Another one" }],
])("the same key with another %s is refused, and nothing is booked", async (_what, change) => {
  const { accountId, uuid, body } = await publisher();
  const asked = body();
  expect((await note(uuid, asked)).status).toBe(200);
  expect((await note(uuid, { ...asked, ...change })).status).toBe(409);
  // In capitals it is the same key.
  expect((await note(uuid, { ...asked, key: asked.key.toUpperCase() })).status).toBe(200);
  expect(await linesOf(accountId)).toHaveLength(2);
});

test("a key of another account is refused, also when both ask at once", async () => {
  const [one, other] = [await publisher(), await publisher()];
  const key = randomUUID();
  const replies = await Promise.all([one.note({ key }), other.note({ key })]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test("a deduction takes at most what is left of the earnings of its app, day and partner", async () => {
  const { note, noted, accountId } = await publisher();
  const refusal = async (some: object) => {
    const { status, body } = await note(some);
    return [status, body["error"]];
  };
  const atMost = (left: string) => [422, { amount: `At most ${left} is left of what the ledger holds as earned` }];
  const nothing = [422, { amount: "Nothing is left of what the ledger holds as earned" }];
  expect(await refusal({ amount: 1_000_001 })).toEqual(atMost("$1.00"));
  expect(await refusal({ day: addDays(DAY, -1) })).toEqual(nothing);
  const first = await noted({ amount: 600_000 });
  expect(await refusal({ amount: 400_001 })).toEqual(atMost("$0.40"));
  // Without a partner it is about all of them together, and leaves less of each.
  expect(await refusal({ reason: "invalid_traffic", provider: null, amount: 900_001 })).toEqual(atMost("$0.90"));
  expect((await note({ reason: "invalid_traffic", provider: null, amount: 800_000 })).status).toBe(200);
  expect(await refusal({ amount: 100_001 })).toEqual(atMost("$0.10"));
  // What is given back can be deducted again.
  expect((await answer(first, "reversed")).status).toBe(200);
  expect(await refusal({ amount: 700_001 })).toEqual(atMost("$0.70"));
  expect((await note({ amount: 700_000 })).body["balance"]).toBe(0);
  expect(await refusal({ amount: 1 })).toEqual(nothing);
  expect((await linesOf(accountId)).filter((line) => line.startsWith("publisher_balance"))).toHaveLength(4);
});

test("two deductions at once do not take the same earnings", async () => {
  const { note } = await publisher();
  const replies = await Promise.all([note({ amount: 600_000 }), note({ amount: 600_000 })]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

const some = expect.any(String) as string;
test.each([
  ["nothing", { amount: 0 }, 400, { amount: "Deduct more than 0" }],
  ["a negative amount", { amount: -1 }, 400, { amount: "Deduct more than 0" }],
  ["part of a micro-dollar", { amount: 0.5 }, 400, { amount: some }],
  ["no explanation", { explanation: " " }, 400, { explanation: "This field is required" }],
  ["another reason", { reason: "mood" }, 400, { reason: some }],
  ["a partner's discrepancy without the partner", { provider: null }, 400, { provider: "Choose the partner" }],
  ["an unknown partner", { provider: "nobody" }, 422, { provider: "There is no such partner" }],
  ["no day", { day: "2026-02-30" }, 400, { day: some }],
  ["today", { day: TODAY }, 422, { day: "Choose a day that is over (UTC)" }],
  ["an unknown app", { app: randomUUID() }, 404, { app: "This account has no such app" }],
  ["eleven auctions", { auctions: Array.from({ length: 11 }, () => randomUUID()) }, 400, { auctions: some }],
  ["an auction that is none", { auctions: ["1"] }, 400, { "auctions.0": some }],
  ["a field too many", { state: "upheld" }, 400, { state: "This field is not known" }],
])("%s is refused at its field, and nothing is noted", async (_what, wrong, status, error) => {
  const { accountId, note } = await publisher();
  const reply = await note(wrong);
  expect([reply.status, reply.body]).toEqual([status, { error }]);
  expect(await linesOf(accountId)).toEqual([]);
  const { rowCount } = await pool.query("SELECT FROM deductions WHERE account_id = $1", [accountId]);
  expect(rowCount).toBe(0);
});

test("another account's app, an account without apps and an unknown user are refused; a deleted app is not", async () => {
  const [one, other] = [await publisher(), await publisher()];
  expect((await one.note({ app: other.app.uuid })).body).toEqual({ error: { app: "This account has no such app" } });
  const advertiser = await newPerson(pool, "advertiser@example.com", { canApps: false });
  expect((await note(advertiser.uuid, one.body())).status).toBe(422);
  expect((await note(randomUUID(), one.body())).status).toBe(404);
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [one.app.id]);
  expect((await one.note()).status).toBe(200);
});

test("sample auctions are recorded ones of the app; those of a day whose requests may be deleted are taken as they are", async () => {
  const { accountId, email, app, note } = await publisher();
  const [own, foreign, unknown] = [randomUUID(), randomUUID(), randomUUID()];
  await keep(stores.clickhouse, {
    auctions: [
      auction(`${DAY}T10:00:00Z`, { auction_id: own, app_id: app.id }),
      auction(`${DAY}T10:00:00Z`, { auction_id: foreign, app_id: app.id + 1000 }),
    ],
  });
  for (const wrong of [foreign, unknown]) {
    const { status, body } = await note({ auctions: [own, wrong] });
    expect([status, body]).toEqual([422, { error: { auctions: `Not recorded for this app: ${wrong}` } }]);
  }
  expect((await note({ auctions: [own.toUpperCase(), own] })).status).toBe(200);
  await earn(pool, { accountId, appId: app.id, day: LONG_AGO, provider: "aurora", revenueMicros: 10 });
  const old = { day: LONG_AGO, amount: 1 };
  expect((await note({ ...old, auctions: [unknown] })).status).toBe(200);
  expect((await note({ ...old, auctions: [foreign] })).status).toBe(422);
  const deductions = await listed(`search=${email}`);
  expect(deductions.map(({ auctions }) => auctions)).toEqual([[unknown], [own]]);
});

test("the list of a day's deductible earnings has each app and partner, the largest first, with the advertisers who paid them", async () => {
  const { uuid, app, accountId, note } = await publisher();
  const second = await newApp(pool, accountId, "Chess");
  await earn(pool, { accountId, appId: second.id, day: DAY, provider: "campaigns", revenueMicros: 7 });
  const sold = { accountId, appId: app.id, day: DAY, provider: "campaigns" };
  const [one, other] = [await newPerson(pool, "one@example.com"), await newPerson(pool, "other@example.com")];
  for (const revenueMicros of [1, 2]) await earn(pool, { ...sold, revenueMicros, advertiserId: one.accountId });
  await earn(pool, { ...sold, revenueMicros: 4, advertiserId: other.accountId });
  await note({ amount: 1_000_000 });
  const path = `/admin/users/${uuid}/deductible.json?day=`;
  const { body } = await ask(asAdmin, "GET", path + DAY);
  expect(body as Reply<typeof deductible>).toEqual({
    apps: [
      {
        uuid: second.uuid,
        name: "Chess",
        left: 7,
        providers: [{ provider: "campaigns", name: "Campaigns", left: 7 }],
        advertisers: [],
      },
      {
        uuid: app.uuid,
        name: "Tide",
        left: 500_007,
        providers: [
          { provider: "borealis", name: "The borealis", left: 500_000 },
          { provider: "campaigns", name: "Campaigns", left: 7 },
        ],
        advertisers: [
          { email: "other@example.com", paid: 4 },
          { email: "one@example.com", paid: 3 },
        ],
      },
    ],
  });
  expect((await ask(asAdmin, "GET", path + addDays(DAY, -1))).body).toEqual({ apps: [] });
});
