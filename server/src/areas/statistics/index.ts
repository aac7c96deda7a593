import type { AppMetrics } from "@millrace/contract";
import { dayOf, dayStartMs } from "@millrace/units";
import type { Area } from "../../platform/area.ts";
import type { ClickHouse } from "../../platform/clickhouse/connect-clickhouse.ts";
import { askStore } from "./ask-store.ts";
import { beginsBefore } from "./closed-days.ts";
import { seenCountries } from "./daily-lists.stat.ts";
import type { Clock } from "../../platform/clock.ts";
import { type FairQueue, fairQueue } from "../../platform/fair-queue.ts";
import type { Ship } from "../../platform/journal/block.ts";
import { openJournal } from "../../platform/journal/journal.ts";
import type { Log } from "../../platform/log.ts";
import { type Question, type ScopeStatistics, scopeStatistics } from "./scope-statistics.ts";
import { earned } from "./lifetime.stat.ts";
import { microsNumber } from "./metrics.ts";
import type { Retention } from "./retention/retire-raw-rows.ts";
import { retirement } from "./retention/retirement.ts";
import { numbersOf } from "./numbers.ts";
import { recentEventIds } from "./recent-event-ids.ts";
import type { EventSink, Rows } from "./rows.ts";
import type { Scope } from "./scope.ts";
import { UNWATCHED_MS, shipOnLook } from "./ship-on-look.ts";
import { shipToClickHouse } from "./ship-to-clickhouse.ts";
import { metricsByApp } from "./totals.ts";

export type { Question, ScopeStatistics } from "./scope-statistics.ts";
export { countryName } from "./labels.ts";
export { atSeconds } from "./rows.ts";
export type { AuctionRow, EventRow, EventSink, PlayerEventRow } from "./rows.ts";
export type { Scope } from "./scope.ts";
export { retireRawRows } from "./retention/retire-raw-rows.ts";
export { compareNames } from "./table.ts";

export interface StatisticsDeps {
  clickhouse: ClickHouse;
  /** Where events wait for the analytical store; a directory of its own below DATA_DIR. */
  journalDir: string;
  clock: Clock;
  log: Log;
  /** How many days raw rows are kept; they are kept for ever where it is not said. */
  retentionDays?: Retention["days"];
}

/** A page asks for some ten parts at once; the store runs four queries at a time. */
const TURNS = { atOnce: 8, perKey: 4, waitingPerKey: 100, waitMs: 20_000 };

/** What other areas may ask of the statistics. */
export interface Statistics {
  events: EventSink;
  /** Every call that queries the analytical store takes its turn here, by account. */
  turns: FairQueue;
  /** Ids of all events since a moment, for whoever must know a repeated one; may name an id twice. */
  recentEventIds(sinceMs: number): AsyncGenerator<string>;
  /** What these apps have earned ever, and today. */
  earnings(appIds: readonly number[]): Promise<{ balanceMicros: number; revenueTodayMicros: number }>;
  /** The numbers of one app, or of several together. */
  of(question: Question): ScopeStatistics;
  /** Countries that these apps have been used in, by their codes. */
  seenCountries(appIds: readonly number[]): Promise<string[]>;
  /** Metrics of all these apps together, and of each. */
  metricsByApp(scope: Scope): Promise<{ total: AppMetrics; of: (appId: number) => AppMetrics }>;
  /** Before somebody reads rows that may be on their way: resolves once those appended so far can be read, or after a moment. */
  look(): Promise<void>;
  /** Makes everything appended so far visible; Problem `unavailable` when the store does not take it in time. */
  flush(timeoutMs?: number): Promise<void>;
}

/** Keeps what happened, and answers for it in numbers. What an earlier process left is on its way once this resolves. */
export async function statisticsArea({
  clickhouse,
  journalDir,
  clock,
  log,
  retentionDays,
}: StatisticsDeps): Promise<Area & Statistics> {
  const { read, write } = clickhouse;
  const ask = askStore({ read, clock, look: () => look() });
  // An ad's answer is out before its auction is recorded; a beacon is answered once its event is.
  const patient = ["auctions", "traces"] satisfies (keyof Rows)[];
  const keep = shipToClickHouse(write);
  const ship: Ship = async (block) => {
    await keep(block);
    if (beginsBefore(block.rows, dayStartMs(dayOf(clock.now())))) ask.closed.reopen();
  };
  const journal = await openJournal(journalDir, { ship, log, patient, limits: { segmentMs: UNWATCHED_MS } });
  const look = shipOnLook(journal);
  const retiring = retentionDays && retirement({ clickhouse, clock, log, days: retentionDays });
  return {
    name: "statistics",
    // The routes are the apps area's, which knows whose app is asked for.
    routes: () => {},
    start: async () => retiring?.start(),
    stop: async () => {
      await retiring?.stop();
      await journal.close();
    },
    turns: fairQueue(TURNS),
    events: {
      append: (table, row) => journal.append(table, row),
      appendAll: (table, rows) => journal.appendAll(table, rows),
    },
    recentEventIds: (sinceMs) => recentEventIds({ read, journal }, sinceMs),
    async earnings(appIds) {
      const [row] = await ask(earned, { appIds: [...appIds], day: dayOf(clock.now()) });
      return {
        balanceMicros: microsNumber(row?.everMicros ?? 0n),
        revenueTodayMicros: microsNumber(row?.dayMicros ?? 0n),
      };
    },
    async seenCountries(appIds) {
      return (await ask(seenCountries, { appIds: [...appIds] })).map(({ code }) => code);
    },
    of: (question) => scopeStatistics({ ask, clock }, question),
    metricsByApp: (scope) => metricsByApp(numbersOf(ask, scope)),
    look,
    flush: (timeoutMs) => journal.flush(timeoutMs),
  };
}
