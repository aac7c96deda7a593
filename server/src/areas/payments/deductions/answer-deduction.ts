import type { DeductionState, Verdict } from "@millrace/contract";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { bookNew } from "../ledger.ts";
import { type LockedDeduction, lockDeduction } from "./lock-deduction.ts";
import { mayBecome } from "./rules.ts";

interface DeductionAnswer {
  uuid: string;
  verdict: Verdict;
  answer: string;
  actorUserId: number;
  at: Date;
}

/**
 * Upholds or reverses a deduction in the client's transaction; reversing gives its amount back by a posting of its own.
 * Returns whose it was and what state it was in. Problem `not_found`, and `conflict` if the state allows no such answer
 * or the account is deleted.
 */
export async function answerDeduction(
  client: PoolClient,
  { uuid, verdict, answer, actorUserId, at }: DeductionAnswer,
): Promise<{ accountId: number; before: DeductionState; amountMicros: number }> {
  const deduction = await lockDeduction(client, { uuid, ofAccount: null });
  const { id, accountId, state: before, amountMicros } = deduction;
  if (!mayBecome(before, verdict)) throw new Problem("conflict", refusalOf(before));
  await client.query("UPDATE deductions SET state = $2, answer = $3, answered_at = $4 WHERE id = $1", [
    id,
    verdict,
    answer,
    at,
  ]);
  if (verdict === "reversed") await giveBack(client, deduction, { actorUserId, at });
  return { accountId, before, amountMicros: Number(amountMicros) };
}

const refusalOf = (state: DeductionState): string =>
  ({
    noted: "Nobody disputes this deduction. It can only be reversed",
    upheld: "This deduction is upheld already. It can only be reversed",
    disputed: "This deduction is answered already",
    reversed: "This deduction is answered already",
  })[state];

async function giveBack(
  client: PoolClient,
  { uuid, accountId, appId, provider, day, explanation, amountMicros }: LockedDeduction,
  { actorUserId, at }: Pick<DeductionAnswer, "actorUserId" | "at">,
): Promise<void> {
  await bookNew(client, {
    reference: `deduction ${uuid} reversed`,
    kind: "deduction",
    reason: `Reversed: ${explanation}`,
    actorUserId,
    at,
    forDay: day,
    lines: [
      { book: "adjustments", accountId: null, appId, provider, amountMicros },
      { book: "publisher_balance", accountId, appId, provider, amountMicros: -amountMicros },
    ],
  });
}
