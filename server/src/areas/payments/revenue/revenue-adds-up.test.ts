import {
  DEDUCTION_REASONS,
  type MonthRevenue,
  REVENUE_GROUPS,
  STATEMENT_CAUSES,
  type ThreeNumbers,
} from "@millrace/contract";
import { addDays } from "@millrace/units";
import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { upsertPartner } from "../../demand-partners/index.ts";
import { publisherBalanceOf } from "../balances.ts";
import { answerDeduction } from "../deductions/answer-deduction.ts";
import { noteDeduction } from "../deductions/note-deduction.ts";
import { adjustPublisherBalance } from "../adjust-balance.ts";
import { type Line, bookPosting } from "../ledger.ts";
import { runPayouts, followPayouts } from "../payouts/run-payouts.ts";
import { scriptedProvider, somePayouts } from "../payouts/testing/some-payouts.ts";
import { readAdminRevenue, readMonthRevenue } from "./read-revenue.ts";

const { pool } = await testPostgres();
/** Every run has a year of its own, since months are closed for good. */
let year = 1999;
const PARTNERS = ["aurora", "borealis"] as const;
for (const id of PARTNERS) await upsertPartner(pool, somePartner({ id }));
const { rows: admins } = await pool.query<{ id: number }>(
  "INSERT INTO users (email, name) VALUES ('admin@example.com', 'Ada') RETURNING id",
);
const actorUserId = admins[0]?.id ?? expect.fail();

const sum = (amounts: readonly { amount: number }[]): number =>
  amounts.reduce((total, { amount }) => total + amount, 0);
function expectToAddUp({ estimated, to_reported, reported, to_paid, paid }: ThreeNumbers): void {
  expect(estimated + sum(to_reported)).toBe(reported);
  expect(reported + sum(to_paid)).toBe(paid);
}
const totalOf = (rows: readonly ThreeNumbers[], what: "estimated" | "reported" | "paid") =>
  rows.reduce((total, row) => total + row[what], 0);

const aDay = fc.nat(27);
const aProvider = fc.constantFrom(...PARTNERS, "campaigns");
const Sold = fc.record({
  is: fc.constant("sold" as const),
  day: aDay,
  provider: aProvider,
  app: fc.nat(1),
  gross: fc.integer({ min: -1_000_000, max: 900_000_000 }).filter((gross) => gross !== 0),
  sharePpm: fc.constantFrom(800_000, 725_001, 1_000_000),
  /** Days later that it is booked, so that some is in another month. */
  late: fc.constantFrom(0, 0, 0, 40),
});
const Reported = fc.record({
  is: fc.constant("stated" as const),
  day: aDay,
  provider: fc.constantFrom(...PARTNERS),
  app: fc.nat(1),
  cause: fc.constantFrom(...STATEMENT_CAUSES),
  micros: fc.integer({ min: -50_000_000, max: 50_000_000 }).filter((micros) => micros !== 0),
});
const Deducted = fc.record({
  is: fc.constant("deducted" as const),
  day: aDay,
  provider: fc.constantFrom(...PARTNERS),
  app: fc.nat(1),
  reason: fc.constantFrom(...DEDUCTION_REASONS),
  micros: fc.integer({ min: 1, max: 400_000_000 }),
  isReversed: fc.boolean(),
});
const Adjusted = fc.record({
  is: fc.constant("adjusted" as const),
  kind: fc.constantFrom("bonus" as const, "correction" as const),
  micros: fc.integer({ min: -9_000_000, max: 9_000_000 }).filter((micros) => micros !== 0),
});
const Month = fc.record({
  steps: fc.array(fc.oneof(Sold, Sold, Reported, Deducted, Adjusted), { maxLength: 8 }),
  /** What happens between its end and its payout. */
  after: fc.array(fc.oneof(Sold, Deducted, Adjusted), { maxLength: 3 }),
  fate: fc.constantFrom("paid" as const, "pending" as const, "rejected" as const),
});

