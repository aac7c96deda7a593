import { randomUUID } from "node:crypto";
import type { DayRange } from "@millrace/units";
import type { Pool } from "pg";
import { silentLog } from "../../../../platform/log.ts";
import { inTransaction } from "../../../../platform/postgres/in-transaction.ts";
import { someMoney } from "../../../../testing/budgets/some-money.ts";
import type { BookedDays, PartnerHour } from "../../../statistics/index.ts";
import type { Sale } from "../../booked-sales.ts";
import type { RunDeps } from "../../payouts/run-payouts.ts";
import { publisherBooks } from "../publisher-books.ts";
import { type Cast, ExpectedBooks, MINIMUM_MICROS } from "./expected-books.ts";
import { HostileProvider } from "./hostile-provider.ts";
import { type Life, immortal, mortalPool } from "./mortal-pool.ts";

/** Where the platform counts its impressions, and how a test makes them happen. */
export interface Events {
  books: BookedDays;
  partnerHours(provider: string, range: DayRange): Promise<readonly PartnerHour[]>;
  happen(sale: Sale): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
}

/** Events in memory, which answer as the analytical store does. */
export function eventsInMemory(): Events {
  let sales: Sale[] = [];
  const inRange = async ({ ds, de }: { ds: string; de: string }) => {
    const sums = new Map<string, Sale & { impressions: number }>();
    for (const sale of sales) {
      if (sale.day < ds || sale.day > de) continue;
      const key = `${sale.day} ${sale.appId} ${sale.provider} ${sale.campaignId}`;
      const was = sums.get(key) ?? { ...sale, impressions: 0, grossMicros: 0n, revenueMicros: 0n };
      sums.set(key, {
        ...was,
        impressions: was.impressions + 1,
        grossMicros: was.grossMicros + sale.grossMicros,
        revenueMicros: was.revenueMicros + sale.revenueMicros,
      });
    }
    return [...sums.values()].filter(({ grossMicros, revenueMicros }) => grossMicros !== 0n || revenueMicros !== 0n);
  };
  return {
    books: {
      firstDay: async () => sales.map(({ day }) => day).toSorted()[0],
      earnings: inRange,
      counted: inRange,
    },
    partnerHours: async (provider, range) =>
      (await inRange(range))
        .filter((sale) => sale.provider === provider)
        .map(({ day, appId, impressions, revenueMicros }) => ({
          id: `${day}T12:00:00Z`,
          appId,
          impressions,
          revenueMicros,
        })),
    happen: async (sale) => void sales.push(sale),
    clear: async () => void (sales = []),
  };
}

/** A fault in the platform's code, or in its store. */
export interface Planted {
  /** Of the statements that the platform sends. */
  rewrite?: (text: string) => string;
  /** What the platform hears of its provider. */
  provider?: (provider: RunDeps["provider"]) => RunDeps["provider"];
  /** What it hears of its events. */
  books?: (books: BookedDays) => BookedDays;
}

/** What is written during a sequence, in the order in which it can be deleted. */
const WRITTEN = [
  "ledger_lines",
  "ledger_postings",
  "closed_months",
  "payouts",
  "deductions",
  "audit_log",
  "reconciled_days",
  "ledger_drifts",
  "statement_days",
  "statements",
  "budget_leases",
  "budget_processes",
  "campaign_days",
  "campaign_budgets",
  "account_budgets",
];

/** The platform's books on a real store, with what the test knows about them. */
export class RealBooks {
  readonly pool: Pool;
  readonly cast: Cast;
  readonly events: Events;
  readonly planted: Planted;
  readonly payees: ReadonlyMap<number, string>;
  expected: ExpectedBooks;
  provider = new HostileProvider();
  /** Numbers of the batches of spends. */
  batches = 0;
  /** How often all figures were looked at, and in what state of the books the last time. */
  looks = 0;
  lookedAt = "";

  constructor(pool: Pool, events: Events, planted: Planted, people: { cast: Cast; payees: Map<number, string> }) {
    this.pool = pool;
    this.events = events;
    this.planted = planted;
    this.cast = people.cast;
    this.payees = people.payees;
    this.expected = new ExpectedBooks(people.cast);
  }

  /** Two publishers with three apps, and an advertiser with two campaigns. */
  static async open(pool: Pool, events: Events, planted: Planted = {}): Promise<RealBooks> {
    return new RealBooks(pool, events, planted, await enroll(pool));
  }

