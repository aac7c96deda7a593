import type { ClickHouseClient } from "@clickhouse/client";
import type { ComparisonKind } from "@millrace/contract";
import { type DayRange, addDays, dayOf, dayStartMs } from "@millrace/units";
import type { Registry } from "prom-client";
import type { Area } from "../../platform/area.ts";
import type { ClickHouse } from "../../platform/clickhouse/connect-clickhouse.ts";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { askStore } from "./ask-store.ts";
import { campaignImpressionsSince } from "./campaign-impressions.ts";
import { auctionApps } from "./auction-apps.stat.ts";
import { campaignTraffic, type CampaignTrafficRow } from "./campaign-traffic.stat.ts";
import { beginsBefore } from "./closed-days.ts";
import { creativeCounts } from "./campaigns/creative-counts.stat.ts";
import { type AdvertiserStatistics, advertiserStatistics } from "./campaigns/advertiser-statistics.ts";
import { type DailyEarnings, countedEarnings, dailyEarnings, firstEarningDay } from "./daily-earnings.stat.ts";
import { firstDays, firstDaysOfSdks, seenCountries } from "./daily-lists.stat.ts";
import { type FloorStatistics, floorStatistics } from "./floor-evidence.stat.ts";
import { firstCounts, notCounted } from "./first-counts.stat.ts";
import type { Clock } from "../../platform/clock.ts";
import { type FairQueue, fairQueue } from "../../platform/fair-queue.ts";
import type { Ship } from "../../platform/journal/block.ts";
import { openJournal } from "../../platform/journal/journal.ts";
import type { Log } from "../../platform/log.ts";
import { type Question, type ScopeStatistics, comparedPeriod, scopeStatistics } from "./scope-statistics.ts";
import { earned } from "./lifetime.stat.ts";
import { exposeJournal } from "./journal-metrics.ts";
import { type LineItemStatistics, lineItemStatistics } from "./line-items.stat.ts";
import { microsNumber } from "./metrics.ts";
import type { Retention } from "./retention/retire-raw-rows.ts";
import { retirement } from "./retention/retirement.ts";
import { numbersOf } from "./numbers.ts";
import { recentEventIds } from "./recent-event-ids.ts";
import { type FoundImpression, impressionsOf, type ImpressionsQuestion } from "./impressions.stat.ts";
import { type FoundRequests, findRequests, type RequestsQuestion } from "./requests.ts";
import type { EventSink, Rows } from "./rows.ts";
import type { Scope } from "./scope.ts";
import { UNWATCHED_MS, shipOnLook } from "./ship-on-look.ts";
import { shipOnce } from "./ship-once.ts";
import { shipToClickHouse } from "./ship-to-clickhouse.ts";
import { type StoredImpressions, storedImpressionsOf } from "./stored-impressions.ts";
import { metricsByApp } from "./totals.ts";
import { type PartnerHour, partnerHours } from "./partner-hours.stat.ts";
import { type PartnerStatistics, partnerStatistics } from "./partner-statistics.ts";

