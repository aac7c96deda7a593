import type { PoolClient } from "pg";
import { publisherBalanceOf } from "./balances.ts";
import { bookOnce } from "./ledger.ts";
import { lockAccount } from "../../platform/postgres/lock-account.ts";

interface Adjustment {
  /** A UUID made by the caller; repeating it books the adjustment only once. */
  key: string;
  kind: "bonus" | "correction";
  accountId: number;
  /** Negative to take money. */
  amountMicros: number;
  reason: string;
  actorUserId: number;
  at: Date;
}

/**
 * Gives money to a publisher's balance, or takes it, in the client's transaction; the platform bears it. Returns the
 * balance after it; `booked` tells whether it is new. Problem `conflict` if the key belongs to another adjustment,
 * `not_found` if the account was deleted in the meantime.
 */
export async function adjustPublisherBalance(
  client: PoolClient,
  { key, kind, accountId, amountMicros, reason, actorUserId, at }: Adjustment,
): Promise<{ booked: boolean; balanceMicros: number }> {
  await lockAccount(client, accountId);
  const booked = await bookOnce(client, "adjustment", {
    reference: `adjustment ${key.toLowerCase()}`,
    kind,
    reason,
    actorUserId,
    at,
    lines: [
      { book: "adjustments", accountId: null, amountMicros: BigInt(amountMicros) },
      { book: "publisher_balance", accountId, amountMicros: BigInt(-amountMicros) },
    ],
  });
  return { booked, balanceMicros: await publisherBalanceOf(client, accountId) };
}
