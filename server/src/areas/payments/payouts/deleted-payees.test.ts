import { expect, test, vi } from "vitest";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { onItsWayTo, publisherBalanceOf } from "../balances.ts";
import { REQUEST } from "../testing/model/command.ts";
import { readAdminPayouts, settleByHand } from "./admin-payouts.ts";
import { refreshPayouts } from "./order-payouts.ts";
import { runPayouts } from "./run-payouts.ts";
import { somePayouts } from "./testing/some-payouts.ts";

const { pool } = await testPostgres();

/** A payout of $300 that is sent, of an account that is deleted on the same day; `returns` is the bank's return on the day after. */
async function inYear(year: number) {
  const world = somePayouts(pool, `${year}-11-15T06:00:00Z`);
  const { deps, provider, moveTo } = world;
  const accountId = await world.newPublisher();
  await world.earn(accountId, `${year}-10-31`, 300);
  await runPayouts(deps);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM payouts WHERE account_id = $1", [accountId]);
  const payoutId = rows[0]?.id ?? expect.fail();
  expect(await onItsWayTo(pool, accountId)).toBe(300_000_000);
  const ask = async (is: "paid" | "rejected") => {
    provider.answers.ask = () =>
      is === "rejected" ? { is, reason: "Returned by the bank" } : { is, reference: payoutId };
    return refreshPayouts(deps, payoutId);
  };
  const admin = { caller: someCaller({ role: "admin" }), request: REQUEST };
  return {
    ...world,
    accountId,
    payoutId,
    ask,
    async deleteAccount(on = `${year}-11-15T12:00:00Z`) {
      moveTo(on);
      await pool.query("UPDATE accounts SET deleted_at = $2 WHERE id = $1", [accountId, new Date(deps.clock.now())]);
    },
    async returns() {
      moveTo(`${year}-11-16T06:00:00Z`);
      await ask("paid");
      await ask("rejected");
    },
    settle: (paid: boolean) => settleByHand(deps, admin, { payoutId, paid, reason: "To the new account, by hand" }),
    row: async () => (await readAdminPayouts(deps, { search: "", p: 0 })).payouts.find(({ id }) => id === payoutId),
  };
}

test("a payment that came back to a deleted account is settled once it is paid by hand, and its money leaves the books once", async () => {
  const { accountId, payoutId, deps, deleteAccount, returns, settle, row, ask, booksOf, payoutsOf } =
    await inYear(2001);
  await deleteAccount();
  await returns();
  expect(await row()).toMatchObject({ state: "rejected", settleable: true });
  expect(await booksOf(accountId)).toEqual({ publisher_balance: -300, payouts_due: 0 });
  await expect(settle(false)).rejects.toMatchObject({ code: "conflict" });
  expect(await settle(true)).toBe("paid");
  expect(await row()).toMatchObject({ state: "paid", settleable: false, reason: "To the new account, by hand" });
  expect(await booksOf(accountId)).toEqual({ publisher_balance: 0, payouts_due: 0 });
  const cash = await pool.query<{ dollars: string }>(
    `SELECT sum(l.amount_micros) / 1000000 AS dollars FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE l.book = 'cash' AND p.reference LIKE 'payout ' || (SELECT id FROM payouts WHERE account_id = $1) || '%'`,
    [accountId],
  );
  expect(Number(cash.rows[0]?.dollars)).toBe(-300);
  await expect(settle(true)).rejects.toMatchObject({ code: "conflict" });
  // The provider says once more what it had said before, and then that it has paid after all.
  expect(await ask("rejected")).toBe(true);
  const error = vi.spyOn(deps.log, "error");
  expect(await ask("paid")).toBe(true);
  expect(error).toHaveBeenCalledExactlyOnceWith(
    { payout: payoutId },
    "the provider has paid a payout whose money was given back",
  );
  error.mockRestore();
  expect(await payoutsOf(accountId)).toEqual(["2001-10 paid 300"]);
  expect(await booksOf(accountId)).toEqual({ publisher_balance: 0, payouts_due: 0 });
});

test("no more is paid by hand than a deleted account has", async () => {
  const { accountId, deleteAccount, returns, settle, earn, payoutsOf } = await inYear(2002);
  await deleteAccount();
  await returns();
  await earn(accountId, "2002-11-16", -1);
  await expect(settle(true)).rejects.toMatchObject({ code: "conflict" });
  expect(await payoutsOf(accountId)).toEqual(["2002-10 rejected 300"]);
  expect(await publisherBalanceOf(pool, accountId)).toBe(299_000_000);
});

test("a payment that came back before the deletion, or to an account that is not deleted, is nobody's to settle", async () => {
  const { deleteAccount, returns, settle, row } = await inYear(2003);
  await returns();
  expect(await row()).toMatchObject({ state: "rejected", settleable: false });
  await expect(settle(true)).rejects.toMatchObject({ code: "conflict" });
  await deleteAccount("2003-11-17T06:00:00Z");
  expect(await row()).toMatchObject({ state: "rejected", settleable: false });
});
