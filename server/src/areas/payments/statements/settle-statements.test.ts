import { DEDUCTION_REASONS } from "@millrace/contract";
import { type DayRange, addDays, eachDay } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { upsertPartner } from "../../demand-partners/index.ts";
import type { DailyEarnings, PartnerHour } from "../../statistics/index.ts";
import { accrue } from "../accrual.ts";
import { publisherBalanceOf } from "../balances.ts";
import { closeMonth } from "../ledger.ts";
import { importStatement } from "./import-statement.ts";
import { settleStatements } from "./settle-statements.ts";

const { pool } = await testPostgres();
const clock = { now: () => Date.UTC(2026, 10, 20, 12) };
const RANGE = { ds: "2026-10-30", de: "2026-11-02" };
const DAYS = eachDay(RANGE);

/** What the events say, hour by hour: an impression of an app, and its gross. */
let events: { hour: string; appId: number; provider: string; gross: number }[] = [];
const revenueOf = (gross: number) => BigInt(Math.floor(gross * 0.8));
const deps = {
  pool,
  clock,
  log: silentLog,
  books: {
    firstDay: async () => RANGE.ds,
    earnings: async ({ ds, de }: DayRange) => summed(events).filter(({ day }) => day >= ds && day <= de),
  },
  partnerHours: async (provider: string): Promise<PartnerHour[]> =>
    events
      .filter((one) => one.provider === provider)
      .map(({ hour, appId, gross }) => ({ id: hour, appId, impressions: 1, revenueMicros: revenueOf(gross) })),
  tellExcess: async () => {},
};
const idOf = async (sql: string, values: unknown[]): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(`${sql} RETURNING id`, values);
  return rows[0]?.id ?? expect.fail();
};
const adminId = await idOf("INSERT INTO users (email, name) VALUES ('admin@example.com', 'Ada')", []);
let number = 0;
/** A partner of its own, and a publisher with two apps. */
async function newMarket() {
  const partner = `partner-${++number}`;
  await upsertPartner(pool, somePartner({ id: partner }));
  const accountId = await idOf("INSERT INTO accounts (name) VALUES ('Studio')", []);
  const bundles = [`${partner}.tide`, `${partner}.kite`];
  const apps: { id: number; bundle: string }[] = [];
  for (const bundle of bundles) {
    const id = await idOf("INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'App', $2, 'ios')", [
      accountId,
      bundle,
    ]);
    apps.push({ id, bundle });
  }
  return { partner, accountId, apps };
}

interface Line {
  day: string;
  bundle: string;
  impressions: number;
  micros: number;
}
const decimal = (micros: number): string => (micros / 1_000_000).toFixed(6);
const sendIn = (
  partner: string,
  lines: readonly Line[],
  some: { cause?: "clawback" | null; zone?: string; note?: string } = {},
) =>
  importStatement(
    deps,
    { userId: adminId },
    {
      partner,
      mapping: {
        date: "Date",
        place: "App",
        impressions: "Shown",
        revenue: "USD",
        place_kind: "bundle",
        date_format: "2026-10-31",
        decimal: ".",
        time_zone: some.zone ?? "UTC",
        currency: "USD",
      },
      rate: null,
      shown_rate: null,
      cause: some.cause ?? null,
      file_name: "statement.csv",
      content: `Date,App,Shown,USD\n${lines
        .toSorted((one, other) => one.day.localeCompare(other.day))
        .map(({ day, bundle, impressions, micros }) => `${day},${bundle},${impressions},${decimal(micros)}\n`)
        .join("")}`,
    },
  );
const postings = async (partner: string) =>
  (
    await pool.query<{ line: string }>(
      `SELECT concat_ws(' ', p.on_day, p.for_day, p.cause, l.book, l.amount_micros) AS line
       FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
       WHERE p.kind = 'statement' AND l.provider = $1 ORDER BY p.id, l.line`,
      [partner],
    )
  ).rows.map(({ line }) => line);
/** What the partner owes by the ledger, by day and app. */
async function owed(partner: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ key: string; micros: string }>(
    `SELECT concat_ws(' ', p.for_day, l.app_id) AS key, sum(l.amount_micros) AS micros
     FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE l.provider = $1 AND l.book = 'partner_receivable' GROUP BY 1`,
    [partner],
  );
  return new Map(rows.map(({ key, micros }) => [key, Number(micros)]));
}

