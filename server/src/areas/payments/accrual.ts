import { CAMPAIGN_PROVIDER } from "@millrace/contract";
import { type DayRange, addDays, dayOf, eachDay } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import type { BookedDays } from "../statistics/index.ts";
import { type Sale, bookedSales, ownersOf, realSales } from "./booked-sales.ts";
import { type Line, PAST_DAYS_LOCK, bookNew } from "./ledger.ts";

export interface AccrualDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  books: Pick<BookedDays, "earnings" | "firstDay">;
}

/** Days asked for at once: a query's rows are days × apps × providers. */
const DAYS_AT_ONCE = 31;

/** The last UTC day that is over. */
export const lastDayOver = (clock: Clock): string => addDays(dayOf(clock.now()), -1);

/**
 * Books for each day of a range, account, app and provider or campaign what its impressions were sold for, less what is
 * booked already; so running it again posts nothing. Days that are not over are left out. Takes nothing back: events are only
 * added, so a store that has less than is booked has lost rows, and the count of single events finds the difference. Resolves with
 * the number of postings. `cause` says why a day that is booked already has changed.
 */
export async function accrue(
  deps: AccrualDeps,
  { ds, de }: DayRange,
  cause = "Events of this day arrived later",
): Promise<number> {
  const last = lastDayOver(deps.clock);
  let posted = 0;
  for (let from = ds; from <= de && from <= last; from = addDays(from, DAYS_AT_ONCE)) {
    const until = [addDays(from, DAYS_AT_ONCE - 1), de, last].toSorted()[0] ?? from;
    const range = { ds: from, de: until };
    const earnings = await realSales(deps.pool, await deps.books.earnings(range));
    const booked = await bookedSales(deps.pool, range);
    for (const day of eachDay(range)) {
      const rows = earnings.filter((row) => row.day === day);
      // Most days have been booked long ago. For any other day, what was sold and what is booked are read again under the lock.
      const was = booked.filter((sale) => sale.day === day);
      if (areSame(rows, was)) continue;
      posted += await inTransaction(deps.pool, (client) => accrueDay(deps, client, day, cause));
    }
  }
  return posted;
}

/** Books every day that is over. */
export async function accrueAll(deps: AccrualDeps): Promise<number> {
  const first = await deps.books.firstDay();
  return first === undefined ? 0 : accrue(deps, { ds: first, de: lastDayOver(deps.clock) });
}

const keysOf = ({ appId, provider, campaignId }: Sale) => ({ appId, provider, campaignId });
const keyOf = (sale: Sale): string => Object.values(keysOf(sale)).join(" ");

function areSame(earnings: readonly Sale[], booked: readonly Sale[]): boolean {
  const amounts = (sales: readonly Sale[]): string =>
    sales
      .filter(({ grossMicros, revenueMicros }) => grossMicros !== 0n || revenueMicros !== 0n)
      .map((sale) => `${keyOf(sale)} ${sale.grossMicros} ${sale.revenueMicros}`)
      .toSorted()
      .join();
  return amounts(earnings) === amounts(booked);
}

/** Whether less was sold, by the price or the publisher's part of it, than is booked. */
const isLess = (sold: Sale | undefined, booked: Sale): boolean =>
  (sold?.grossMicros ?? 0n) < booked.grossMicros || (sold?.revenueMicros ?? 0n) < booked.revenueMicros;

/** For the log: after a restore, a day may have hundreds of sums that nobody owns. */
function factsOf(sales: readonly Sale[]) {
  const ids = (all: readonly number[]) => [...new Set(all)].filter((id) => id !== 0).toSorted((a, b) => a - b);
  return {
    sums: sales.length,
    apps: ids(sales.map(({ appId }) => appId)),
    campaigns: ids(sales.map(({ campaignId }) => campaignId)),
    grossMicros: String(sales.reduce((sum, { grossMicros }) => sum + grossMicros, 0n)),
  };
}

