import type { CurrencyRates } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { type CurrencyRate, isCurrent, listRates, noteRates } from "../currency-rates.ts";

export interface RatesDeps {
  pool: Pool;
  clock: Clock;
  /** How many days a rate may be used. */
  rateDays: number;
  /** Where rates are read from, besides those entered by hand. */
  currencyRates: string | undefined;
}

/** The newest rate of each currency. */
export async function readRates({ pool, clock, rateDays, currencyRates }: RatesDeps): Promise<CurrencyRates> {
  const today = dayOf(clock.now());
  const rates = await listRates(pool);
  return {
    rates: rates.map((rate) => ({ ...rate, is_current: isCurrent(rate.day, today, rateDays) })),
    days: rateDays,
    has_feed: currencyRates !== undefined,
  };
}

/** Notes a rate by hand. Problem `invalid` for a day that has not begun. */
export async function noteRate(deps: RatesDeps, by: By, rate: CurrencyRate): Promise<CurrencyRates> {
  const { pool, clock } = deps;
  const at = new Date(clock.now());
  if (rate.day > dayOf(clock.now())) throw new Problem("invalid", { day: "Choose a day up to today (UTC)" });
  await inTransaction(pool, async (client) => {
    await noteRates(client, [rate], { source: "hand", at });
    const { currency, day, usd } = rate;
    await recordAct({ pool: client, clock }, by, {
      action: "currency_rate_noted",
      subject: currency,
      details: { day, usd },
    });
  });
  return readRates(deps);
}
