import type { FrequencyCap, Reach, Reached } from "@millrace/contract";
import { MICROS_PER_CENT, addDays, dayOf } from "@millrace/units";
import type { AskStore } from "../ask-store.ts";
import type { FitParams } from "./campaign-fit.ts";
import { marketByDay, reachByDay } from "./reach.stat.ts";

export interface ReachQuestion {
  fit: Omit<FitParams, "startsAt" | "endsAt">;
  bidMicros: number;
  dailyMicros: number;
  caps: readonly FrequencyCap[];
}

/** The last full days. */
const DAYS = 7;
/** About this many auctions are counted; beyond that, those of some devices stand for all. */
const MOST_COUNTED = 1_000_000;
/** Fewer auctions or days than these say little. */
const LEAST_AUCTIONS = 500;
const LEAST_DAYS = 2;
/** The bid as asked, and what higher ones would reach. */
const BIDS = [1, 1.5, 2];
/** Full days do not change, and a form asks with every pause in typing. */
const KEEP_MS = 30_000;
const NO_CAP = 1_000_000_000;

/** What a campaign would have reached on the last full days, from their auctions. */
export async function reachOf(
  ask: AskStore,
  nowMs: number,
  question: ReachQuestion,
  mostCounted = MOST_COUNTED,
): Promise<Reach> {
  const { fit, bidMicros, caps } = question;
  const today = dayOf(nowMs);
  const range = { ds: addDays(today, -DAYS), de: addDays(today, -1) };
  const market = await ask(marketByDay, { ...range, formats: fit.formats, media: fit.media, demo: fit.demo }, KEEP_MS);
  const sumOf = (of: (row: (typeof market)[number]) => number) => market.reduce((sum, row) => sum + of(row), 0);
  const auctions = sumOf((row) => row.auctions);
  const oneIn = Math.max(1, Math.ceil(auctions / mostCounted));
  const bids = BIDS.map((times) =>
    times === 1 ? bidMicros : Math.round((bidMicros * times) / MICROS_PER_CENT) * MICROS_PER_CENT,
  );
  const days = await ask(
    reachByDay,
    {
      ...fit,
      ...range,
      oneIn,
      bids,
      userHourCap: capOf(caps, "user", "hour") ?? NO_CAP,
      userDayCap: capOf(caps, "user", "day") ?? NO_CAP,
    },
    KEEP_MS,
  );
  // A day without a fitting auction counts as an empty one, unless the campaign does not run on it.
  const byDay = new Map(days.map((row) => [row.day, row]));
  const runs = market.filter(({ day, auctions: any }) => any > 0 && fit.days.includes(weekdayOf(day)));
  const answered = sumOf((row) => row.answered);
  const shownShare = answered === 0 ? 1 : Math.min(1, sumOf((row) => row.shown) / answered);
  const limits = bids.map((bid) => limitsOf(question, bid));
  const counted = bids.map((_, index) =>
    runs.map(({ day }) => {
      const row = byDay.get(day);
      const [won, devices] = [(row?.won[index] ?? 0) * oneIn, (row?.devices[index] ?? 0) * oneIn];
      const shown = Math.min(won * shownShare, limits[index]?.budget ?? 0, limits[index]?.caps ?? 0);
      return { shown, devices: won === 0 ? 0 : Math.min(devices, (devices * shown) / won), won: won * shownShare };
    }),
  );
  const matching = days.reduce((sum, row) => sum + row.matching, 0) * oneIn;
  return {
    days: runs.length,
    auctions,
    matching,
    enough: runs.length >= LEAST_DAYS && matching >= LEAST_AUCTIONS,
    one_in: oneIn,
    reached: bids.map((bid, index) => reachedAt(bid, counted[index] ?? [], limits[index])),
    held_by: heldBy(counted[0] ?? [], limits[0]),
  };
}

/** ISO 8601: Monday is 1. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

const capOf = (caps: readonly FrequencyCap[], per: FrequencyCap["per"], period: FrequencyCap["period"]) =>
  caps.find((cap) => cap.per === per && cap.period === period)?.impressions;

interface Limits {
  budget: number;
  caps: number;
}

/** The most impressions of a day: what the daily budget pays for at a bid, and what caps of all devices together allow. */
function limitsOf({ caps, dailyMicros, fit }: ReachQuestion, bid: number): Limits {
  const hours = Math.ceil((fit.toMinute - fit.fromMinute + 1) / 60);
  const hourly = capOf(caps, "all", "hour");
  return {
    budget: Math.floor((dailyMicros * 1000) / bid),
    caps: Math.min(capOf(caps, "all", "day") ?? NO_CAP, hourly === undefined ? NO_CAP : hourly * hours),
  };
}

interface Day {
  /** Impressions within all limits, and those that bid and targeting alone would have won. */
  shown: number;
  won: number;
  devices: number;
}

/** The quietest and the busiest day. */
function reachedAt(bid: number, days: readonly Day[], limits: Limits | undefined): Reached {
  const most = limits ? Math.min(limits.budget, limits.caps) : 0;
  const rangeOf = (of: (day: Day) => number) => ({
    low: days.length === 0 ? 0 : rounded(Math.min(...days.map(of))),
    high: rounded(Math.max(0, ...days.map(of))),
  });
  const estimated = rangeOf(({ shown }) => shown);
  // Rounding up must not promise more than the budget pays for.
  const impressions = { low: Math.min(estimated.low, most), high: Math.min(estimated.high, most) };
  const costOf = (count: number) => Math.round((count * bid) / 1000);
  return {
    bid,
    impressions,
    devices: rangeOf(({ devices }) => devices),
    costs: { low: costOf(impressions.low), high: costOf(impressions.high) },
  };
}

/** Two digits: an estimate has no more. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.round(count / unit) * unit;
}

/** Caps of single devices are within what is counted already, so they hold back nothing here. */
function heldBy(days: readonly Day[], limits: Limits | undefined): Reach["held_by"] {
  const busiest = Math.max(0, ...days.map(({ won }) => won));
  if (!limits || busiest <= Math.min(limits.budget, limits.caps)) return null;
  return limits.budget <= limits.caps ? "budget" : "caps";
}
