import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const { pool, ask, mailsTo } = await testPlatform(await testStores(), { PUBLIC_URL: "https://millrace.example" });
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const asAdmin = { cookie: await sessionOf(pool, admin) };
const REASON = "Invalid traffic on Nov 12th";

let people = 0;
async function newAdvertiser() {
  const owner = await newPerson(pool, `advertiser-${++people}@example.com`);
  return {
    ...owner,
    asOwner: { cookie: await sessionOf(pool, owner) },
    credit: (amount: number, some: object = {}) =>
      ask(asAdmin, "POST", `/admin/users/${owner.uuid}/credit`, { amount, reason: REASON, key: randomUUID(), ...some }),
  };
}

test("a credit is booked once for its key, from the platform's own money, with a reason that is in the log, the history and a mail", async () => {
  const { uuid, email, accountId, asOwner, credit } = await newAdvertiser();
  const key = randomUUID();
  for (const again of [key, key.toUpperCase()])
    expect(await credit(9_000_001, { key: again })).toMatchObject({
      status: 200,
      body: { campaign_balance: 9_000_001 },
    });
  expect((await credit(9_000_000, { key })).status).toBe(409);
  expect((await credit(9_000_001, { key, reason: "Another" })).status).toBe(409);
  const { rows } = await pool.query(
    `SELECT p.kind, p.reason, l.book, l.account_id, l.amount_micros FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
     WHERE p.actor_user_id = $1 ORDER BY l.line`,
    [admin.userId],
  );
  const posting = { kind: "advertiser_credit", reason: REASON };
  expect(rows).toEqual([
    { ...posting, book: "adjustments", account_id: null, amount_micros: "9000001" },
    { ...posting, book: "campaign_balance", account_id: accountId, amount_micros: "-9000001" },
  ]);
  const acts = await pool.query("SELECT subject, details FROM audit_log WHERE action = 'advertiser_credited'");
  expect(acts.rows).toEqual([{ subject: uuid, details: { key, amountMicros: 9_000_001, reason: REASON } }]);
  expect((await ask(asOwner, "GET", "/payment/balance.json?p=0")).body).toMatchObject({
    balance: 9_000_001,
    history: [{ type: "advertiser_credit", amount: 9_000_001, comment: REASON, day: null }],
  });
  const mails = async () => (await mailsTo(email)).filter(({ subject }) => subject.includes("credited"));
  await expect.poll(async () => (await mails()).length).toBe(1);
  expect((await mails())[0]?.text).toContain(`Reason: ${REASON}`);
});

test("a credit is taken back as far as it is not spent, held or taken back already, and is no spend then", async () => {
  const { uuid, email, accountId, asOwner, credit } = await newAdvertiser();
  const refused = (sentence: string) => ({
    status: 422,
    body: {
      error: { amount: `${sentence} of the credits is neither taken back, spent nor held by running campaigns` },
    },
  });
  expect(await credit(-1)).toMatchObject(refused("At most $0.00"));
  await credit(5_000_000);
  await ask(asAdmin, "POST", `/admin/users/${uuid}/refill`, {
    amount: 3_000_000,
    reason: "Invoice 7",
    key: randomUUID(),
  });
  expect(await credit(-5_000_001)).toMatchObject(refused("At most $5.00"));
  await pool.query(
    "INSERT INTO account_budgets (account_id, spent_micros, leased_micros) VALUES ($1, 4000000, 2000000)",
    [accountId],
  );
  expect(await credit(-2_000_001)).toMatchObject(refused("At most $2.00"));
  const key = randomUUID();
  for (const _ of [1, 2])
    expect(await credit(-2_000_000, { key })).toMatchObject({ status: 200, body: { campaign_balance: 2_000_000 } });
  expect((await ask(asOwner, "GET", "/balance/campaign")).body).toMatchObject({ daily_spend: 0, days_left: null });
  const subjects = async () => (await mailsTo(email)).map(({ subject }) => subject);
  await expect.poll(subjects).toContain("A credit of your campaign balance was corrected");
});

test("only who owns an account with campaigns is credited, with a reason, by an amount", async () => {
  const { credit } = await newAdvertiser();
  expect((await credit(0)).status).toBe(400);
  expect((await credit(1_000_000_000_001)).status).toBe(400);
  expect((await credit(1, { reason: " " })).status).toBe(400);
  const publisher = await newPerson(pool, "publisher@example.com", { canCampaign: false });
  const path = (uuid: string) => `/admin/users/${uuid}/credit`;
  const body = { amount: 1, reason: REASON, key: randomUUID() };
  expect((await ask(asAdmin, "POST", path(publisher.uuid), body)).status).toBe(422);
  expect((await ask(asAdmin, "POST", path(randomUUID()), body)).status).toBe(404);
});
