import type { Pool } from "pg";
import { expect } from "vitest";
import { silentLog } from "../../../../platform/log.ts";
import { inTransaction } from "../../../../platform/postgres/in-transaction.ts";
import { bookPosting } from "../../ledger.ts";
import type { Ordered, PayoutOrder, PayoutProvider, Standing } from "../provider.ts";
import type { RunDeps } from "../run-payouts.ts";

/** A provider of which a test decides every answer. */
export interface ScriptedProvider extends PayoutProvider {
  orders: PayoutOrder[];
  answers: { pay: (order: PayoutOrder) => Ordered; ask: (payoutId: string) => Standing | Error };
  /** By payee; every payee is paid by bank unless it stands here. */
  methods: Map<string, string | null | Error>;
}

export function scriptedProvider(): ScriptedProvider {
  const provider: ScriptedProvider = {
    id: "sandbox",
    frameOrigin: "https://payouts.test",
    orders: [],
    methods: new Map(),
    answers: {
      pay: ({ payoutId }) => ({ is: "accepted", reference: payoutId }),
      ask: (payoutId) => ({ is: "pending", reference: payoutId }),
    },
    frameAddress: async ({ payeeId }) => `https://payouts.test/${payeeId}`,
    async methodOf(payeeId) {
      const method = provider.methods.get(payeeId);
      if (method instanceof Error) throw method;
      return method === undefined ? "Bank transfer ending 4417" : method;
    },
    async pay(order) {
      provider.orders.push(order);
      return provider.answers.pay(order);
    },
    async ask(payoutId) {
      const standing = provider.answers.ask(payoutId);
      if (standing instanceof Error) throw standing;
      return standing;
    },
  };
  return provider;
}

/** What payouts need, at a moment that the test moves. */
export function somePayouts(pool: Pool, at: string, provider = scriptedProvider()) {
  const time = { ms: Date.parse(at) };
  const told: string[] = [];
  const deps: RunDeps = {
    pool,
    clock: { now: () => time.ms },
    log: silentLog,
    provider,
    terms: { day: 15, minimumMicros: 100_000_000, demo: false },
    onClaimed: async (_, payoutId) => void told.push(`claimed ${payoutId}`),
    onPaid: async (_, payoutId) => void told.push(`paid ${payoutId}`),
    onRejected: async (_, payoutId) => void told.push(`rejected ${payoutId}`),
    onMethodChanged: async (_, { method }) => void told.push(`method ${method}`),
  };
  let references = 0;
  return {
    deps,
    provider,
    told,
    moveTo: (moment: string) => void (time.ms = Date.parse(moment)),
    /** A publisher's account, registered with the provider unless told otherwise. */
    async newPublisher({ isRegistered = true } = {}): Promise<number> {
      const { rows } = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
      const accountId = rows[0]?.id ?? expect.fail();
      const owner = await pool.query<{ id: number }>(
        "INSERT INTO users (email, name) VALUES ($1, 'Ada') RETURNING id",
        [`owner-${accountId}@example.com`],
      );
      await pool.query("INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, 'owner')", [
        owner.rows[0]?.id,
        accountId,
      ]);
      if (isRegistered)
        await pool.query("INSERT INTO payees (account_id, provider, checked_at) VALUES ($1, $2, now())", [
          accountId,
          provider.id,
        ]);
      return accountId;
    },
    /** Books what was earned on a day, in dollars; negative for a later difference or deduction. */
    earn: (accountId: number, onDay: string, dollars: number) =>
      inTransaction(pool, (client) =>
        bookPosting(client, {
          reference: `earned ${accountId} ${++references}`,
          kind: "accrual",
          reason: "",
          actorUserId: null,
          at: new Date(time.ms),
          onDay,
          forDay: onDay,
          lines: [
            { book: "partner_receivable", accountId: null, amountMicros: BigInt(Math.round(dollars * 1_000_000)) },
            { book: "publisher_balance", accountId, amountMicros: -BigInt(Math.round(dollars * 1_000_000)) },
          ],
        }),
      ),
    /** `2026-10 paid 250`, oldest first, dollars rounded down. */
    async payoutsOf(accountId: number): Promise<string[]> {
      const { rows } = await pool.query<{ payout: string }>(
        `SELECT concat_ws(' ', to_char(period, 'YYYY-MM'), state, amount_micros / 1000000) AS payout
         FROM payouts WHERE account_id = $1 ORDER BY period`,
        [accountId],
      );
      return rows.map(({ payout }) => payout);
    },
    /** What each book holds of an account, in dollars; the platform's cash for no account. */
    async booksOf(accountId: number): Promise<Record<string, number>> {
      const { rows } = await pool.query<{ book: string; dollars: string }>(
        `SELECT book, sum(amount_micros) / 1000000 AS dollars FROM ledger_lines WHERE account_id = $1 GROUP BY book`,
        [accountId],
      );
      return Object.fromEntries(rows.map(({ book, dollars }) => [book, Number(dollars)]));
    },
  };
}