test("whatever is sold, stated, deducted, given and paid, all three numbers add up by every step, and what is paid is what the bank gets", async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(Month, Month, Month), async (months) => {
      year++;
      const all = [`${year}-08`, `${year}-09`, `${year}-10`, `${year}-11`];
      const provider = scriptedProvider();
      const world = somePayouts(pool, `${year}-08-01T00:00:00Z`, provider);
      const accountId = await world.newPublisher();
      const apps = await Promise.all(
        ["Tide", "Kite"].map(async (name) => {
          const { rows } = await pool.query<{ id: number }>(
            "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, $2, 'a', 'ios') RETURNING id",
            [accountId, name],
          );
          return rows[0]?.id ?? expect.fail();
        }),
      );
      type Step = (typeof months)[number]["steps"][number];
      const take = async (step: Step, month: string, at: string) => {
        const appId = "app" in step ? (apps[step.app] ?? 0) : 0;
        const day = addDays(`${month}-01`, "day" in step ? step.day : 0);
        if (step.is === "sold") await sell({ ...step, accountId, appId, day });
        else if (step.is === "stated") await state({ ...step, appId, day });
        else if (step.is === "deducted") await deduct({ ...step, accountId, appId, day, at });
        else {
          const { kind, micros } = step;
          const adjustment = {
            key: randomUUID(),
            kind,
            accountId,
            amountMicros: micros,
            reason: "A test",
            actorUserId,
            at: new Date(at),
          };
          await inTransaction(pool, (client) => adjustPublisherBalance(client, adjustment));
        }
      };
      for (const [nth, { steps, after, fate }] of months.entries()) {
        const [month = "", next = ""] = all.slice(nth);
        for (const step of steps) await take(step, month, `${month}-28T12:00:00Z`);
        for (const step of after) await take(step, step.is === "sold" ? next : month, `${next}-10T12:00:00Z`);
        world.moveTo(`${next}-15T06:00:00Z`);
        await runPayouts(world.deps);
        provider.answers.ask = (id) =>
          fate === "rejected" ? { is: "rejected", reason: "Closed" } : { is: fate, reference: id };
        world.moveTo(`${next}-16T06:00:00Z`);
        await followPayouts(world.deps);
      }
      const deps = { ...world.deps, providerNames: async () => new Map<string, string>() };
      for (const month of all.slice(0, 3)) {
        const read: MonthRevenue[] = [];
        for (const by of REVENUE_GROUPS) read.push(await readMonthRevenue(deps, accountId, { month, by }));
        const { rows } = await pool.query<{ amount: string }>(
          "SELECT amount_micros AS amount FROM payouts WHERE account_id = $1 AND period = $2 AND state = 'paid'",
          [accountId, `${month}-01`],
        );
        for (const revenue of read) {
          expectToAddUp(revenue);
          revenue.rows.forEach(expectToAddUp);
          expect(totalOf(revenue.rows, "estimated")).toBe(revenue.estimated);
          expect(totalOf(revenue.rows, "reported")).toBe(revenue.reported);
          expect(totalOf(revenue.rows, "paid")).toBe(totalOf(read[0]?.rows ?? [], "paid"));
          expect(revenue.to_paid.find(({ cause }) => cause === "unexplained")).toBeUndefined();
          expect(revenue.paid).toBe(Number(rows[0]?.amount ?? 0));
        }
        for (const partner of [undefined, ...PARTNERS]) {
          for (const by of REVENUE_GROUPS) {
            const platform = await readAdminRevenue(deps, { month, by, partner });
            expectToAddUp(platform);
            platform.rows.forEach(expectToAddUp);
            for (const what of ["estimated", "reported", "paid"] as const)
              expect(totalOf(platform.rows, what)).toBe(platform[what]);
          }
        }
      }
      const balance = await publisherBalanceOf(pool, accountId);
      expect(Number.isSafeInteger(balance)).toBe(true);
    }),
    { numRuns: 30 },
  );
}, 120_000);

