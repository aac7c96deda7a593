import type { ClickHouseClient } from "@clickhouse/client";
import { type DayRange, addDays, dayOf, divideRounded } from "@millrace/units";
import type { Pool } from "pg";
import { importStatement } from "../../../server/src/areas/payments/index.ts";
import { type DemoHour, habitOf, ownDays, writeStatement } from "./write-statement.ts";

interface Seed {
  adminUserId: number;
  nowMs: number;
}

interface Stores {
  pool: Pool;
  read: ClickHouseClient;
}

/** One partner finds invalid traffic in the last week of a month, and restates it. */
const RESTATED = { partner: "lab-performance", days: 7, part: 0.97 } as const;
/** When a month's statements arrive: on this day of the next one. */
const ARRIVES_ON = 5;

/**
 * Imports the statements of the demo's partners for the finished months of its history, as they would have come in. It skips
 * those already imported, because an earlier run may have stopped half-way. Resolves to false until a job has booked the months
 * and they are over where each partner counts its days, which is hours later in America.
 */
export async function seedStatements({ pool, read }: Stores, { adminUserId, nowMs }: Seed): Promise<boolean> {
  const last = addDays(`${dayOf(nowMs).slice(0, 7)}-01`, -1);
  const { rows: booked } = await pool.query<{ first: string | null; last: string | null }>(
    `SELECT min(p.for_day)::text AS first, max(p.for_day)::text AS last FROM ledger_postings p WHERE p.kind = 'accrual'`,
  );
  const first = booked[0]?.first ?? null;
  if (first === null || (booked[0]?.last ?? "") < addDays(dayOf(nowMs), -1)) return false;
  const { rows: apps } = await pool.query<{ id: number; bundle: string }>(
    `SELECT a.id, a.bundle_id AS bundle FROM apps a JOIN accounts o ON o.id = a.account_id WHERE o.demo`,
  );
  const bundles = new Map(apps.map(({ id, bundle }) => [id, bundle]));
  const { rows: partners } = await pool.query<{ id: string; files: string[] }>(
    `SELECT id, ARRAY(SELECT s.file_name FROM statements s WHERE s.partner_id = partners.id) AS files
     FROM partners WHERE demo ORDER BY id`,
  );
  let complete = true;
  for (const { ds, de } of monthsIn({ ds: first, de: last })) {
    for (const { id: partner, files } of partners) {
      if (ownDays(partner)(nowMs) <= de) {
        complete = false;
        continue;
      }
      const fileName = `${partner}-${ds.slice(0, 7)}`;
      const isRestated = partner === RESTATED.partner;
      if (files.includes(isRestated ? `${fileName}-restated.csv` : `${fileName}.csv`)) continue;
      const hours = await hoursOf(read, partner, { ds: addDays(ds, -1), de: addDays(de, 1) });
      const until = addDays(de, -(habitOf(partner).lateDays ?? 0));
      const send = async (restated?: { from: string; part: number }) => {
        const statement = writeStatement(partner, hours, bundles, { ds, de: until, ...(restated && { restated }) });
        const name = `${fileName}${restated ? "-restated" : ""}.csv`;
        if (statement === null || files.includes(name)) return;
        await importStatement(
          {
            pool,
            clock: { now: () => arrival(de, nowMs) },
            partnerHours: async () => revenueHours(hours),
            // Nothing of the demo's past is passed on yet.
            tellExcess: async () => {},
          },
          { userId: adminUserId },
          { ...statement, partner, cause: restated ? "invalid_traffic" : null, file_name: name },
        );
      };
      await send();
      if (isRestated) await send({ from: addDays(de, 1 - RESTATED.days), part: RESTATED.part });
    }
  }
  return complete;
}

/** The whole or begun months of a range. */
function monthsIn({ ds, de }: DayRange): DayRange[] {
  const months: DayRange[] = [];
  for (let from = ds; from <= de;) {
    const next = `${addDays(`${from.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
    months.push({ ds: from, de: addDays(next, -1) });
    from = next;
  }
  return months;
}

/** In this month at the earliest, as an earlier one may be closed. */
const arrival = (de: string, nowMs: number): number =>
  Math.min(nowMs, Math.max(Date.parse(addDays(de, ARRIVES_ON)), Date.parse(`${dayOf(nowMs).slice(0, 7)}-01`)));

interface HourRow {
  id: string;
  appId: number;
  impressions: string;
  revenue: string;
}

/** A partner's impressions by hour and app, with each hour's part of the day's gross revenue. */
async function hoursOf(
  read: ClickHouseClient,
  partner: string,
  { ds, de }: DayRange,
): Promise<(DemoHour & { revenueMicros: bigint })[]> {
  const found = await read.query({
    query: `SELECT formatDateTime(hour, '%Y-%m-%dT%H:00:00Z', 'UTC') AS id, app_id AS appId, toString(sum(impressions)) AS impressions,
              toString(sum(revenue_micros)) AS revenue
            FROM stats_hourly
            WHERE provider = {partner:String} AND hour >= toDateTime({ds:Date}, 'UTC') AND hour < toDateTime({de:Date} + 1, 'UTC')
            GROUP BY hour, appId HAVING sum(stats_hourly.impressions) > 0 ORDER BY hour, appId`,
    query_params: { partner, ds, de },
    format: "JSONEachRow",
  });
  const hours = await found.json<HourRow>();
  const sold = await read.query({
    query: `SELECT toString(earnings_daily.day) AS day, app_id AS appId, toString(sum(gross_micros)) AS gross
            FROM earnings_daily WHERE provider = {partner:String} AND earnings_daily.day BETWEEN {ds:Date} AND {de:Date} GROUP BY day, appId`,
    query_params: { partner, ds, de },
    format: "JSONEachRow",
  });
  const keyOf = (day: string, appId: number) => `${day} ${appId}`;
  const grosses = new Map<string, bigint>();
  for (const { day, appId, gross } of await sold.json<{ day: string; appId: number; gross: string }>())
    grosses.set(keyOf(day, appId), BigInt(gross));
  const revenues = new Map<string, bigint>();
  for (const { id, appId, revenue } of hours) {
    const key = keyOf(id.slice(0, 10), appId);
    revenues.set(key, (revenues.get(key) ?? 0n) + BigInt(revenue));
  }
  return hours.map(({ id, appId, impressions, revenue }) => {
    const key = keyOf(id.slice(0, 10), appId);
    const whole = revenues.get(key) ?? 0n;
    return {
      id,
      appId,
      impressions: Number(impressions),
      revenueMicros: BigInt(revenue),
      grossMicros: whole === 0n ? 0n : divideRounded(BigInt(revenue) * (grosses.get(key) ?? 0n), whole),
    };
  });
}

const revenueHours = (hours: readonly (DemoHour & { revenueMicros: bigint })[]) =>
  hours.map(({ id, appId, impressions, revenueMicros }) => ({ id, appId, impressions, revenueMicros }));
