import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import { type CurrencyRate, currentToUsd, listRates } from "../../demand-partners/index.ts";

/** The exchange rates that auctions convert by, in memory. Until they are read, there is none but the dollar's. */
export class CurrentRates {
  readonly #pool: Pool;
  readonly #days: number;
  #rates: readonly CurrencyRate[] = [];
  #known: { day: string; toUsd: Readonly<Record<string, number>> } | undefined;

  /** Rates older than `days` days are not used. */
  constructor(pool: Pool, days: number) {
    this.#pool = pool;
    this.#days = days;
  }

  /** Reads the newest rates. Rejects if they cannot be read; what was known holds on until it is too old. */
  async refresh(): Promise<void> {
    this.#rates = await listRates(this.#pool);
    this.#known = undefined;
  }

  /** US dollars per unit of each currency with a current rate. */
  toUsd(nowMs: number): Readonly<Record<string, number>> {
    const day = dayOf(nowMs);
    if (this.#known?.day !== day) {
      this.#known = { day, toUsd: currentToUsd(this.#rates, day, this.#days) };
    }
    return this.#known.toUsd;
  }
}
