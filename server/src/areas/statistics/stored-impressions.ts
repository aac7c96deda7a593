import type { ClickHouseClient } from "@clickhouse/client";
import type { z } from "zod";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { appsWithStored, countStored, storedImpressions, storedUntil } from "./stored-impressions.stat.ts";

/** A place in an app's impressions, in the order in which they were stored. */
export interface StoredPlace {
  storedMs: number;
  atMs: number;
  eventId: string;
}

/** The place before everything that is stored at a moment or later. */
export const placeAt = (storedMs: number): StoredPlace => ({ storedMs, atMs: 0, eventId: "" });

export type StoredImpression = z.output<(typeof storedImpressions)["row"]>;

interface Range {
  appId: number;
  after: StoredPlace;
  /** Included. */
  until: StoredPlace;
}

/**
 * Counted impressions for whoever reads each of them once, soon after it is stored. Whoever goes from place to place, and never
 * past `until`, misses none, however late it is stored.
 */
export interface StoredImpressions {
  /** The moment, by the store's clock, before which nothing is stored any more. */
  until(): Promise<number>;
  page(range: Range & { rows: number }): Promise<StoredImpression[]>;
  /** How many there are, and when the oldest was counted. */
  count(range: Range): Promise<{ impressions: number; oldestMs: number | null }>;
  /** Which of these apps have any that were stored in a time. */
  appsWithAny(appIds: readonly number[], time: { fromMs: number; untilMs: number }): Promise<ReadonlySet<number>>;
}

export const storedImpressionsOf = (read: ClickHouseClient): StoredImpressions => ({
  async until() {
    const [row] = await runStat(read, storedUntil, {});
    if (!row) throw new Error("an aggregation gives a row");
    return row.untilMs;
  },
  page: ({ rows, ...range }) => runStat(read, storedImpressions, { ...paramsOf(range), rows }),
  async count(range) {
    const [row = { impressions: 0, oldestMs: 0 }] = await runStat(read, countStored, paramsOf(range));
    return { impressions: row.impressions, oldestMs: row.impressions > 0 ? row.oldestMs : null };
  },
  async appsWithAny(appIds, time) {
    const rows = await runStat(read, appsWithStored, { appIds: [...appIds], ...time });
    return new Set(rows.map(({ appId }) => appId));
  },
});

const paramsOf = ({ appId, after, until }: Range) => ({
  appId,
  afterStoredMs: after.storedMs,
  afterAtMs: after.atMs,
  afterId: after.eventId,
  untilStoredMs: until.storedMs,
  untilAtMs: until.atMs,
  untilId: until.eventId,
});