let references = 0;
interface Of {
  appId: number;
  day: string;
  provider: string;
}

async function sell({
  accountId,
  appId,
  day,
  provider,
  gross,
  sharePpm,
  late,
}: Of & { accountId: number; gross: number; sharePpm: number; late: number }) {
  const revenue = (BigInt(gross) * BigInt(sharePpm)) / 1_000_000n;
  const what = { appId, provider };
  const lines: Line[] = [
    {
      book: provider === "campaigns" ? "campaign_costs" : "partner_receivable",
      accountId: null,
      ...what,
      amountMicros: BigInt(gross),
    },
    { book: "publisher_balance", accountId, ...what, amountMicros: -revenue },
    { book: "platform_fees", accountId: null, ...what, amountMicros: revenue - BigInt(gross) },
  ];
  const [first, second, ...others] = lines.filter(({ amountMicros }) => amountMicros !== 0n);
  if (!first || !second) return;
  const onDay = addDays(day, late);
  await bookOpen({ onDay, forDay: day, kind: "accrual", lines: [first, second, ...others] });
}

async function state({
  appId,
  day,
  provider,
  cause,
  micros,
}: Of & { cause: (typeof STATEMENT_CAUSES)[number]; micros: number }) {
  const what = { accountId: null, appId, provider };
  await bookOpen({
    onDay: day,
    forDay: day,
    kind: "statement",
    cause,
    lines: [
      { book: "partner_receivable", ...what, amountMicros: BigInt(micros) },
      { book: "partner_differences", ...what, amountMicros: BigInt(-micros) },
    ],
  });
  await pool.query(
    `WITH one AS (
       INSERT INTO statements (partner_id, content_hash, file_name, mapping, imported_at, first_day, last_day, reported_micros, added,
         restated, unchanged, changed_by_micros)
       VALUES ($1, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'a', '{}', now(), $2, $2, 0, 1, 0, 0, 0) RETURNING id
     ) INSERT INTO statement_days SELECT id, $2, $3, 0, 0, 0, NULL FROM one`,
    [provider, day, appId],
  );
}

/** Books on a day, or on the first of November if its month is closed. */
async function bookOpen(
  posting: Pick<Parameters<typeof bookPosting>[1], "kind" | "lines" | "forDay" | "cause"> & { onDay: string },
) {
  const { rowCount } = await pool.query("SELECT FROM closed_months WHERE month = date_trunc('month', $1::date)", [
    posting.onDay,
  ]);
  await inTransaction(pool, (client) =>
    bookPosting(client, {
      ...posting,
      onDay: rowCount === 0 ? posting.onDay : `${year}-11-20`,
      reference: `a test ${++references}`,
      reason: "",
      actorUserId: null,
      at: new Date(`${posting.onDay}T12:00:00Z`),
    }),
  );
}

async function deduct(
  of: Of & {
    accountId: number;
    reason: (typeof DEDUCTION_REASONS)[number];
    micros: number;
    isReversed: boolean;
    at: string;
  },
) {
  const { micros, isReversed, at, ...what } = of;
  const moment = await openMoment(at);
  try {
    await inTransaction(pool, async (client) => {
      const noted = await noteDeduction(client, {
        ...what,
        key: randomUUID(),
        amountMicros: micros,
        explanation: "A test",
        auctions: [],
        actorUserId,
        at: moment,
      });
      if (isReversed)
        await answerDeduction(client, {
          uuid: noted.uuid,
          verdict: "reversed",
          answer: "It was real",
          actorUserId,
          at: moment,
        });
    });
  } catch (error) {
    // More than was earned is not deducted.
    if (!(error instanceof Problem)) throw error;
  }
}

async function openMoment(at: string): Promise<Date> {
  const { rowCount } = await pool.query(
    "SELECT FROM closed_months WHERE month = date_trunc('month', $1::timestamptz AT TIME ZONE 'UTC')",
    [at],
  );
  return new Date(rowCount === 0 ? at : `${year}-11-20T12:00:00Z`);
}
