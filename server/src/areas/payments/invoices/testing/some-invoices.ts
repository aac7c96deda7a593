import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { inTransaction } from "../../../../platform/postgres/in-transaction.ts";
import { refillCampaignBalance } from "../../refill.ts";
import type { IssueDeps } from "../issue-documents.ts";
import type { Issuer, Party } from "../issuer.ts";

export const AN_ISSUER: Issuer = {
  party: {
    name: "Example Ads",
    address: "1 Mill Lane\n10115 Berlin",
    country: "DE",
    vatId: "DE136695976",
    isBusiness: true,
  },
  prefix: "EA",
  dueDays: 14,
  from: "2026-01-01",
  ossRegistered: false,
};

const GERMAN: Partial<Party> = { country: "DE" };

/** What is invoiced, at a moment that the test moves. */
export function someInvoices(pool: Pool, at: string) {
  const time = { ms: Date.parse(at) };
  const told: string[] = [];
  const deps: IssueDeps = {
    pool,
    clock: { now: () => time.ms },
    demo: false,
    onIssued: async (_, { id }) => void told.push(id),
  };
  const idOf = async (sql: string, values: unknown[]) =>
    (await pool.query<{ id: number }>(`${sql} RETURNING id`, values)).rows[0]?.id ?? 0;
  return {
    deps,
    told,
    moveTo: (moment: string) => void (time.ms = Date.parse(moment)),
    newAccount: () => idOf("INSERT INTO accounts (name, can_campaign) VALUES ('Studio', true)", []),
    /** Enters billing details: of a German business unless told otherwise. */
    async bill(accountId: number, some: Partial<Party> & { selfBilling?: boolean } = GERMAN) {
      await pool.query(
        `INSERT INTO billing_details (account_id, legal_name, address, country, is_business, vat_id, self_billing_since, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN $8::timestamptz END, $8)
         ON CONFLICT (account_id) DO UPDATE SET legal_name = excluded.legal_name, address = excluded.address,
           country = excluded.country, is_business = excluded.is_business, vat_id = excluded.vat_id,
           self_billing_since = coalesce(billing_details.self_billing_since, excluded.self_billing_since)`,
        [
          accountId,
          some.name ?? "Studio Ltd",
          some.address ?? "2 High Street",
          some.country ?? "DE",
          some.isBusiness ?? true,
          some.vatId ?? "",
          some.selfBilling ?? true,
          new Date(time.ms),
        ],
      );
    },
    refill: (accountId: number, micros: number) =>
      inTransaction(pool, (client) =>
        refillCampaignBalance(client, {
          key: randomUUID(),
          accountId,
          amountMicros: micros,
          reason: "A test",
          actorUserId: 1,
          at: new Date(time.ms),
        }),
      ),
    /** A payout of a month in a state, in dollars; the ledger does not have it. */
    async payout(accountId: number, month: string, dollars: number, state = "paid"): Promise<string> {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at)
         VALUES ($1, $2, $3, 'sandbox', gen_random_uuid(), 'Bank transfer', $4, $5, $5) RETURNING id`,
        [accountId, `${month}-01`, dollars * 1_000_000, state, new Date(time.ms)],
      );
      return rows[0]?.id ?? "";
    },
    /** `EA-2026-00001 10000 + 1900 of 2026-10-05 domestic`, in the order of issue. */
    async documentsOf(accountId: number): Promise<string[]> {
      const { rows } = await pool.query<{ words: string }>(
        `SELECT concat_ws(' ', number, net_cents, '+', vat_cents, 'of', supplied_on, treatment) AS words
         FROM invoices WHERE account_id = $1 ORDER BY id`,
        [accountId],
      );
      return rows.map(({ words }) => words);
    },
    /** The serial numbers of a series, sorted. */
    async serials(series: string): Promise<number[]> {
      const { rows } = await pool.query<{ serial: number }>(
        "SELECT serial FROM invoices WHERE series = $1 ORDER BY year, serial",
        [series],
      );
      return rows.map(({ serial }) => serial);
    },
  };
}
