import type { PoolClient } from "pg";

/** The ledger's accounts: the platform's money and its debts to advertisers. */
export const BOOKS = ["cash", "campaign_balance"] as const;
type Book = (typeof BOOKS)[number];

/** One line of a posting: debits are positive, credits negative, in micro-dollars. */
export interface Line {
  book: Book;
  accountId: number | null;
  amountMicros: bigint;
}

export interface Posting {
  /** The posting's reference. The same reference is booked only once. */
  reference: string;
  kind: "refill";
  reason: string;
  actorUserId: number | null;
  at: Date;
  lines: readonly [Line, Line, ...Line[]];
}

/**
 * Books a posting in the client's transaction. Returns false, without effect, if its reference is booked already.
 * Throws RangeError if the lines do not sum to zero; the store refuses such a posting too.
 */
export async function bookPosting(client: PoolClient, posting: Posting): Promise<boolean> {
  const sum = posting.lines.reduce((total, line) => total + line.amountMicros, 0n);
  if (sum !== 0n) throw new RangeError(`The posting ${posting.reference} is ${sum} micros out of balance`);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO ledger_postings (reference, kind, reason, actor_user_id, at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (reference) DO NOTHING RETURNING id`,
    [posting.reference, posting.kind, posting.reason, posting.actorUserId, posting.at],
  );
  const [booked] = rows;
  if (!booked) return false;
  for (const [line, { book, accountId, amountMicros }] of posting.lines.entries()) {
    await client.query(
      "INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros) VALUES ($1, $2, $3, $4, $5)",
      [booked.id, line, book, accountId, amountMicros.toString()],
    );
  }
  return true;
}