async function accrueDay(
  { clock, log, books }: AccrualDeps,
  client: PoolClient,
  day: string,
  cause: string,
): Promise<number> {
  await client.query(PAST_DAYS_LOCK);
  // Figures from before the lock may be older than what another run has booked, and would take that back.
  const earnings = await realSales(client, await books.earnings({ ds: day, de: day }));
  const booked = new Map((await bookedSales(client, { ds: day, de: day })).map((sale) => [keyOf(sale), sale]));
  const counted = new Map<string, Sale>(earnings.map((sale) => [keyOf(sale), sale]));
  const fallen = [...booked].filter(([key, was]) => isLess(counted.get(key), was)).map(([key]) => key);
  if (fallen.length > 0)
    log.warn({ day, sums: fallen.length }, "the store has less of a day than is booked; what is booked stays");
  const { publishers, advertisers } = await ownersOf(client, [...counted.values()]);
  const lines = new Map<number, Line[]>();
  const lost: Sale[] = [];
  for (const [key, sold] of counted) {
    if (fallen.includes(key)) continue;
    const publisher = publishers.get(sold.appId);
    const advertiser = advertisers.get(sold.campaignId) ?? null;
    if (publisher === undefined || (sold.provider === CAMPAIGN_PROVIDER.id && advertiser === null)) {
      lost.push(sold);
      continue;
    }
    const was = booked.get(key);
    const added = linesOf(sold, publisher, advertiser, {
      grossMicros: sold.grossMicros - (was?.grossMicros ?? 0n),
      revenueMicros: sold.revenueMicros - (was?.revenueMicros ?? 0n),
    });
    if (added.length > 0) lines.set(publisher, [...(lines.get(publisher) ?? []), ...added]);
  }
  if (lost.length > 0) log.warn({ day, ...factsOf(lost) }, "ads are not booked, as nobody owns their app or campaign");
  const at = new Date(clock.now());
  const { closed, last } = await formerOf(client, day);
  for (const [accountId, [first, second, ...others]] of lines) {
    if (!first || !second) continue;
    const nth = (last.get(accountId) ?? 0) + 1;
    await bookNew(client, {
      reference: `accrual ${day} account ${accountId} ${nth}`,
      kind: "accrual",
      reason: nth === 1 ? "" : cause,
      actorUserId: null,
      at,
      // A closed month never changes: the difference counts today.
      onDay: closed ? dayOf(at.getTime()) : day,
      forDay: day,
      lines: [first, second, ...others],
    });
  }
  return lines.size;
}

/** The lines of a change of what was sold: who pays it, the publisher's part, and the platform's. */
function linesOf(
  { appId, provider, campaignId }: Sale,
  publisherId: number,
  advertiserId: number | null,
  { grossMicros, revenueMicros }: { grossMicros: bigint; revenueMicros: bigint },
): Line[] {
  const what = { appId, provider, ...(campaignId > 0 && { campaignId }) };
  const payer =
    advertiserId === null
      ? ({ book: "partner_receivable", accountId: null } as const)
      : ({ book: "campaign_costs", accountId: advertiserId } as const);
  const lines: Line[] = [
    { ...payer, ...what, amountMicros: grossMicros },
    { book: "publisher_balance", accountId: publisherId, ...what, amountMicros: -revenueMicros },
    { book: "platform_fees", accountId: null, ...what, amountMicros: revenueMicros - grossMicros },
  ];
  return lines.filter(({ amountMicros }) => amountMicros !== 0n);
}

/** Whether the day's month is closed, and the number of each account's last accrual for the day: earlier ones may have gone with the demo. */
async function formerOf(client: PoolClient, day: string): Promise<{ closed: boolean; last: Map<number, number> }> {
  const closed = await client.query("SELECT FROM closed_months WHERE month = date_trunc('month', $1::date)", [day]);
  const { rows } = await client.query<{ accountId: number; nth: number }>(
    `SELECT substring(reference FROM 'account (\\d+) ')::integer AS "accountId", max(substring(reference FROM ' (\\d+)$')::integer) AS nth
     FROM ledger_postings WHERE for_day = $1 AND kind = 'accrual' GROUP BY 1`,
    [day],
  );
  return { closed: closed.rowCount === 1, last: new Map(rows.map(({ accountId, nth }) => [accountId, nth])) };
}
