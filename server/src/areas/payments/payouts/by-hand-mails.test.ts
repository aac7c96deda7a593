import { addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../../testing/test-platform.ts";
import { bookPosting } from "../ledger.ts";

const { pool, ask, mailsTo } = await testPlatform(await testStores(), { PAYOUT_DAY: "1" });
const lastMonth = addDays(`${dayOf(Date.now()).slice(0, 7)}-01`, -1);
const amountMicros = 250_000_000n;

/** An account that has said where to pay it. */
async function newPublisher(email: string): Promise<number> {
  const person = await newPerson(pool, email);
  const as = { cookie: await sessionOf(pool, person) };
  const { body } = await ask(as, "POST", "/payment/register_to_tipalti");
  const bank = { method: "bank", holder: "Ada Lovelace", account: "DE89370400440532013000" };
  await ask(as, "POST", new URL(String(body["url"])).pathname, bank);
  return person.accountId;
}

test("admins are told once of the payouts of a run that they have to make by hand, also if the run was killed before it told them", async () => {
  const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
  const asAdmin = { cookie: await sessionOf(pool, admin) };
  const accounts = [await newPublisher("ada@example.com"), await newPublisher("bob@example.com")];
  // At once: the run at the start may be under way, and closes a month in which something is booked.
  await inTransaction(pool, async (client) => {
    for (const accountId of accounts)
      await bookPosting(client, {
        reference: `earned ${accountId}`,
        kind: "accrual",
        reason: "",
        actorUserId: null,
        at: new Date(),
        onDay: lastMonth,
        forDay: lastMonth,
        lines: [
          { book: "partner_receivable", accountId: null, amountMicros },
          { book: "publisher_balance", accountId, amountMicros: -amountMicros },
        ],
      });
  });
  const run = async () => {
    expect(await ask(asAdmin, "POST", "/admin/books/check")).toMatchObject({ status: 200 });
    const jobs = () => pool.query("SELECT FROM pgboss.job WHERE name IN ('accrue-all', 'payouts-by-hand-mail')");
    await expect.poll(async () => (await jobs()).rowCount, { timeout: 20_000 }).toBe(0);
    return (await mailsTo("admin@example.com")).map(({ subject }) => subject);
  };
  expect(await run()).toEqual(["2 payouts wait to be made by hand"]);
  const [mail] = await mailsTo("admin@example.com");
  expect(mail?.text).toContain("$500.00 in all.");
  // Another run has nothing new to tell.
  expect(await run()).toHaveLength(1);
  // As if the process had been killed after it had ordered one of them.
  await pool.query("UPDATE payouts SET admins_told_at = NULL WHERE account_id = $1", [accounts[0]]);
  expect(await run()).toHaveLength(2);
}, 60_000);