export { MOST_TIME } from "./campaigns/campaign-fit.ts";
export type { FitParams } from "./campaigns/campaign-fit.ts";
export type { CreativeSums } from "./campaigns/creative-counts.stat.ts";
export type { SpendingPart } from "./campaigns/spending.ts";
export type { CampaignStatistics } from "./campaigns/campaign-statistics.ts";
export type { Question, ScopeStatistics } from "./scope-statistics.ts";
export { countryName, formatName, knownFormat } from "./labels.ts";
export type { FoundImpression } from "./impressions.stat.ts";
export { type StoredImpression, type StoredImpressions, type StoredPlace, placeAt } from "./stored-impressions.ts";
export { placeOf } from "./requests.ts";
export type { Place } from "./requests.ts";
export { reasonText } from "./shares.ts";
export { type CampaignTrafficRow, LEAST_PRICE_MICROS, PRICE_STEPS } from "./campaign-traffic.stat.ts";
export { atSeconds } from "./rows.ts";
export { placeId } from "./recent-event-ids.ts";
export type { AuctionRow, ConversionRow, DroppedEventsRow, EventRow, EventSink, PlayerEventRow } from "./rows.ts";
export type { DailyEarnings } from "./daily-earnings.stat.ts";
export { CELL_DAYS } from "./floor-evidence.stat.ts";
export type { FloorEvidenceRow } from "./floor-evidence.stat.ts";
export type { LineItemSumRow, PriceEvidenceRow } from "./line-items.stat.ts";
export type { HighestBidsRow } from "./highest-bids.stat.ts";
export type { PartnerHour } from "./partner-hours.stat.ts";
export { readPartnersOnDay } from "./partner-scores.stat.ts";
export type { PartnerDayRow, PartnerOnDayRow, PartnerScoreRow } from "./partner-scores.stat.ts";
export type { Scope } from "./scope.ts";
export { retireRawRows } from "./retention/retire-raw-rows.ts";
export { compareNames, inOrder } from "./table.ts";

export interface StatisticsDeps {
  clickhouse: ClickHouse;
  /** Where events wait for the analytical store; a directory of its own below DATA_DIR. */
  journalDir: string;
  clock: Clock;
  log: Log;
  /** Where the journal's metrics go. */
  metrics?: Registry;
  /** How many days raw rows are kept; they are kept for ever where it is not said. */
  retentionDays?: Retention["days"];
  /** Whether this process deletes older rows; it does unless told otherwise. */
  retires?: boolean;
}

/** A first day changes once in an app's life; its first event is worth a short wait. */
const FIRST_DAYS_KEEP_MS = 10_000;
const FOR_EVER_DAYS = 36_500;

/** A page asks for some ten parts at once; the store runs four queries at a time. */
const TURNS = {
  atOnce: 8,
  perKey: 4,
  waitingPerKey: 100,
  waitMs: 20_000,
  busyText: "Statistics are busy right now",
};

/** A count of all time, and the UTC day it began; null before. */
export interface CountSince {
  count: number;
  since: string | null;
}

export interface FirstCounts {
  sessions: CountSince;
  requests: CountSince;
  impressions: CountSince;
  /** Events that were recorded and not counted; asked for while there is no impression. */
  notCounted: number;
}

/** What the ledger books, for ranges of UTC days. Never answered from memory: late events change days that are over. */
export interface BookedDays {
  /** The first day of which anything is recorded; undefined before. */
  firstDay(): Promise<string | undefined>;
  /** Sums by day, app, provider and campaign, from the rollup that is kept for ever. */
  earnings(range: DayRange): Promise<readonly DailyEarnings[]>;
  /** The same counted from single events, for as long as those are kept. */
  counted(range: DayRange): Promise<readonly DailyEarnings[]>;
}

