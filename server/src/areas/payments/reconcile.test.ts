import { expect, test } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import type { DailyEarnings } from "../statistics/index.ts";
import { accrue, accrueAll } from "./accrual.ts";
import { publisherBalanceOf } from "./balances.ts";
import { bookPosting } from "./ledger.ts";
import { countableDays, reconcile, reconcileWithLate } from "./reconcile.ts";

const { pool } = await testPostgres();
const clock = { now: () => Date.UTC(2026, 10, 20, 12) };
const money = someMoney(pool);
const { rows: accounts } = await pool.query<{ id: number }>(
  "INSERT INTO accounts (name) VALUES ('Studio') RETURNING id",
);
const publisher = accounts[0]?.id ?? expect.fail();
const { rows: apps } = await pool.query<{ id: number }>(
  "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'App', 'a', 'ios') RETURNING id",
  [publisher],
);
const appId = apps[0]?.id ?? expect.fail();
const advertiser = await money.newAccount(10_000_000);
const campaignId = await money.newCampaign(advertiser);

const sold = (day: string, gross: bigint, revenue: bigint, row: Partial<DailyEarnings> = {}): DailyEarnings => ({
  day,
  appId,
  provider: "aurora",
  campaignId: 0,
  impressions: 1,
  grossMicros: gross,
  revenueMicros: revenue,
  ...row,
});
const DAY = "2026-11-10";
const events = [
  sold(DAY, 1000n, 800n),
  sold(DAY, 500n, 400n, { provider: "campaigns", campaignId }),
  sold("2026-11-19", 30n, 24n),
  // Nobody's: its app is unknown.
  sold(DAY, 7n, 7n, { appId: 999_999 }),
];
const inRange =
  (all: readonly DailyEarnings[]) =>
  async ({ ds, de }: { ds: string; de: string }) =>
    all.filter(({ day }) => day >= ds && day <= de);
const books = { firstDay: async () => DAY, earnings: inRange(events), counted: inRange(events) };
const told: number[] = [];
const deps = {
  pool,
  clock,
  log: silentLog,
  books,
  keptDays: 31,
  tellAdmins: async (drifts: number) => void told.push(drifts),
};
await accrue(deps, { ds: DAY, de: "2026-11-19" });
await pool.query("INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, 500)", [advertiser]);
await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, 500)", [
  campaignId,
  advertiser,
]);
await pool.query("INSERT INTO campaign_days VALUES ($1, $2, 500)", [campaignId, DAY]);

const kept = async () =>
  (
    await pool.query<{ drift: string }>(
      `SELECT concat_ws(' ', day, what, counted_micros, booked_micros) AS drift FROM ledger_drifts ORDER BY day, what`,
    )
  ).rows.map(({ drift }) => drift);

test("events, ledger and campaigns' budgets that agree have no drift, and each day's sums are kept", async () => {
  expect(await reconcile(deps)).toEqual([]);
  const { rows } = await pool.query<{ day: string; same: boolean; gross: string }>(
    `SELECT day::text AS day, counted_gross_micros AS gross, counted_gross_micros = booked_gross_micros
       AND counted_revenue_micros = booked_revenue_micros AS same FROM reconciled_days ORDER BY day`,
  );
  expect(rows).toHaveLength(30);
  expect(rows.every(({ same }) => same)).toBe(true);
  expect(rows.filter(({ gross }) => gross !== "0")).toEqual([
    { day: DAY, same: true, gross: "1500" },
    { day: "2026-11-19", same: true, gross: "30" },
  ]);
});

test("only days of which every single event is kept are counted again", () => {
  expect(countableDays({ clock, keptDays: 365 })).toEqual({ ds: "2026-10-21", de: "2026-11-19" });
  expect(countableDays({ clock, keptDays: 5 })).toEqual({ ds: "2026-11-16", de: "2026-11-19" });
});

const change = (all: readonly DailyEarnings[], nth: number, row: Partial<DailyEarnings>) =>
  all.map((one, index) => (index === nth ? { ...one, ...row } : one));

test.each([
  [
    "a partner's impression that is not booked",
    change(events, 0, { grossMicros: 1010n, revenueMicros: 808n }),
    [`${DAY} gross 1510 1500`, `${DAY} revenue 1208 1200`],
  ],
  ["a fee that nobody agreed to", change(events, 0, { revenueMicros: 801n }), [`${DAY} revenue 1201 1200`]],
  [
    "an advertiser's ad that is not booked",
    change(events, 1, { grossMicros: 501n, revenueMicros: 400n }),
    [`${DAY} costs 501 500`, `${DAY} gross 1501 1500`],
  ],
  [
    "a day without events",
    events.filter(({ day }) => day === DAY),
    ["2026-11-19 gross 0 30", "2026-11-19 revenue 0 24"],
  ],
])("%s is a drift of its accounts, and is gone once they agree again", async (_what, counted, found) => {
  await reconcile({ ...deps, books: { counted: inRange(counted) } });
  expect(await kept()).toEqual(found);
  // Admins are told once.
  await reconcile({ ...deps, books: { counted: inRange(counted) } });
  expect(told.splice(0, Infinity)).toEqual([found.length]);
  await reconcile(deps);
  expect(await kept()).toEqual([]);
});