test("a statement changes what the partner owes and nothing of the publisher's balance; the same again changes nothing", async () => {
  const { partner, accountId, apps } = await newMarket();
  const [tide] = apps;
  if (!tide) return expect.fail();
  events = ["01", "02"].map((hour) => ({
    hour: `2026-11-01T${hour}:00:00Z`,
    appId: tide.id,
    provider: partner,
    gross: 1000,
  }));
  await accrue(deps, RANGE);
  const line = { day: "2026-11-01", bundle: tide.bundle, impressions: 1, micros: 990 };
  const sent = await Promise.all([sendIn(partner, [line]), sendIn(partner, [line]), sendIn(partner, [line])]);
  expect(sent.filter(({ is_new }) => is_new)).toHaveLength(1);
  expect(new Set(sent.map(({ uuid }) => uuid)).size).toBe(1);
  expect(await postings(partner)).toEqual([
    "2026-11-01 2026-11-01 discrepancy partner_receivable -1000",
    "2026-11-01 2026-11-01 discrepancy partner_differences 1000",
    "2026-11-01 2026-11-01 unexplained partner_receivable -10",
    "2026-11-01 2026-11-01 unexplained partner_differences 10",
  ]);
  expect(await publisherBalanceOf(pool, accountId)).toBe(1600);
  expect(await settleStatements(deps)).toBe(0);
});

test("a restated statement needs a cause, posts its difference once, and in the open month for a closed one", async () => {
  const { partner, apps } = await newMarket();
  const [tide] = apps;
  if (!tide) return expect.fail();
  events = [{ hour: "2026-09-01T00:00:00Z", appId: tide.id, provider: partner, gross: 1000 }];
  await accrue(deps, { ds: "2026-09-01", de: "2026-09-01" });
  const line = { day: "2026-09-01", bundle: tide.bundle, impressions: 1, micros: 1000 };
  await sendIn(partner, [line]);
  expect(await postings(partner)).toEqual([]);
  await inTransaction(pool, (client) => closeMonth(client, "2026-09", new Date(clock.now())));
  const refusal = await sendIn(partner, [{ ...line, micros: 600 }]).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect((refusal as Problem).error).toEqual({ cause: "Say why it differs from the earlier statement" });
  await sendIn(partner, [{ ...line, micros: 600 }], { cause: "clawback" });
  await sendIn(partner, [{ ...line, micros: 600 }], { cause: "clawback" });
  expect(await postings(partner)).toEqual([
    "2026-11-20 2026-09-01 clawback partner_receivable -400",
    "2026-11-20 2026-09-01 clawback partner_differences 400",
  ]);
});

test("a statement that is sent again after another one took it back holds again, once", async () => {
  const { partner, apps } = await newMarket();
  const [tide] = apps;
  if (!tide) return expect.fail();
  events = [];
  const line = { day: "2026-11-01", bundle: tide.bundle, impressions: 1, micros: 1000 };
  const first = await sendIn(partner, [line]);
  await sendIn(partner, [{ ...line, micros: 600 }], { cause: "clawback" });
  expect(await owed(partner)).toEqual(new Map([[`2026-11-01 ${tide.id}`, 600]]));
  await expect(sendIn(partner, [line])).rejects.toMatchObject({ error: { cause: expect.any(String) } });
  const again = await sendIn(partner, [line], { cause: "clawback" });
  expect([again.is_new, again.changed, again.uuid === first.uuid]).toEqual([true, 1, false]);
  expect(await sendIn(partner, [line], { cause: "clawback" })).toMatchObject({ is_new: false, changed: 0 });
  expect(await owed(partner)).toEqual(new Map([[`2026-11-01 ${tide.id}`, 1000]]));
  // So does the one that took it back.
  await sendIn(partner, [{ ...line, micros: 600 }], { cause: "clawback" });
  await sendIn(partner, [line], { cause: "clawback" });
  await settleStatements(deps);
  expect(await owed(partner)).toEqual(new Map([[`2026-11-01 ${tide.id}`, 1000]]));
});

