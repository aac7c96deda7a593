import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { DAY, deductionDesk } from "../../testing/deductions/deduction-desk.ts";

const desk = await deductionDesk(await testStores());
const { pool, mailsTo, subjectsTo, publisher, answer, dispute, listed, linesOf } = desk;

test("reversing gives the amount back by a posting of its own, with an audit entry and a mail; the first one stays", async () => {
  const { accountId, email, as, noted } = await publisher();
  const uuid = await noted();
  await dispute(as, uuid);
  expect((await answer(uuid, "reversed", "You were right,\nAda")).status).toBe(200);
  expect(await linesOf(accountId)).toEqual([
    `publisher_balance 400000 aurora ${DAY} t Aurora counted fewer impressions`,
    `adjustments -400000 aurora ${DAY} t Aurora counted fewer impressions`,
    `adjustments 400000 aurora ${DAY} t Reversed: Aurora counted fewer impressions`,
    `publisher_balance -400000 aurora ${DAY} t Reversed: Aurora counted fewer impressions`,
  ]);
  const { rows } = await pool.query("SELECT reference FROM ledger_postings WHERE reference LIKE $1", [`%${uuid}%`]);
  expect(rows).toHaveLength(2);
  const { rows: acts } = await pool.query(
    "SELECT subject, details FROM audit_log WHERE action = 'deduction_reversed' AND account_id = $1",
    [accountId],
  );
  expect(acts).toEqual([{ subject: uuid, details: { before: "disputed", amountMicros: 400_000 } }]);
  await expect.poll(() => subjectsTo(email)).toContain("A deduction from your balance was reversed");
  const mail = (await mailsTo(email)).find(({ subject }) => subject.endsWith("reversed"));
  expect(mail?.text).toContain("$0.40 has been given back to your balance.");
  expect(mail?.text).toContain("You were right,\n\nAda");
});

test("upholding moves no money and is mailed with its answer", async () => {
  const { accountId, email, as, noted } = await publisher();
  const uuid = await noted();
  await dispute(as, uuid);
  expect((await answer(uuid, "upheld", "Aurora sent its log")).status).toBe(200);
  expect(await linesOf(accountId)).toHaveLength(2);
  await expect.poll(() => subjectsTo(email)).toContain("A deduction from your balance was upheld");
  const mail = (await mailsTo(email)).find(({ subject }) => subject.endsWith("upheld"));
  expect(mail?.text).toContain("Aurora sent its log");
});

test("answers that the state does not allow change nothing, and of two at once one wins", async () => {
  const { accountId, as, noted } = await publisher();
  const uuid = await noted();
  const stateOf = async () => (await pool.query("SELECT state, answer FROM deductions WHERE uuid = $1", [uuid])).rows;
  const refused = await answer(uuid, "upheld");
  expect([refused.status, refused.body]).toEqual([
    409,
    { error: "Nobody disputes this deduction. It can only be reversed" },
  ]);
  expect(await stateOf()).toEqual([{ state: "noted", answer: null }]);
  await dispute(as, uuid);
  const both = await Promise.all([answer(uuid, "upheld", "One"), answer(uuid, "upheld", "Two")]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await stateOf()).toEqual([{ state: "upheld", answer: both[0].status === 200 ? "One" : "Two" }]);
  expect((await answer(uuid, "upheld")).status).toBe(409);
  expect(await linesOf(accountId)).toHaveLength(2);
  expect((await answer(randomUUID(), "reversed")).status).toBe(404);
  expect((await answer(uuid, "noted")).status).toBe(400);
  expect((await answer(uuid, "reversed", " ")).body).toEqual({ error: { answer: "This field is required" } });
});

test("one that was upheld is reversed later, once, and the new answer takes the place of the former one", async () => {
  const { accountId, as, noted } = await publisher();
  const uuid = await noted();
  await dispute(as, uuid);
  await answer(uuid, "upheld", "Aurora sent its log");
  const both = await Promise.all([
    answer(uuid, "reversed", "Aurora has paid"),
    answer(uuid, "reversed", "It has paid"),
  ]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await linesOf(accountId)).toHaveLength(4);
  expect((await listed(`search=${uuid}`))[0]?.answer?.text).toMatch(/has paid/);
});

test("one that nobody disputes is reversed too, and no other account's money moves", async () => {
  const [one, other] = [await publisher(), await publisher()];
  const uuid = await one.noted();
  await other.note();
  expect((await answer(uuid, "reversed")).status).toBe(200);
  expect(await linesOf(one.accountId)).toHaveLength(4);
  expect(await linesOf(other.accountId)).toHaveLength(2);
});

test("admins find deductions by state and owner, disputed ones first, and read what was written", async () => {
  const [one, other] = [await publisher(), await publisher()];
  const first = await one.noted({ amount: 1 });
  const second = await one.noted({ amount: 2 });
  const third = await other.noted({ amount: 3 });
  await dispute(one.as, second);
  await dispute(one.as, first);
  const mine = [first, second, third];
  const idsOf = async (query: string) =>
    (await listed(query)).map(({ uuid }) => uuid).filter((uuid) => mine.includes(uuid));
  expect(await idsOf("")).toEqual([second, first, third]);
  expect(await idsOf("state=noted")).toEqual([third]);
  expect(await idsOf(`search=${one.email.toUpperCase()}`)).toEqual([second, first]);
  expect(await idsOf(`search=${third}&state=disputed`)).toEqual([]);
  expect(await listed(`search=${first}`)).toMatchObject([
    {
      uuid: first,
      day: DAY,
      reason: "discrepancy",
      app: { name: "Tide" },
      provider: "aurora",
      provider_name: "The aurora",
      amount: 1,
      state: "disputed",
      can_dispute: false,
      dispute: { text: "It was real" },
      answer: null,
      owner: { uuid: one.uuid, email: one.email, name: "Ada" },
    },
  ]);
  // Deleted accounts keep theirs, which nobody can answer any more.
  await pool.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [one.accountId]);
  await pool.query("DELETE FROM users WHERE id = $1", [one.userId]);
  expect(await listed(`search=${first}`)).toMatchObject([{ uuid: first, owner: null }]);
  expect((await answer(first, "reversed")).status).toBe(409);
  expect(await linesOf(one.accountId)).toHaveLength(4);
});
