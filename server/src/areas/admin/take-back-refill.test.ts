import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const { pool, ask, mailsTo } = await testPlatform(await testStores(), { PUBLIC_URL: "https://millrace.example" });
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const asAdmin = { cookie: await sessionOf(pool, admin) };

let people = 0;
/** An advertiser with a refill of $10, and what an admin asks of it. */
async function newAdvertiser() {
  const owner = await newPerson(pool, `advertiser-${++people}@example.com`);
  const refill = randomUUID();
  const body = { amount: 10_000_000, reason: "Invoice 7", key: refill };
  expect((await ask(asAdmin, "POST", `/admin/users/${owner.uuid}/refill`, body)).status).toBe(200);
  return {
    ...owner,
    refill,
    takeBack: (amount: number, some: object = {}) =>
      ask(asAdmin, "POST", `/admin/users/${owner.uuid}/take_back`, {
        refill,
        amount,
        reason: "$1 was meant",
        key: randomUUID(),
        ...some,
      }),
    refills: async () => (await ask(asAdmin, "GET", `/admin/users/${owner.uuid}/refills.json`)).body["refills"],
  };
}

test("a part of a refill is taken back once for its key, with a reason that is in the log, the history and a mail", async () => {
  const { uuid, email, accountId, userId, refill, takeBack, refills } = await newAdvertiser();
  const key = randomUUID();
  for (const again of [key, key.toUpperCase()])
    expect(await takeBack(9_000_000, { key: again })).toMatchObject({
      status: 200,
      body: { campaign_balance: 1_000_000 },
    });
  expect((await takeBack(8_000_000, { key })).status).toBe(409);
  expect(await refills()).toMatchObject([
    { key: refill, amount: 10_000_000, taken_back: 9_000_000, reason: "Invoice 7" },
  ]);
  const { rows } = await pool.query(
    `SELECT l.book, l.account_id, l.amount_micros FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
     WHERE p.kind = 'refill_taken_back' AND p.reason = '$1 was meant' AND p.actor_user_id = $1 ORDER BY l.line`,
    [admin.userId],
  );
  expect(rows).toEqual([
    { book: "campaign_balance", account_id: accountId, amount_micros: "9000000" },
    { book: "cash", account_id: null, amount_micros: "-9000000" },
  ]);
  const acts = await pool.query("SELECT subject, details FROM audit_log WHERE action = 'refill_taken_back'");
  expect(acts.rows).toEqual([
    { subject: uuid, details: { refill, key, amountMicros: 9_000_000, reason: "$1 was meant" } },
  ]);
  const asOwner = { cookie: await sessionOf(pool, { userId, accountId }) };
  expect((await ask(asOwner, "GET", "/payment/balance.json?p=0")).body).toMatchObject({
    balance: 1_000_000,
    history: [{ type: "refill_taken_back", amount: -9_000_000, comment: "$1 was meant" }, { type: "refill" }],
  });
  // It is no spend, from which it would be predicted how long the balance lasts.
  expect((await ask(asOwner, "GET", "/balance/campaign")).body).toMatchObject({ daily_spend: 0, days_left: null });
  await expect
    .poll(async () => (await mailsTo(email)).map(({ subject }) => subject), { timeout: 20_000 })
    .toContain("A refill of your campaign balance was corrected");
});

test("no more is taken back than is left of the refill, and than is neither spent nor held by running campaigns", async () => {
  const { accountId, takeBack } = await newAdvertiser();
  const refused = (sentence: string) => ({ status: 422, body: { error: { amount: sentence } } });
  expect(await takeBack(10_000_001)).toMatchObject(refused("At most $10.00 is left of this refill"));
  await pool.query(
    "INSERT INTO account_budgets (account_id, spent_micros, leased_micros) VALUES ($1, 6000000, 1000000)",
    [accountId],
  );
  expect(await takeBack(3_000_001)).toMatchObject(
    refused("At most $3.00 is neither spent nor held by running campaigns"),
  );
  expect(await takeBack(3_000_000)).toMatchObject({ status: 200, body: { campaign_balance: 1_000_000 } });
});

test("a refill of another account, and one that does not exist, is not found", async () => {
  const [one, other] = [await newAdvertiser(), await newAdvertiser()];
  for (const refill of [other.refill, randomUUID()])
    expect((await one.takeBack(1_000_000, { refill })).status).toBe(404);
  expect(await other.refills()).toMatchObject([{ taken_back: 0 }]);
});