test("events that arrive between the accrual and the comparison are booked, and are no drift", async () => {
  const late = change(events, 2, { grossMicros: 40n, revenueMicros: 32n });
  const asked: string[] = [];
  const counted = async (range: { ds: string; de: string }) => {
    asked.push(`${range.ds} ${range.de}`);
    return inRange(late)(range);
  };
  expect(await reconcileWithLate({ ...deps, books: { ...books, earnings: inRange(late), counted } })).toEqual([]);
  expect([await kept(), told]).toEqual([[], []]);
  // Only the day that differs is counted once more.
  expect(asked).toEqual(["2026-10-21 2026-11-19", "2026-11-19 2026-11-19"]);
  // What the accrual does not see remains a drift.
  const unseen = change(late, 2, { grossMicros: 41n });
  await reconcileWithLate({ ...deps, books: { ...books, earnings: inRange(late), counted: inRange(unseen) } });
  expect(await kept()).toEqual(["2026-11-19 gross 41 40"]);
  expect(told.splice(0, Infinity)).toEqual([1]);
  events.splice(0, Infinity, ...late);
  await reconcile(deps);
  expect(await kept()).toEqual([]);
});

test.each([
  ["all its rows", []],
  ["the rows of earlier days", events.filter(({ day }) => day !== DAY)],
  ["a part of a day", change(events, 0, { grossMicros: 100n, revenueMicros: 80n })],
])("a store that has lost %s is a drift, and takes back nothing that was earned", async (_what, left) => {
  const lost = { firstDay: async () => left[0]?.day, earnings: inRange(left), counted: inRange(left) };
  const before = await publisherBalanceOf(pool, publisher);
  await accrueAll({ ...deps, books: lost });
  await reconcileWithLate({ ...deps, books: lost });
  expect(await publisherBalanceOf(pool, publisher)).toBe(before);
  const gross = left.reduce((sum, one) => (one.day === DAY && one.appId === appId ? sum + one.grossMicros : sum), 0n);
  expect(await kept()).toContain(`${DAY} gross ${gross} 1500`);
  expect(told.splice(0, Infinity)).toHaveLength(1);
  await reconcile(deps);
  expect(await kept()).toEqual([]);
});

test("a campaign that has spent more than its ads cost is a drift of its advertiser after a week", async () => {
  await pool.query("UPDATE campaign_days SET spent_micros = 600 WHERE campaign_id = $1", [campaignId]);
  await pool.query("INSERT INTO campaign_days VALUES ($1, '2026-11-18', 70)", [campaignId]);
  await reconcile(deps);
  expect(await kept()).toEqual([`${DAY} spend 600 500`]);
  await pool.query("UPDATE campaign_days SET spent_micros = 500 WHERE campaign_id = $1 AND day = $2", [
    campaignId,
    DAY,
  ]);
});

test("money booked for a day behind the accrual's back is a drift", async () => {
  await inTransaction(pool, (client) =>
    bookPosting(client, {
      reference: "by hand",
      kind: "accrual",
      reason: "a test",
      actorUserId: null,
      at: new Date(clock.now()),
      forDay: DAY,
      lines: [
        { book: "publisher_balance", accountId: publisher, amountMicros: -5n, appId, provider: "aurora" },
        { book: "platform_fees", accountId: null, amountMicros: 5n, appId, provider: "aurora" },
      ],
    }),
  );
  await reconcile(deps);
  expect(await kept()).toEqual([`${DAY} revenue 1200 1205`]);
});

const OLD = "2026-09-01";
const driftOn = (day: string, what: string) =>
  pool.query("INSERT INTO ledger_drifts VALUES ($1, $2, $3, 12, 5, now())", [day, publisher, what]);

test("a day that differs is counted again as long as its events are kept, and its spend for good", async () => {
  await pool.query("DELETE FROM ledger_drifts");
  await driftOn(OLD, "revenue");
  await driftOn(OLD, "spend");
  // The events of the day are deleted: nobody can count them.
  await reconcile(deps);
  expect(await kept()).toContain(`${OLD} revenue 12 5`);
  expect(await kept()).not.toContain(`${OLD} spend 12 5`);
  const late = [...events, sold(OLD, 50n, 40n)];
  const wide = { ...deps, keptDays: 365, books: { counted: inRange(late) } };
  await reconcile(wide);
  expect(await kept()).toContain(`${OLD} revenue 40 0`);
  await accrue({ ...deps, books: { firstDay: async () => OLD, earnings: inRange(late) } }, { ds: OLD, de: OLD });
  await reconcile(wide);
  expect((await kept()).filter((drift) => drift.startsWith(OLD))).toEqual([]);
});

test("a difference that is accepted stays so, until a count finds another amount", async () => {
  await pool.query("DELETE FROM ledger_drifts");
  const off = (revenue: bigint) => ({
    ...deps,
    books: { counted: inRange(change(events, 2, { revenueMicros: revenue })) },
  });
  await reconcile(off(20n));
  told.length = 0;
  const { rows } = await pool.query<{ uuid: string }>("SELECT uuid FROM ledger_drifts WHERE day = '2026-11-19'");
  const [drift] = rows;
  await pool.query(
    "UPDATE ledger_drifts SET accepted_at = now(), accepted_reason = 'Too little to matter' WHERE uuid = $1",
    [drift?.uuid],
  );
  const accepted = async () =>
    (await pool.query("SELECT FROM ledger_drifts WHERE uuid = $1 AND accepted_at IS NOT NULL", [drift?.uuid])).rowCount;
  await reconcile(off(20n));
  expect([await accepted(), told]).toEqual([1, []]);
  await reconcile(off(21n));
  expect([await accepted(), told]).toEqual([0, [1]]);
});
