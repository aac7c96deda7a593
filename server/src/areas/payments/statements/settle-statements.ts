import { type RestatedCause, STATEMENT_CAUSES, type StatementCause } from "@millrace/contract";
import { type DayRange, dayOf, eachDay } from "@millrace/units";
import type { PoolClient } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { grouped } from "../../../platform/grouped.ts";
import type { PartnerHour } from "../../statistics/index.ts";
import { bookedSales } from "../booked-sales.ts";
import { type Line, PAST_DAYS_LOCK, bookPosting } from "../ledger.ts";
import { type ByCause, type Stated, causesOf } from "./causes.ts";
import { keyOf } from "./cells.ts";
import type { StatementDeps } from "./check-statement.ts";
import { countedDays, hoursAround } from "./counted-days.ts";
import { readExcesses } from "./excesses.ts";

interface Settlement {
  partner: string;
  range: DayRange;
  hours: readonly PartnerHour[];
  at: Date;
}

/**
 * Books, in the client's transaction, what a partner owes by its statements: for each of its days, app and cause, the difference from what
 * events say, less what is booked of it already; so running it again posts nothing. A closed month's difference counts today. Admins are told
 * if days begin to have more passed on than is missing. Resolves with the number of postings.
 */
export async function settlePartner(
  { tellExcess }: Pick<StatementDeps, "tellExcess">,
  client: PoolClient,
  settlement: Settlement,
): Promise<number> {
  // Events that arrive late change what statements are compared with.
  await client.query(PAST_DAYS_LOCK);
  const { partner, range } = settlement;
  const before = new Set((await readExcesses(client, { partner, range })).map(({ day, appId }) => keyOf(day, appId)));
  const postings = await bookDifferences(client, settlement);
  const after = postings === 0 ? [] : await readExcesses(client, { partner, range });
  if (after.some(({ day, appId }) => !before.has(keyOf(day, appId)))) await tellExcess(client, partner);
  return postings;
}

async function bookDifferences(client: PoolClient, { partner, range, hours, at }: Settlement): Promise<number> {
  const stated = await statedDays(client, partner, range);
  if (stated.length === 0) return 0;
  const sales = (await bookedSales(client, hoursAround(range))).filter(({ provider }) => provider === partner);
  const bookedOf = new Map(sales.map(({ day, appId, grossMicros }) => [keyOf(day, appId), grossMicros]));
  const countedIn = new Map(
    [...new Set(stated.map(({ timeZone }) => timeZone))].map((zone) => [zone, countedDays(hours, sales, zone)]),
  );
  const posted = await postedCauses(client, partner, range);
  const closed = await closedMonths(client);
  const byDay = grouped(stated, ({ day }) => day);
  let postings = 0;
  for (const day of eachDay(range)) {
    const lines = new Map<StatementCause, Line[]>();
    for (const { appId, timeZone, stated: states } of byDay.get(day) ?? []) {
      const counted = countedIn.get(timeZone)?.(day, appId);
      if (!counted) continue;
      const target = causesOf(bookedOf.get(keyOf(day, appId)) ?? 0n, counted, states);
      for (const cause of STATEMENT_CAUSES) {
        const micros = target[cause] - (posted.get(keyOf(day, appId))?.[cause] ?? 0n);
        if (micros !== 0n) lines.set(cause, [...(lines.get(cause) ?? []), ...linesOf(appId, partner, micros)]);
      }
    }
    for (const [cause, [first, second, ...others]] of lines) {
      if (!first || !second) continue;
      await bookPosting(client, {
        reference: await nextReference(client, `statement ${day} ${partner} ${cause}`),
        kind: "statement",
        reason: "",
        cause,
        actorUserId: null,
        at,
        onDay: closed.has(day.slice(0, 7)) ? dayOf(at.getTime()) : day,
        forDay: day,
        lines: [first, second, ...others],
      });
      postings++;
    }
  }
  return postings;
}

function linesOf(appId: number, provider: string, amountMicros: bigint): [Line, Line] {
  const what = { accountId: null, appId, provider };
  return [
    { book: "partner_receivable", ...what, amountMicros },
    { book: "partner_differences", ...what, amountMicros: -amountMicros },
  ];
}

const nextReference = async (client: PoolClient, about: string): Promise<string> => {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM ledger_postings WHERE reference LIKE $1 || ' %'",
    [about.replaceAll(/[\\%_]/g, String.raw`\$&`)],
  );
  return `${about} ${(rows[0]?.count ?? 0) + 1}`;
};

