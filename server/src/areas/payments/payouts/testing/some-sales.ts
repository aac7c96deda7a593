import type { Pool } from "pg";
import { inTransaction } from "../../../../platform/postgres/in-transaction.ts";
import { type Line, type PostingKind, bookPosting } from "../../ledger.ts";

let references = 0;

/** Books what statements are made of, as accrual and admins book it. Amounts in micro-dollars. */
export function someSales(pool: Pool) {
  const post = (kind: PostingKind, onDay: string, reason: string, lines: [Line, Line, ...Line[]]) =>
    inTransaction(pool, (client) =>
      bookPosting(client, {
        reference: `a test of statements ${++references}`,
        kind,
        reason,
        actorUserId: null,
        at: new Date(`${onDay}T12:00:00Z`),
        onDay,
        ...(kind === "accrual" && { forDay: onDay }),
        lines: lines.filter(({ amountMicros }) => amountMicros !== 0n) as [Line, Line, ...Line[]],
      }),
    );
  return {
    async newApp(accountId: number, name: string): Promise<number> {
      const { rows } = await pool.query<{ id: number }>(
        "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, $2, 'a', 'ios') RETURNING id",
        [accountId, name],
      );
      return rows[0]?.id ?? 0;
    },
    /** Ads of an app that were sold to a partner, or to campaigns of an account. */
    sell: (
      accountId: number,
      onDay: string,
      {
        appId,
        provider,
        gross,
        revenue,
        advertiserId = null,
      }: {
        appId: number;
        provider: string;
        gross: bigint;
        revenue: bigint;
        advertiserId?: number | null;
      },
    ) =>
      post("accrual", onDay, "", [
        {
          ...(advertiserId === null
            ? { book: "partner_receivable", accountId: null }
            : { book: "campaign_costs", accountId: advertiserId }),
          appId,
          provider,
          amountMicros: gross,
        },
        { book: "publisher_balance", accountId, appId, provider, amountMicros: -revenue },
        { book: "platform_fees", accountId: null, appId, provider, amountMicros: revenue - gross },
      ]),
    /** A bonus, a correction or a deduction; negative is taken. */
    move: (accountId: number, onDay: string, kind: PostingKind, micros: bigint, reason: string) =>
      post(kind, onDay, reason, [
        { book: "adjustments", accountId: null, amountMicros: micros },
        { book: "publisher_balance", accountId, amountMicros: -micros },
      ]),
  };
}
