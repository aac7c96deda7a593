import { randomUUID } from "node:crypto";
import type { Deduction, Reply, Role, deductions } from "@millrace/contract";
import { addDays } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { DAY, TODAY, deductionDesk } from "../../../testing/deductions/deduction-desk.ts";
import { type As, newPerson, sessionOf } from "../../../testing/test-platform.ts";

const desk = await deductionDesk(await testStores());
const { pool, ask, admin, mailsTo, subjectsTo, publisher, dispute, answer, linesOf } = desk;

const list = async (as: As, query = "") =>
  (await ask(as, "GET", `/payment/deductions.json?${query}`)).body as unknown as Reply<typeof deductions>;
const rowOf = async (uuid: string) => (await pool.query("SELECT * FROM deductions WHERE uuid = $1", [uuid])).rows[0];
const endOn = (uuid: string, day: string) =>
  pool.query("UPDATE deductions SET dispute_until = $2 WHERE uuid = $1", [uuid, day]);

/** A session of another member of the account. */
async function memberOf(accountId: number, role: Role): Promise<As> {
  const { userId } = await newPerson(pool, `${role.toLowerCase()}-${randomUUID()}@example.com`);
  await pool.query("UPDATE memberships SET account_id = $2, role = $3 WHERE user_id = $1", [userId, accountId, role]);
  return { cookie: await sessionOf(pool, { userId, accountId }) };
}

test("a publisher reads what was deducted, why and until when it can be disputed", async () => {
  const { as, app, noted } = await publisher();
  const uuid = await noted();
  expect(await list(as)).toEqual({
    held_back: 400_000,
    given_back: 0,
    deductions: [
      {
        uuid,
        noted_at: expect.stringContaining(TODAY) as string,
        day: DAY,
        reason: "discrepancy",
        explanation: "Aurora counted fewer impressions",
        app: { uuid: app.uuid, name: "Tide", platform: "ios" },
        provider: "aurora",
        provider_name: "The aurora",
        amount: 400_000,
        state: "noted",
        dispute_until: addDays(TODAY, 14),
        can_dispute: true,
        auctions: [],
        dispute: null,
        answer: null,
      } satisfies Deduction,
    ],
    pager: { current_page: 1, entries_per_page: 10, first_page: 1, last_page: 1 },
  });
});

test("a dispute is kept with its text, moves no money, and is mailed to the admins without it", async () => {
  const { as, accountId, userId, noted } = await publisher();
  const uuid = await noted();
  const blocked = await newPerson(pool, "blocked-admin@example.com", { role: "admin" });
  await pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked.userId]);
  expect((await dispute(as, uuid, "  My players are real.\nLook again. ")).body).toEqual({ ok: 1 });
  const [deduction] = (await list(as)).deductions;
  expect(deduction).toMatchObject({
    state: "disputed",
    can_dispute: false,
    dispute: { text: "My players are real.\nLook again." },
    answer: null,
  });
  expect(await linesOf(accountId)).toHaveLength(2);
  const { rows: acts } = await pool.query(
    "SELECT actor_user_id, subject, details FROM audit_log WHERE action = 'deduction_disputed' AND account_id = $1",
    [accountId],
  );
  expect(acts).toEqual([{ actor_user_id: userId, subject: uuid, details: {} }]);
  await expect.poll(() => subjectsTo(admin.email)).toContain("A publisher disputes a deduction");
  const mail = (await mailsTo(admin.email)).find(({ subject }) => subject === "A publisher disputes a deduction");
  expect(mail?.text).toContain("The deduction of $0.40 from Tide");
  expect(mail?.text).toContain("https://millrace.example/admin/deductions?state=disputed");
  expect(mail?.text).not.toContain("Look again");
  expect(await subjectsTo(blocked.email)).toEqual([]);
  expect((await answer(uuid, "upheld", "We have looked again")).status).toBe(200);
  expect((await list(as)).deductions[0]?.answer?.text).toBe("We have looked again");
});

test("a deduction is disputed once, on its last day at the latest, and not after an answer", async () => {
  const { as, noted } = await publisher();
  const [once, last, late, reversed] = [
    await noted({ amount: 1 }),
    await noted({ amount: 1 }),
    await noted({ amount: 1 }),
    await noted({ amount: 1 }),
  ] as const;
  expect((await dispute(as, once)).status).toBe(200);
  const again = await dispute(as, once, "Another text");
  expect([again.status, again.body]).toEqual([409, { error: "This deduction is disputed or answered already" }]);
  expect(await rowOf(once)).toMatchObject({ dispute: "It was real" });
  await endOn(last, TODAY);
  expect((await dispute(as, last)).status).toBe(200);
  await endOn(late, addDays(TODAY, -1));
  const before = await rowOf(late);
  expect((await dispute(as, late)).status).toBe(409);
  expect(await rowOf(late)).toEqual(before);
  await answer(reversed, "reversed");
  expect((await dispute(as, reversed)).status).toBe(409);
  await answer(once, "upheld");
  expect((await dispute(as, once)).status).toBe(409);
});

