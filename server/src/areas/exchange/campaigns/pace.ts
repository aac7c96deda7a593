import { DAY_MS, HOUR_MS } from "@millrace/units";
import type { Outlook } from "./forecast.ts";
import { type Budgeted, requestValue, type Spent } from "./request-value.ts";
import { type Plan, shadeBid, spendingAt } from "./shade-bid.ts";

export interface PacedCampaign extends Budgeted {
  /** CPM in micro-dollars. */
  bidMicros: number;
}

/** What a campaign's controller knows after a step. Amounts are micro-dollars. */
export interface Pace {
  atMs: number;
  plan: Plan;
  /** Auctions until the next step that it takes part in whatever its share, so that a quiet market is found out at once. */
  tries: number;
  /** What it wants to spend for each request. */
  valueMicros: number;
  /** The logarithm of what that is to the value by the forecast alone. */
  correction: number;
  isForecast: boolean;
  /** What it should spend per millisecond now. */
  rate: number;
  /** What it should have spent lately, and what it did: sums in which older moments weigh less. */
  wanted: number;
  spent: number;
  totalMicros: number;
}

/** How long a moment counts as lately. */
const LATELY_MS = 90_000;
/** How fast the correction follows what was spent, and how fast it fades. */
const CORRECT_MS = 240_000;
const FADE_MS = 2 * HOUR_MS;
/** How fast it follows in an unknown market until something is spent, so that the first ad comes within minutes. */
const SEEK_MS = 60_000;
/** Limits of the logarithms. */
const MOST_ERROR = 3;
const MOST_CORRECTION = 12;
/** After a pause of this length, nothing was spent lately, and nothing should have been. */
const PAUSE_MS = 120_000;
/** So many impressions more or less are chance. */
const CHANCE = 2;
/** Without a forecast a campaign begins with this share of auctions. */
const FIRST_SHARE = 0.001;

/**
 * One step of a campaign's controller. The forecast says what to spend for each request, so that spending follows the traffic
 * as it comes. What is spent corrects it, for what the forecast does not know: narrow targeting, ads that are not shown, new
 * rivals. Nothing is random and the correction fades, so that processes which see the same spend agree.
 */
export function nextPace(
  campaign: PacedCampaign,
  outlook: Outlook,
  before: Pace | null,
  { atMs, ...seen }: Spent & { atMs: number },
): Pace {
  const { bidMicros } = campaign;
  const value = requestValue(campaign, outlook, seen, atMs);
  const canPlan = value > 0 && value < Infinity;
  const isForecast = outlook.winnable !== null;
  const elapsedMs = before ? Math.max(0, atMs - before.atMs) : Infinity;
  const lately = elapsedMs < PAUSE_MS && before !== null ? before : { wanted: 0, spent: 0, rate: 0, ...seen };
  const fade = Math.exp(-elapsedMs / LATELY_MS);
  const wanted = lately.wanted * fade + (lately.rate > 0 ? lately.rate * elapsedMs : 0);
  const spent = lately.spent * fade + Math.max(0, seen.totalMicros - lately.totalMicros);
  const first = isForecast ? 0 : canPlan ? Math.log((FIRST_SHARE * spendingAt(outlook, bidMicros)) / value) : 0;
  let correction = before?.correction ?? first;
  // The value stays the same when a forecast appears or disappears.
  if (canPlan && before && before.isForecast !== isForecast && before.valueMicros > 0 && before.valueMicros < Infinity)
    correction = Math.log(before.valueMicros / value);
  if (lately === before) {
    const chance = (CHANCE * bidMicros) / 1000;
    const followMs = isForecast || spent > 0 ? CORRECT_MS : SEEK_MS;
    correction += (within(MOST_ERROR, Math.log((wanted + chance) / (spent + chance))) * elapsedMs) / followMs;
    if (isForecast) correction -= (correction * elapsedMs) / FADE_MS;
  }
  // Wanting more than can be bought would only have to be unlearned later.
  if (canPlan) correction = Math.min(correction, Math.max(0, Math.log(spendingAt(outlook, bidMicros) / value)));
  correction = within(MOST_CORRECTION, correction);
  const missing = (wanted - spent) / (bidMicros / 1000) + CHANCE;
  const valueMicros = value * Math.exp(correction);
  const hour = Math.floor((atMs % DAY_MS) / HOUR_MS);
  return {
    atMs,
    plan: shadeBid(bidMicros, outlook, valueMicros),
    tries: isForecast || value <= 0 ? 0 : Math.max(0, Math.floor(missing)),
    valueMicros,
    correction,
    isForecast,
    rate: canPlan ? (value * (outlook.hourly[hour] ?? 0) * outlook.today) / HOUR_MS : 0,
    wanted,
    spent,
    totalMicros: seen.totalMicros,
  };
}

const within = (most: number, value: number): number => Math.max(-most, Math.min(most, value));
