import { formatMoneyExact } from "@millrace/units";
import type { PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { campaignBalanceOf } from "./balances.ts";
import { bookOnce } from "./ledger.ts";
import { lockAccount } from "../../platform/postgres/lock-account.ts";
import { freeOf } from "./take-back-refill.ts";

interface Credit {
  /** A UUID made by the caller; repeating it books the credit only once. */
  key: string;
  accountId: number;
  /** Negative to take a credit back. */
  amountMicros: number;
  reason: string;
  actorUserId: number;
  at: Date;
}

/**
 * Credits an advertiser's balance, or takes a credit back, in the client's transaction; the platform bears it. No money is received, so
 * nothing is invoiced. Returns the balance after it; `booked` tells whether it is new. Problem `unprocessable` if more is taken back than
 * was credited, or than is neither spent nor leased; `conflict` if the key belongs to another credit, `not_found` if the account was
 * deleted in the meantime.
 */
export async function creditAdvertiser(
  client: PoolClient,
  { key, accountId, amountMicros, reason, actorUserId, at }: Credit,
): Promise<{ booked: boolean; balanceMicros: number }> {
  await lockAccount(client, accountId);
  const booked = await bookOnce(client, "credit", {
    reference: `credit ${key.toLowerCase()}`,
    kind: "advertiser_credit",
    reason,
    actorUserId,
    at,
    lines: [
      { book: "adjustments", accountId: null, amountMicros: BigInt(amountMicros) },
      { book: "campaign_balance", accountId, amountMicros: BigInt(-amountMicros) },
    ],
  });
  if (booked && amountMicros < 0) await assertTaken(client, { accountId, amountMicros, at });
  return { booked, balanceMicros: await campaignBalanceOf(client, accountId) };
}

/** Looks at what is left once a credit was taken back. */
async function assertTaken(
  client: PoolClient,
  { accountId, amountMicros, at }: Pick<Credit, "accountId" | "amountMicros" | "at">,
): Promise<void> {
  const { rows } = await client.query<{ credited: string }>(
    `SELECT -sum(l.amount_micros) AS credited FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE p.kind = 'advertiser_credit' AND l.book = 'campaign_balance' AND l.account_id = $1`,
    [accountId],
  );
  const credited = BigInt(rows[0]?.credited ?? 0);
  const free = await freeOf(client, accountId, at);
  const left = free < credited ? free : credited;
  if (left >= 0n) return;
  const most = left - BigInt(amountMicros);
  throw new Problem("unprocessable", {
    amount: `At most ${formatMoneyExact(most < 0n ? 0n : most)} of the credits is neither taken back, spent nor held by running campaigns`,
  });
}
