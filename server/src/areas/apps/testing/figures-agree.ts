import type { LastFigures, StatTable, View } from "@millrace/contract";
import { ecpmMicros, fillRate } from "@millrace/units";
import { expect } from "vitest";
import type { Counted } from "./count-by-hand.ts";

export const COUNTS = ["requests", "impressions", "clicks", "sessions", "uniques", "revenue"] as const;
export const counts = (of: Counted): Counted =>
  Object.fromEntries(COUNTS.map((name) => [name, of[name]])) as unknown as Counted;

/** The number of devices is exact up to this count, and within 2% above. */
const EXACT_DEVICES = 10_000;
export const devicesAgree = (said: number, byHand: number) =>
  byHand <= EXACT_DEVICES ? said === byHand : Math.abs(said - byHand) / byHand < 0.02;

/** Every number except that of devices must be exact. */
export function expectSame(said: Counted | undefined, byHand: Counted): void {
  if (!said) throw new Error("there is no such row");
  const devices = devicesAgree(said.uniques, byHand.uniques) ? byHand.uniques : said.uniques;
  expect({ ...counts(said), uniques: devices }).toEqual(byHand);
}

const LAST = ["requests", "impressions", "clicks", "sessions", "revenue"] as const;

/** The figures of the compared period; devices are counted for totals only. */
export function expectLast(said: LastFigures | undefined, byHand: Counted): void {
  if (!said) throw new Error("there is no such row");
  expect(LAST.map((name) => [name, said[`last_${name}`]])).toEqual(LAST.map((name) => [name, byHand[name]]));
  expect(said.last_fillrate).toBe(fillRate(byHand.impressions, byHand.requests));
  expect(said.last_ecpm).toBe(ecpmMicros(byHand.revenue, byHand.impressions));
}

export const sumOf = (values: readonly (number | null)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** What decides whether a table or a row has sessions. */
interface Filtered {
  providers: readonly string[];
  formats: readonly string[];
}

/** A table has a row for each group of either period, and none for a group that only invalid rows fell into. */
export function expectSameTable(
  { stats, total, requests_sent: sent }: StatTable,
  asked: Filtered & { view: View },
  { now, last }: { now: ReadonlyMap<string, Counted>; last: ReadonlyMap<string, Counted> },
): void {
  expect(stats.map(({ id }) => id).toSorted()).toEqual([...new Set([...now.keys(), ...last.keys()])].toSorted());
  const nothing = { ...nothingOf(asked), ...(["date", "country"].includes(asked.view) ? {} : { sessions: null }) };
  for (const row of stats) {
    expectSame(row, now.get(row.id) ?? nothing);
    expectLast(row, last.get(row.id) ?? nothing);
  }
  for (const figure of ["revenue", "impressions", "clicks"] as const) {
    expect(sumOf(stats.map((row) => row[`last_${figure}`]))).toBe(total[`last_${figure}`]);
  }
  expect(sent).toBe(asked.view === "provider" ? sumOf(stats.map(({ requests }) => requests)) : null);
}

export const nothingOf = (asked: Filtered): Counted => ({
  requests: 0,
  impressions: 0,
  clicks: 0,
  sessions: asked.providers.length > 0 || asked.formats.length > 0 ? null : 0,
  uniques: 0,
  revenue: 0,
});

interface SaidLabel {
  id: string;
  count: number;
  was: number | null;
  share: number;
  last_share: number | null;
}

/** Each label has its counts of both periods and their shares, the most first. */
export function expectSameLabels(
  said: readonly SaidLabel[],
  { now, last }: { now: ReadonlyMap<string, number>; last: ReadonlyMap<string, number> },
): void {
  expect(new Map(said.map(({ id, count }) => [id, count]))).toEqual(now);
  expect(said.map(({ count }) => count)).toEqual(said.map(({ count }) => count).toSorted((a, b) => b - a));
  const [all, lastAll] = [sumOf([...now.values()]), sumOf([...last.values()])];
  for (const { id, count, was, share, last_share: lastShare } of said) {
    const before = last.get(id) ?? 0;
    expect([was, share]).toEqual([before, (100 * count) / all]);
    expect(lastShare).toBe(lastAll === 0 ? null : (100 * before) / lastAll);
  }
}
