import type { Platform } from "@millrace/contract";
import type { Pool } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type PostingKind, bookPosting } from "../ledger.ts";

/** A line of a publisher's balance; negative micro-dollars are taken. */
export interface BalanceLine {
  micros: number;
  appId?: number;
  provider?: string;
}

export interface Booking {
  kind: PostingKind;
  /** The UTC day on which it counts. */
  on: string;
  lines: readonly BalanceLine[];
  reason?: string;
  /** The UTC day of the traffic; of an accrual also its number among those of the day. */
  of?: string;
  nth?: number;
}

let references = 0;

/** Publishers' accounts, apps and postings, written without the areas above this one. */
export function publisherBooks(pool: Pool) {
  const idOf = async (sql: string, values: unknown[]): Promise<number> =>
    (await pool.query<{ id: number }>(`${sql} RETURNING id`, values)).rows[0]?.id ?? 0;
  return {
    newAccount: (name = "Studio") => idOf("INSERT INTO accounts (name) VALUES ($1)", [name]),
    newApp: (accountId: number, name = "Tide", platform: Platform = "ios") =>
      idOf("INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, $2, 'a', $3)", [
        accountId,
        name,
        platform,
      ]),
    book: (accountId: number, { kind, on, lines, reason = "", of, nth = 1 }: Booking) =>
      inTransaction(pool, (client) => {
        const own = lines.map(({ micros, ...what }) => ({
          book: "publisher_balance" as const,
          accountId,
          amountMicros: BigInt(-micros),
          ...what,
        }));
        const [first, ...others] = own;
        if (!first) throw new Error("a posting has lines");
        const sum = own.reduce((total, { amountMicros }) => total + amountMicros, 0n);
        // Whatever is on the other side; the store keeps no line without an amount.
        const other = { book: "adjustments" as const, accountId: null };
        const sides = sum === 0n ? [1n, -1n] : [-sum];
        const [side, ...more] = sides.map((amountMicros) => ({ ...other, amountMicros }));
        if (!side) throw new Error("a posting has two sides");
        return bookPosting(client, {
          reference:
            kind === "accrual" ? `accrual ${of ?? on} account ${accountId} ${nth}` : `a test ${(references += 1)}`,
          kind,
          reason,
          actorUserId: null,
          at: new Date(`${on}T12:00:00Z`),
          onDay: on,
          ...(of !== undefined && { forDay: of }),
          lines: [first, side, ...others, ...more],
        });
      }),
  };
}
