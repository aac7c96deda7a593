import { DAY_MS } from "@millrace/units";
import type { Pool, PoolClient } from "pg";

/** US dollars per unit of a currency on a day. */
export interface CurrencyRate {
  currency: string;
  /** `yyyy-mm-dd`, UTC. */
  day: string;
  usd: number;
}

export type RateSource = "hand" | "feed";

/** The newest rate of each currency, with where it is from. */
export async function listRates(db: Pool | PoolClient): Promise<(CurrencyRate & { source: RateSource })[]> {
  const { rows } = await db.query<CurrencyRate & { source: RateSource }>(
    `SELECT DISTINCT ON (currency) currency, day::text AS day, usd, source FROM currency_rates
     ORDER BY currency, day DESC`,
  );
  return rows;
}

/**
 * Notes rates. A later one of the same day replaces the earlier one, but a feed never what was entered by hand. Returns how
 * many are new or have changed.
 */
export async function noteRates(
  db: Pool | PoolClient,
  rates: readonly CurrencyRate[],
  { source, at }: { source: RateSource; at: Date },
): Promise<number> {
  const { rowCount } = await db.query(
    `INSERT INTO currency_rates (currency, day, usd, source, noted_at)
     SELECT currency, day, usd, $4, $5
     FROM unnest($1::text[], $2::date[], $3::double precision[]) AS given (currency, day, usd)
     ON CONFLICT (currency, day) DO UPDATE SET usd = excluded.usd, source = excluded.source, noted_at = excluded.noted_at
     WHERE (currency_rates.source <> 'hand' OR excluded.source = 'hand') AND currency_rates.usd <> excluded.usd`,
    [rates.map(({ currency }) => currency), rates.map(({ day }) => day), rates.map(({ usd }) => usd), source, at],
  );
  return rowCount ?? 0;
}

/** Whether a rate may still be used: it is of the last `days` days, today included, and not of the future. */
export const isCurrent = (day: string, today: string, days: number): boolean =>
  day <= today && Date.parse(today) - Date.parse(day) < days * DAY_MS;

/** The rates that may still be used: US dollars per unit, by currency. */
export const currentToUsd = (
  rates: readonly CurrencyRate[],
  today: string,
  days: number,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    rates.filter(({ day }) => isCurrent(day, today, days)).map(({ currency, usd }) => [currency, usd]),
  );