async function closedMonths(client: PoolClient): Promise<Set<string>> {
  const { rows } = await client.query<{ month: string }>(
    "SELECT to_char(month, 'YYYY-MM') AS month FROM closed_months",
  );
  return new Set(rows.map(({ month }) => month));
}

interface StatedDay {
  day: string;
  appId: number;
  /** Of the last statement: an earlier one may have been read with a wrong one. */
  timeZone: string;
  stated: [Stated, ...Stated[]];
}

/** What a partner's statements have said of the days of a range, app by app. */
async function statedDays(client: PoolClient, partner: string, { ds, de }: DayRange): Promise<StatedDay[]> {
  const { rows } = await client.query<{
    day: string;
    appId: number;
    timeZone: string;
    impressions: string;
    reported: string;
    shown: string;
    cause: RestatedCause | null;
  }>(
    `SELECT d.day::text AS day, d.app_id AS "appId", s.mapping->>'time_zone' AS "timeZone", d.impressions,
            d.reported_micros AS reported, d.shown_micros AS shown, s.cause
     FROM statement_days d JOIN statements s ON s.id = d.statement_id
     WHERE s.partner_id = $1 AND d.day BETWEEN $2 AND $3 ORDER BY d.day, d.app_id, s.id`,
    [partner, ds, de],
  );
  const days = new Map<string, StatedDay>();
  for (const { day, appId, timeZone, impressions, reported, shown, cause } of rows) {
    const state: Stated = {
      impressions: BigInt(impressions),
      reportedMicros: BigInt(reported),
      shownMicros: BigInt(shown),
      cause: cause === "mistake" ? null : cause,
    };
    const known = days.get(keyOf(day, appId));
    if (known) {
      known.timeZone = timeZone;
      const last = known.stated.at(-1);
      const isSame = last?.impressions === state.impressions && last.reportedMicros === state.reportedMicros;
      // The right amounts after a mistaken import, and the same ones read in another way, replace the former and are no change of the partner's.
      if (last && (isSame || cause === "mistake")) known.stated.splice(-1, 1, { ...state, cause: last.cause });
      else known.stated.push(state);
    } else days.set(keyOf(day, appId), { day, appId, timeZone, stated: [state] });
  }
  return [...days.values()];
}

/** What statements have booked, by day, app and cause. */
async function postedCauses(
  client: PoolClient,
  partner: string,
  { ds, de }: DayRange,
): Promise<Map<string, Partial<ByCause>>> {
  const { rows } = await client.query<{ day: string; appId: number; cause: StatementCause; micros: string }>(
    `SELECT p.for_day::text AS day, l.app_id AS "appId", p.cause, sum(l.amount_micros) AS micros
     FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE p.for_day BETWEEN $2 AND $3 AND p.kind = 'statement' AND l.provider = $1 AND l.book = 'partner_receivable'
     GROUP BY p.for_day, l.app_id, p.cause`,
    [partner, ds, de],
  );
  const posted = new Map<string, Partial<ByCause>>();
  for (const { day, appId, cause, micros } of rows)
    posted.set(keyOf(day, appId), { ...posted.get(keyOf(day, appId)), [cause]: BigInt(micros) });
  return posted;
}

const DAYS_AT_ONCE = 31;

/** Settles again whatever partners have stated of a range, or of all time: what events say of it may have changed. */
export async function settleStatements(deps: StatementDeps, range?: DayRange): Promise<number> {
  const { rows } = await deps.pool.query<{ partner: string; ds: string; de: string }>(
    `SELECT s.partner_id AS partner, min(d.day)::text AS ds, max(d.day)::text AS de
     FROM statement_days d JOIN statements s ON s.id = d.statement_id
     WHERE $1::date IS NULL OR d.day BETWEEN $1 AND $2
     GROUP BY s.partner_id, (d.day - '2000-01-01'::date) / ${DAYS_AT_ONCE} ORDER BY 1, 2`,
    [range?.ds ?? null, range?.de ?? null],
  );
  let postings = 0;
  for (const { partner, ...days } of rows) {
    const hours = await deps.partnerHours(partner, hoursAround(days));
    const at = new Date(deps.clock.now());
    postings += await inTransaction(deps.pool, (client) =>
      settlePartner(deps, client, { partner, range: days, hours, at }),
    );
  }
  return postings;
}