test("of several disputes at once, and of a dispute and a reversal, one wins", async () => {
  const { as, accountId, noted } = await publisher();
  const uuid = await noted();
  const replies = await Promise.all(["One", "Two", "Three"].map((text) => dispute(as, uuid, text)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  const won = replies.findIndex(({ status }) => status === 200);
  expect(await rowOf(uuid)).toMatchObject({ dispute: ["One", "Two", "Three"][won] });
  const other = await noted();
  const [disputed, reversed] = await Promise.all([dispute(as, other), answer(other, "reversed")]);
  // A disputed one can be reversed, a reversed one not be disputed.
  expect(reversed.status).toBe(200);
  expect([200, 409]).toContain(disputed.status);
  expect(await rowOf(other)).toMatchObject({
    state: "reversed",
    dispute: disputed.status === 200 ? "It was real" : null,
  });
  expect(await linesOf(accountId)).toHaveLength(6);
});

test.each([
  ["nothing", " \n", "This field is required"],
  ["more than 2000 characters", "x".repeat(2001), "Use at most 2000 characters"],
])("%s is no dispute, and is refused at its field", async (_what, text, error) => {
  const { as, noted } = await publisher();
  const uuid = await noted();
  const { status, body } = await dispute(as, uuid, text);
  expect([status, body]).toEqual([400, { error: { text: error } }]);
  expect(await rowOf(uuid)).toMatchObject({ state: "noted", dispute: null });
  expect((await dispute(as, uuid, "x".repeat(2000))).status).toBe(200);
});

test("owners, administrators and managers dispute; guests, developers and an admin who is switched in do not", async () => {
  const { accountId, userId, as, noted } = await publisher();
  const visitor = { cookie: await sessionOf(pool, { userId, accountId }, admin.userId) };
  const uuid = await noted();
  for (const refused of [visitor, await memberOf(accountId, "GST"), await memberOf(accountId, "SDEV")])
    expect((await dispute(refused, uuid)).status).toBe(403);
  expect((await list(visitor)).deductions).toHaveLength(1);
  expect(await rowOf(uuid)).toMatchObject({ state: "noted" });
  for (const allowed of [as, await memberOf(accountId, "SUSR"), await memberOf(accountId, "manager")])
    expect((await dispute(allowed, await noted({ amount: 1 }))).status).toBe(200);
});

test("another account's deduction is not found, and in no list", async () => {
  const [one, other] = [await publisher(), await publisher()];
  const uuid = await one.noted();
  expect((await dispute(other.as, uuid)).status).toBe(404);
  expect((await dispute(one.as, randomUUID())).status).toBe(404);
  expect(await list(other.as)).toMatchObject({ held_back: 0, given_back: 0, deductions: [] });
  expect(await rowOf(uuid)).toMatchObject({ state: "noted" });
});

test("a page has ten, the newest first; open ones can be disputed or wait for an answer, and the sums are of all", async () => {
  const { as, noted } = await publisher();
  const uuids: string[] = [];
  for (let nth = 1; nth <= 13; nth++) uuids.push(await noted({ amount: nth }));
  const amounts = async (query: string) => (await list(as, query)).deductions.map(({ amount }) => amount);
  expect(await amounts("")).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
  expect(await amounts("p=1")).toEqual([3, 2, 1]);
  expect((await list(as, "p=99")).pager.current_page).toBe(2);
  const at = (amount: number) => uuids[amount - 1] ?? expect.fail();
  await dispute(as, at(13));
  await dispute(as, at(12));
  await answer(at(12), "upheld");
  await answer(at(11), "reversed");
  for (const amount of [1, 2, 3, 4, 5, 6, 7, 13]) await endOn(at(amount), addDays(TODAY, -1));
  expect(await amounts("state=open")).toEqual([13, 10, 9, 8]);
  expect(await amounts("state=closed")).toEqual([12, 11, 7, 6, 5, 4, 3, 2, 1]);
  expect(await list(as, "state=open")).toMatchObject({ held_back: 91 - 11, given_back: 11 });
  expect((await ask(as, "GET", "/payment/deductions.json?state=lost")).status).toBe(400);
});
