import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { sealer } from "../../../platform/sealed/sealer.ts";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { claimPayouts } from "./claim-payouts.ts";
import { frameTickets } from "./frame-tickets.ts";
import { orderPayouts } from "./order-payouts.ts";
import { erasePayee } from "./payees.ts";
import { readNextPayment } from "./read-payouts.ts";
import { runPayouts, termsOf } from "./run-payouts.ts";
import { sandboxProvider, saveSandboxDetails, showWhereToPay } from "./sandbox-provider.ts";
import { somePayouts } from "./testing/some-payouts.ts";

const { pool } = await testPostgres();
const SECRET = "a-secret-that-is-long-enough-for-sealing";
const BANK = { method: "bank", holder: "Ada Lovelace", account: "DE89370400440532013000" } as const;
const PAYPAL = { method: "paypal", holder: "Jack", account: "jack@example.com" } as const;

/** A publisher of the built-in provider, who earned $300 in October of a year and entered where to pay. */
async function inYear(year: number) {
  const world = somePayouts(pool, `${year}-11-15T06:00:00Z`);
  const { clock } = world.deps;
  const sandbox = {
    pool,
    clock,
    sealer: sealer([SECRET]),
    tickets: frameTickets([SECRET], clock),
    publicUrl: "https://platform.test",
    paysAfterMs: null,
  };
  const deps = { ...world.deps, provider: sandboxProvider(sandbox) };
  const accountId = await world.newPublisher();
  const { rows } = await pool.query<{ id: string }>("SELECT payee_id AS id FROM payees WHERE account_id = $1", [
    accountId,
  ]);
  const payeeId = rows[0]?.id ?? expect.fail();
  const enter = (details: typeof BANK | typeof PAYPAL) =>
    saveSandboxDetails(sandbox, payeeId, details, async () => undefined);
  await enter(BANK);
  await world.earn(accountId, `${year}-10-31`, 300);
  const payoutOf = async () => {
    const found = await pool.query<{ id: string; details: Buffer | null }>(
      "SELECT id, details FROM payouts WHERE account_id = $1",
      [accountId],
    );
    return found.rows[0] ?? expect.fail();
  };
  const by = { caller: someCaller({ role: "admin" }), request: { ip: "192.0.2.1", headers: {} } as FastifyRequest };
  return {
    ...world,
    deps,
    accountId,
    enter,
    /** The deps of a platform with other secrets, which open nothing of before. */
    withoutSecret: { ...deps, provider: sandboxProvider({ ...sandbox, sealer: sealer([`not ${SECRET}`]) }) },
    payoutOf,
    claim: () => claimPayouts(deps, termsOf(deps, `${year}-10`)),
    whereToPay: async () => showWhereToPay(sandbox, by, (await payoutOf()).id),
    /** As the deletion of an account does. */
    deleteAccount: () =>
      inTransaction(pool, async (client) => {
        await client.query("UPDATE accounts SET deleted_at = $2 WHERE id = $1", [accountId, new Date(clock.now())]);
        await client.query("DELETE FROM memberships WHERE account_id = $1", [accountId]);
        await erasePayee(client, accountId);
      }),
  };
}

test("a payout of an account that is deleted before its order goes where it was claimed to", async () => {
  const { deps, accountId, claim, deleteAccount, payoutsOf, payoutOf, whereToPay } = await inYear(2001);
  await claim();
  expect((await payoutOf()).details?.toString("latin1")).not.toContain("3704");
  await deleteAccount();
  await orderPayouts(deps);
  expect(await payoutsOf(accountId)).toEqual(["2001-10 sent 300"]);
  expect(await whereToPay()).toEqual(BANK);
  // From here on the payment has it.
  expect((await payoutOf()).details).toBeNull();
});

test("what is entered between the claim and the order redirects nothing", async () => {
  const { deps, claim, enter, whereToPay } = await inYear(2002);
  await claim();
  await enter(PAYPAL);
  await orderPayouts(deps);
  expect(await whereToPay()).toEqual(BANK);
});

test("a payout that another provider makes has no copy of what the built-in one knows", async () => {
  const { deps, accountId, payoutOf } = await inYear(2003);
  await pool.query("UPDATE payees SET provider = 'tipalti' WHERE account_id = $1", [accountId]);
  await claimPayouts(deps, { ...termsOf(deps, "2003-10"), provider: "tipalti" });
  expect((await payoutOf()).details).toBeNull();
});

test("details that no secret opens any more are none: their owner is told, and is paid once they are entered again", async () => {
  const { deps, withoutSecret, told, accountId, enter, payoutsOf } = await inYear(2004);
  told.length = 0;
  await runPayouts(withoutSecret);
  expect(await payoutsOf(accountId)).toEqual([]);
  expect(await readNextPayment(withoutSecret, accountId)).toMatchObject({
    method: null,
    next: { blocks: ["no_details"] },
  });
  expect(told).toContain("method null");
  await enter(BANK);
  await runPayouts(deps);
  expect(await payoutsOf(accountId)).toEqual(["2004-10 sent 300"]);
});
