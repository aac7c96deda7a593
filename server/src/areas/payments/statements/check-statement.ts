import type { LineError, StatementMapping } from "@millrace/contract";
import type { DayRange } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { PartnerHour } from "../../statistics/index.ts";
import { bookedSales } from "../booked-sales.ts";
import { type Cell, addUp, keyOf } from "./cells.ts";
import { openDayIn } from "./counted-days.ts";
import { parseStatement } from "./parse-statement.ts";
import { resolvePlaces } from "./resolve-places.ts";
import { rateUnits, shown } from "./statement-values.ts";

export interface StatementDeps {
  pool: Pool;
  clock: Clock;
  /** What was shown of a partner's ads by hour and app. */
  partnerHours(provider: string, range: DayRange): Promise<readonly PartnerHour[]>;
  /** Queues mails to the admins, once the transaction commits: the partner now owes more of days that were passed on. */
  tellExcess(client: PoolClient, partner: string): Promise<void>;
}

/** How a statement is read. */
export interface Reading {
  partner: string;
  mapping: StatementMapping;
  rate: string | null;
  shown_rate: string | null;
  content: string;
}

export interface CheckedStatement {
  columns: string[];
  lines: number;
  errors: LineError[];
  /** The days of apps, in the order of the file; none if anything is at fault. */
  cells: Cell[];
  /** What is booked of the partner's ads, by `keyOf`. */
  booked: ReadonlyMap<string, bigint>;
}

const NO_PARTNER = "There is no such partner";

/**
 * Reads a statement and finds its apps, without changing anything. Problem `unprocessable` for what is no line's fault: an unknown partner,
 * a currency that does not exist or has no rate.
 */
export async function checkStatement({ pool, clock }: StatementDeps, reading: Reading): Promise<CheckedStatement> {
  const { partner, mapping, content } = reading;
  await assertPartner(pool, partner);
  checkCurrency(reading);
  const { columns, lines, errors } = parseStatement(content, mapping, openDayIn(mapping.time_zone, clock.now()));
  const range = rangeOf(lines.map(({ day }) => day));
  const sales = range === null ? [] : (await bookedSales(pool, range)).filter(({ provider }) => provider === partner);
  const booked = new Map(sales.map(({ day, appId, grossMicros }) => [keyOf(day, appId), grossMicros]));
  const find = await resolvePlaces(
    pool,
    { places: lines.map(({ place }) => place), kind: mapping.place_kind },
    (appId, day) => booked.has(keyOf(day, appId)),
  );
  const found = lines.flatMap((line) => {
    const app = find(line.place, line.day);
    if (typeof app === "number") return [{ ...line, appId: app }];
    const message = `${shown(line.place)} ${PLACE_FAULTS[app]}`;
    errors.push({ line: line.line, field: mapping.place, message });
    return [];
  });
  errors.sort((one, other) => one.line - other.line);
  const cells =
    errors.length > 0 ? [] : addUp(found, { rate: rateUnits(reading.rate), shownRate: shownRateOf(reading) });
  return { columns, lines: lines.length, errors, cells, booked };
}

const PLACE_FAULTS = {
  unknown: "is no app's",
  ambiguous: "is several apps', and none or more than one of them has sold to this partner on this day",
} as const;

const shownRateOf = ({ rate, shown_rate: shownRate }: Reading): bigint => rateUnits(shownRate ?? rate);

/** The first and the last of some days; null without any. */
export function rangeOf(days: readonly string[]): DayRange | null {
  const [ds, de] = [days.reduce((a, b) => (b < a ? b : a), days[0] ?? ""), days.reduce((a, b) => (b > a ? b : a), "")];
  return days.length === 0 ? null : { ds, de };
}

/** Problem `unprocessable` for an unknown partner. */
export async function assertPartner(pool: Pool, partner: string): Promise<void> {
  const { rowCount } = await pool.query("SELECT FROM partners WHERE id = $1", [partner]);
  if (rowCount !== 1) throw new Problem("unprocessable", { partner: NO_PARTNER });
}

function checkCurrency({ mapping: { currency }, rate, shown_rate: shownRate }: Reading): void {
  if (!Intl.supportedValuesOf("currency").includes(currency))
    throw new Problem("unprocessable", { "mapping.currency": `There is no currency ${currency}` });
  if (currency === "USD") {
    if (rate !== null) throw new Problem("unprocessable", { rate: "US dollars have no rate" });
    if (shownRate !== null) throw new Problem("unprocessable", { shown_rate: "US dollars have no rate" });
  } else if (rate === null) {
    throw new Problem("unprocessable", { rate: `Add the rate of ${currency} in US dollars` });
  }
}