test("a statement that names another statement's days again, with other bytes, changes nothing where it says the same", async () => {
  const { partner, apps } = await newMarket();
  const [tide, kite] = apps;
  if (!tide || !kite) return expect.fail();
  events = [];
  const line = { day: "2026-11-01", bundle: tide.bundle, impressions: 1, micros: 500 };
  await sendIn(partner, [line]);
  const before = await postings(partner);
  const again = await sendIn(partner, [line, { ...line, day: "2026-11-02" }]);
  expect(again).toMatchObject({ is_new: true, changed: 1 });
  expect((await postings(partner)).slice(0, before.length)).toEqual(before);
  expect(await owed(partner)).toEqual(
    new Map([
      [`2026-11-01 ${tide.id}`, 500],
      [`2026-11-02 ${tide.id}`, 500],
    ]),
  );
});

const anEvent = fc.record({
  day: fc.constantFrom(...DAYS),
  hour: fc.nat(23),
  app: fc.nat(1),
  gross: fc.integer({ min: 1, max: 10_000 }),
});
const aLine = fc.record({
  day: fc.constantFrom(...DAYS),
  app: fc.nat(1),
  impressions: fc.nat(5),
  micros: fc.integer({ min: -5000, max: 20_000 }),
});
/** Events that arrive, or a statement. */
const aStep = fc.oneof(
  fc.record({ is: fc.constant("events" as const), events: fc.array(anEvent, { maxLength: 5 }) }),
  fc.record({
    is: fc.constant("statement" as const),
    lines: fc.array(aLine, { minLength: 1, maxLength: 6 }),
    zone: fc.constantFrom("UTC", "America/Los_Angeles", "Asia/Kolkata"),
    cause: fc.constantFrom(...DEDUCTION_REASONS),
  }),
);

test("whatever events arrive and partners state, in whatever order, the ledger has what each last statement says, and else what events say", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 6 }), async (steps) => {
      const { partner, accountId, apps } = await newMarket();
      events = [];
      const stated = new Map<string, number>();
      for (const step of steps) {
        if (step.is === "events") {
          events = [
            ...events,
            ...step.events.map(({ day, hour, app, gross }) => ({
              hour: `${day}T${String(hour).padStart(2, "0")}:00:00Z`,
              appId: apps[app]?.id ?? 0,
              provider: partner,
              gross,
            })),
          ];
          await accrue(deps, { ds: addDays(RANGE.ds, -1), de: RANGE.de });
          await settleStatements(deps);
        } else {
          const lines = step.lines.map(({ app, ...line }) => ({
            ...line,
            bundle: apps[app]?.bundle ?? "",
            app: apps[app]?.id ?? 0,
          }));
          await sendIn(partner, lines, { zone: step.zone, cause: step.cause as "clawback" });
          const said = new Map<string, number>();
          for (const { day, app, micros } of lines)
            said.set(`${day} ${app}`, (said.get(`${day} ${app}`) ?? 0) + micros);
          for (const [key, micros] of said) stated.set(key, micros);
        }
        const expected = new Map<string, number>();
        for (const { day, appId, grossMicros } of summed(events)) expected.set(`${day} ${appId}`, Number(grossMicros));
        for (const [key, micros] of stated) expected.set(key, micros);
        const nonZero = (sums: ReadonlyMap<string, number>) =>
          [...sums].filter(([, micros]) => micros !== 0).toSorted(([one], [other]) => one.localeCompare(other));
        expect(nonZero(await owed(partner))).toEqual(nonZero(expected));
      }
      const earned = summed(events).reduce((sum, { revenueMicros }) => sum + revenueMicros, 0n);
      expect(await publisherBalanceOf(pool, accountId)).toBe(Number(earned));
      const booked = await postings(partner);
      await settleStatements(deps);
      expect(await postings(partner)).toEqual(booked);
    }),
    { numRuns: 25 },
  );
}, 120_000);

/** The store's rows: sums by day, app and provider. */
function summed(some: typeof events): DailyEarnings[] {
  const sums = new Map<string, DailyEarnings>();
  for (const { hour, appId, provider, gross } of some) {
    const key = `${hour.slice(0, 10)} ${appId}`;
    const sum = sums.get(key);
    sums.set(key, {
      day: hour.slice(0, 10),
      appId,
      provider,
      campaignId: 0,
      impressions: (sum?.impressions ?? 0) + 1,
      grossMicros: (sum?.grossMicros ?? 0n) + BigInt(gross),
      revenueMicros: (sum?.revenueMicros ?? 0n) + revenueOf(gross),
    });
  }
  return [...sums.values()];
}