  /** Begins anew, without what an earlier sequence wrote. */
  async reset(): Promise<void> {
    const client = await this.pool.connect();
    try {
      // The ledger refuses to forget; its triggers sleep for a moment.
      await client.query(
        `SET session_replication_role = replica; ${WRITTEN.map((table) => `DELETE FROM ${table}`).join(";")};
         UPDATE payees SET method = NULL; SET session_replication_role = DEFAULT`,
      );
    } finally {
      client.release();
    }
    await this.events.clear();
    this.expected = new ExpectedBooks(this.cast);
    this.provider = new HostileProvider();
    for (const payeeId of this.payees.values()) this.provider.payable.add(payeeId);
    this.lookedAt = "";
  }

  now = (): number => Date.parse(`${this.expected.today}T06:00:00Z`);

  /** The accounts that can be paid. */
  payable(): Set<number> {
    return new Set([...this.payees].filter(([, id]) => this.provider.payable.has(id)).map(([account]) => account));
  }

  /** What every job and call of the platform gets, run by a process that may be killed. */
  deps(life: Life = immortal()) {
    const { rewrite, provider, books } = this.planted;
    const hostile = this.provider.as(life);
    return {
      pool: mortalPool(this.pool, life, rewrite),
      clock: { now: this.now },
      log: silentLog,
      books: books ? books(this.events.books) : this.events.books,
      partnerHours: this.events.partnerHours,
      keptDays: 31,
      tellAdmins: async () => {},
      tellExcess: async () => {},
      providerNames: async () => new Map<string, string>(),
      provider: provider ? provider(hostile) : hostile,
      terms: { day: 15, minimumMicros: MINIMUM_MICROS, demo: false },
      onClaimed: async () => {},
      onPaid: async () => {},
      onRejected: async () => {},
      onMethodChanged: async () => {},
    };
  }

  /** A campaign wins an ad and shows it, as PostgreSQL allows. Resolves with whether it was billed. */
  async bill(campaignId: number, micros: bigint): Promise<boolean> {
    const { pool } = this.deps();
    const lease = randomUUID();
    const [at, batch] = [new Date(this.now()), ++this.batches];
    const leased = await pool.query<{ granted: string }>(
      "SELECT granted FROM lease_budgets($1, $2, $3, $4, interval '1 minute', $5)",
      [[lease], [campaignId], [micros.toString()], [micros.toString()], at],
    );
    if (leased.rows[0]?.granted !== micros.toString()) return false;
    const { rows } = await pool.query<{ billed: number }>(
      "SELECT billed FROM spend_budgets('an exchange', $1, $2, $3, $4, $5, '{1}', $6)",
      [batch, this.expected.today, [campaignId], [lease], [micros.toString()], at],
    );
    await pool.query("SELECT shrink_leases($1, '{0}')", [[lease]]);
    return rows[0]?.billed === 1;
  }

  inTransaction<T>(run: Parameters<typeof inTransaction<T>>[1]): Promise<T> {
    return inTransaction(this.deps().pool, run);
  }
}

async function enroll(pool: Pool): Promise<{ cast: Cast; payees: Map<number, string> }> {
  const { newAccount, newApp } = publisherBooks(pool);
  const money = someMoney(pool);
  const payees = new Map<number, string>();
  const publishers: Cast["publishers"][number][] = [];
  let adminId = 0;
  for (const apps of [2, 1]) {
    const accountId = await newAccount();
    const user = await pool.query<{ id: number }>("INSERT INTO users (email, name) VALUES ($1, 'Ada') RETURNING id", [
      `owner-${accountId}@example.com`,
    ]);
    adminId = user.rows[0]?.id ?? 0;
    await pool.query("INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, 'owner')", [
      adminId,
      accountId,
    ]);
    const payee = await pool.query<{ id: string }>(
      "INSERT INTO payees (account_id, provider, checked_at) VALUES ($1, 'sandbox', now()) RETURNING payee_id AS id",
      [accountId],
    );
    payees.set(accountId, payee.rows[0]?.id ?? "");
    publishers.push({ accountId, apps: await Promise.all(Array.from({ length: apps }, () => newApp(accountId))) });
  }
  await pool.query("UPDATE apps SET bundle_id = 'app-' || id");
  await pool.query(
    `INSERT INTO partners (id, kind, name, endpoint, media_types)
     SELECT id, 'openrtb', id, 'https://' || id || '.test/', '{banner}' FROM unnest(ARRAY['aurora', 'borealis']) AS id ON CONFLICT DO NOTHING`,
  );
  const advertiser = await money.newAccount(0);
  const campaigns = [await money.newCampaign(advertiser), await money.newCampaign(advertiser)];
  return { cast: { publishers, advertiser, campaigns, adminId }, payees };
}
