import type { DeductionReason } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { publisherBalanceOf } from "../balances.ts";
import { bookNew } from "../ledger.ts";
import { earnedOn } from "./earned.ts";
import { lastDayToDispute, leftOf } from "./rules.ts";
import { lockAccount } from "../../../platform/postgres/lock-account.ts";

export interface NewDeduction {
  /** A UUID made by the caller; repeating it notes the deduction only once. */
  key: string;
  accountId: number;
  appId: number;
  /** Null for invalid traffic that the platform found itself. */
  provider: string | null;
  day: string;
  reason: DeductionReason;
  amountMicros: number;
  explanation: string;
  auctions: readonly string[];
  actorUserId: number;
  at: Date;
}

/**
 * Notes a deduction and takes its amount from the publisher's balance, in the client's transaction. Returns the balance
 * after it; `isNew` is false for a repeated key. Problem `conflict` if the key belongs to another deduction,
 * `unprocessable` if less is left of what was earned, `not_found` if the account was deleted in the meantime.
 */
export async function noteDeduction(
  client: PoolClient,
  deduction: NewDeduction,
): Promise<{ uuid: string; isNew: boolean; balanceMicros: number }> {
  const { accountId, appId, provider, amountMicros } = deduction;
  // Serialized per account, so that two deductions do not take the same earnings.
  await lockAccount(client, accountId);
  const { uuid, isNew } = await insertOnce(client, deduction);
  if (isNew) {
    const earned = (await earnedOn(client, deduction)).filter((one) => one.appId === appId);
    const left = leftOf(earned, provider);
    if (BigInt(amountMicros) > left) throw new Problem("unprocessable", { amount: tooMuch(left) });
    const what = { appId, provider: provider ?? "" };
    await bookNew(client, {
      reference: `deduction ${uuid}`,
      kind: "deduction",
      reason: deduction.explanation,
      actorUserId: deduction.actorUserId,
      at: deduction.at,
      forDay: deduction.day,
      lines: [
        { book: "publisher_balance", accountId, ...what, amountMicros: BigInt(amountMicros) },
        { book: "adjustments", accountId: null, ...what, amountMicros: BigInt(-amountMicros) },
      ],
    });
  }
  return { uuid, isNew, balanceMicros: await publisherBalanceOf(client, accountId) };
}

const tooMuch = (left: bigint): string =>
  left === 0n
    ? "Nothing is left of what the ledger holds as earned"
    : `At most ${formatMoneyExact(left)} is left of what the ledger holds as earned`;

async function insertOnce(client: PoolClient, deduction: NewDeduction): Promise<{ uuid: string; isNew: boolean }> {
  const { key, accountId, appId, provider, day, reason, amountMicros, explanation, auctions, at } = deduction;
  const content = [key, accountId, appId, provider ?? "", day, reason, amountMicros, explanation, auctions];
  const inserted = await client.query<{ uuid: string }>(
    `INSERT INTO deductions (key, account_id, app_id, provider, day, reason, amount_micros, explanation, auctions,
       noted_at, dispute_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (key) DO NOTHING RETURNING uuid`,
    [...content, at, lastDayToDispute(at)],
  );
  if (inserted.rows[0]) return { uuid: inserted.rows[0].uuid, isNew: true };
  const same = await client.query<{ uuid: string }>(
    `SELECT uuid FROM deductions WHERE key = $1 AND account_id = $2 AND app_id = $3 AND provider = $4 AND day = $5
       AND reason = $6 AND amount_micros = $7 AND explanation = $8 AND auctions = $9::uuid[]`,
    content,
  );
  if (!same.rows[0]) {
    throw new Problem(
      "conflict",
      "Another deduction has been noted with this key. Please check the deductions and start again",
    );
  }
  return { uuid: same.rows[0].uuid, isNew: false };
}