/** What other areas may ask of the statistics. */
export interface Statistics {
  events: EventSink;
  /** Every call that queries the analytical store takes its turn here, by account. */
  turns: FairQueue;
  /** Ids of all events since a moment, and of the places that they fill, to know repetitions by; may name an id twice. */
  recentEventIds(sinceMs: number): AsyncGenerator<string>;
  /** The counted impressions of campaigns since a moment, once each, those on their way to the store included. */
  campaignImpressionsSince(
    campaignIds: readonly number[],
    sinceMs: number,
  ): AsyncGenerator<{ campaignId: number; device: string; atMs: number }>;
  /** The requests that campaigns can buy, of the last seven days and of today. */
  campaignTraffic(): Promise<readonly CampaignTrafficRow[]>;
  /** What is known of the creatives of these campaigns, by the creatives' ids. */
  creativeCounts(campaignIds: readonly number[]): Promise<ReadonlyMap<number, { impressions: number; clicks: number }>>;
  /** What these apps have earned today. */
  revenueToday(appIds: readonly number[]): Promise<number>;
  /** What all apps' impressions were sold for, as the store has it now. */
  books: BookedDays;
  /** What was shown of a partner's ads by hour and app, from the rollup that is kept for ever; never answered from memory. */
  partnerHours(provider: string, range: DayRange): Promise<readonly PartnerHour[]>;
  /** The numbers of one app, or of several together. */
  of(question: Question): ScopeStatistics;
  /** What was ever counted for an app, and since when. */
  firstCounts(appId: number): Promise<FirstCounts>;
  /** What partners did in the apps' auctions. */
  partners: PartnerStatistics;
  /** What line items showed; their sellers pay for it outside the platform. */
  lineItems: LineItemStatistics;
  /** What requests earned where floors are automatic. */
  floors: FloorStatistics;
  /** What advertisers' campaigns bought. */
  campaigns: AdvertiserStatistics;
  /** The first day of each of these apps that has any event, by its id. */
  firstDays(appIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The first day of each of these apps' SDK versions that have shown an ad. */
  firstDaysOfSdks(appIds: readonly number[]): Promise<readonly { appId: number; version: string; day: string }[]>;
  /** Countries that these apps have been used in, by their codes. */
  seenCountries(appIds: readonly number[]): Promise<string[]>;
  /** Metrics of all these apps together, and of each. */
  metricsByApp(scope: Scope, compare: ComparisonKind): ReturnType<typeof metricsByApp>;
  /** What days are compared with now; null for nothing. */
  comparedPeriod(range: DayRange, compare: ComparisonKind): ReturnType<typeof comparedPeriod>;
  /** Recorded requests of one app, newest first. */
  requests(question: RequestsQuestion): Promise<FoundRequests>;
  /** The apps of those of these auctions that are recorded, by the auction's id; of tests nothing is. */
  appsOfAuctions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The counted impressions of one app, oldest first. They are read once, so no answer is kept. */
  impressions(question: ImpressionsQuestion): Promise<FoundImpression[]>;
  /** The same in the order in which they were stored, for whoever must not miss late ones. */
  stored: StoredImpressions;
  /** How many days single requests are kept at least; null if for ever. */
  keptDays: number | null;
  /** What the journal holds and the store does not have yet. */
  backlog(): { segments: number; bytes: number };
  /** Before somebody reads rows that may be on their way: resolves once those appended so far can be read, or after a moment. */
  look(): Promise<void>;
  /** Lets somebody write or delete rows of any day directly; no earlier answer holds afterwards. */
  rewrite(work: (write: ClickHouseClient) => Promise<void>): Promise<void>;
  /** Makes everything appended so far visible; Problem `unavailable` when the store does not take it in time. */
  flush(timeoutMs?: number): Promise<void>;
}

/** Keeps what happened, and answers for it in numbers. What an earlier process left is on its way once this resolves. */
export async function statisticsArea({
  clickhouse,
  journalDir,
  clock,
  log,
  metrics,
  retentionDays,
  retires = true,
}: StatisticsDeps): Promise<Area & Statistics> {
  const { read, write } = clickhouse;
  const rawDays = retentionDays ? Math.min(retentionDays.auctions, retentionDays.events) : FOR_EVER_DAYS;
  const ask = askStore({ read, clock, look: () => look() });
  // An ad's answer is out before its auction is recorded; a beacon is answered once its event is.
  const patient = ["auctions", "traces"] satisfies (keyof Rows)[];
  const keep = shipOnce(shipToClickHouse(write), { read, clock });
  const ship: Ship = async (block) => {
    await keep(block);
    if (beginsBefore(block.rows, dayStartMs(dayOf(clock.now())))) ask.closed.reopen();
  };
  const journal = await openJournal(journalDir, { ship, log, patient, limits: { segmentMs: UNWATCHED_MS } });
  if (metrics) exposeJournal(metrics, journal);
  const look = shipOnLook(journal);
  const retiring = retentionDays && retires && retirement({ clickhouse, clock, log, days: retentionDays });
  return {
    name: "statistics",
    // The routes are the apps area's, which knows whose app is asked for.
    routes: () => {},
    start: async () => {
      if (retiring) retiring.start();
    },
    stop: async () => {
      if (retiring) await retiring.stop();
      await journal.close();
    },
    turns: fairQueue(TURNS),
    events: {
      append: (table, row) => journal.append(table, row),
      appendAll: (table, rows) => journal.appendAll(table, rows),
    },
    recentEventIds: (sinceMs) => recentEventIds({ read, journal }, sinceMs),
    campaignImpressionsSince: (campaignIds, sinceMs) =>
      campaignImpressionsSince({ read, journal }, campaignIds, sinceMs),
    campaignTraffic: () => ask(campaignTraffic, { de: dayOf(clock.now()) }),
    async creativeCounts(campaignIds) {
      const rows = await ask(creativeCounts, { campaignIds: [...campaignIds] });
      return new Map(rows.map(({ creativeId, ...counts }) => [creativeId, counts]));
    },
    async revenueToday(appIds) {
      const [row] = await ask(earned, { appIds: [...appIds], day: dayOf(clock.now()) });
      return microsNumber(row?.dayMicros ?? 0n);
    },
    books: {
      async firstDay() {
        const [row] = await ask(firstEarningDay, {}, 0);
        return row === undefined || row.day === "1970-01-01" ? undefined : row.day;
      },
      earnings: (range) => ask(dailyEarnings, { ...range }, 0),
      counted: (range) => ask(countedEarnings, { ...range }, 0),
    },
    partnerHours: (provider, { ds, de }) => ask(partnerHours, { provider, ds, de: addDays(de, 1) }, 0),
    async firstCounts(appId) {
      const about = { appId, de: dayOf(clock.now()) };
      const [row] = await ask(firstCounts, about);
      const since = (count = 0, day = ""): CountSince => ({ count, since: count > 0 ? day : null });
      const impressions = since(row?.impressions, row?.impressionsSince);
      const [refused] = impressions.count > 0 ? [] : await ask(notCounted, about);
      return {
        sessions: since(row?.sessions, row?.sessionsSince),
        requests: since(row?.requests, row?.requestsSince),
        impressions,
        notCounted: refused?.events ?? 0,
      };
    },
    async firstDays(appIds) {
      const rows = await ask(firstDays, { appIds: [...appIds] }, FIRST_DAYS_KEEP_MS);
      return new Map(rows.map(({ appId, day }) => [appId, day]));
    },
    firstDaysOfSdks: (appIds) => ask(firstDaysOfSdks, { appIds: [...appIds] }, FIRST_DAYS_KEEP_MS),
    async seenCountries(appIds) {
      return (await ask(seenCountries, { appIds: [...appIds] })).map(({ code }) => code);
    },
    partners: partnerStatistics(ask, read),
    lineItems: lineItemStatistics(ask, read),
    floors: floorStatistics(read),
    campaigns: advertiserStatistics({ ask, clock, rawDays }),
    of: (question) => scopeStatistics({ ask, clock, rawDays }, question),
    metricsByApp: (scope, compare) =>
      metricsByApp(numbersOf(ask, scope, comparedPeriod({ clock, rawDays }, scope.range, compare))),
    comparedPeriod: (range, compare) => comparedPeriod({ clock, rawDays }, range, compare),
    requests: (question) => findRequests({ ask, now: () => performance.now() }, question),
    impressions: (question) => runStat(read, impressionsOf, question),
    stored: storedImpressionsOf(read),
    async appsOfAuctions(ids) {
      const rows = await ask(auctionApps, { auctions: [...ids], de: dayOf(clock.now()) });
      return new Map(rows.map(({ auction, appId }) => [auction, appId]));
    },
    keptDays: retentionDays?.auctions ?? null,
    async rewrite(work) {
      try {
        await work(write);
      } finally {
        ask.closed.reopen();
      }
    },
    backlog: () => journal.backlog(),
    look,
    flush: (timeoutMs) => journal.flush(timeoutMs),
  };
}
