import { DAY_MS, HOUR_MS } from "@millrace/units";
import { Forecast, Pacer } from "../../server/src/areas/exchange/index.ts";
import { LEAST_PRICE_MICROS, PRICE_STEPS } from "../../server/src/areas/statistics/index.ts";
import { DAY, type Market, marketOf, OUTAGE_MS, randomOf } from "./paced-market.ts";

export const SCENARIOS = ["an ordinary day", "a 2-hour outage", "the budget doubled", "the budget halved"] as const;

export interface SimulatedDay {
  seed: number;
  scenario: (typeof SCENARIOS)[number];
  /** What the market offers at the full bid, to the largest budget of the day. */
  supply: number;
  /** Requests of an average day. */
  requests: number;
  /** Processes that share the requests; each has its own controller. */
  processes: number;
}

export interface PacedDay {
  /** Spent, in all, of the budget. */
  delivered: number;
  /**
   * The largest difference at the end of an hour between the share of the budget that is spent and the share of the traffic that
   * is over, in points. What nobody can foresee makes a new plan, which is measured by what it leaves to spend and to come.
   */
  offPoints: number;
  /** The same by the day's whole budget and its whole traffic, as if the outage had been known. */
  hindsightPoints: number;
  /** The longest time without an impression while there were budget and supply. */
  gapMs: number;
  /** The average price to the full bid. */
  paid: number;
}

const BID_MICROS = 2_000_000;
const NOON = DAY + 12 * HOUR_MS;
const SHOWN_SHARE = 0.85;
const SHOWN_AFTER_MS = 20_000;
const HELD_MS = 30 * 60_000;

/** A plan of the day: what it had to go by, and until its end. */
interface Plan {
  fromMs: number;
  spent: number;
  offered: number;
  budget: number;
  /** Requests that were offered by then and could be expected. */
  requests: number;
}

interface Moment {
  spent: number;
  offered: number;
}

/** Simulates a day of one campaign, request by request: auctions, holds, and impressions some seconds after. */
export async function simulateDay(day: SimulatedDay): Promise<PacedDay> {
  const { seed, scenario, requests, processes } = day;
  const market = marketOf({ seed, requests, hasOutage: scenario === "a 2-hour outage" });
  const random = randomOf(seed + 1);
  const winnable = market.offers.filter(({ priceMicros }) => priceMicros <= BID_MICROS).length;
  const largest = Math.round((winnable * SHOWN_SHARE * BID_MICROS) / 1000 / day.supply);
  const [budget, edited] = budgetsOf(scenario, largest);
  const account = new Account(budget);
  const forecast = forecastFor(market);
  const pacers = Array.from({ length: processes }, () => new Pacer({ forecast, spentOf: () => account.spentToday }));
  const setBudget = (micros: number) => {
    account.budget = micros;
    for (const pacer of pacers) pacer.set(campaignWith(micros));
  };
  setBudget(budget);

  const plans: Plan[] = [
    { fromMs: DAY, spent: 0, offered: 0, budget, requests: market.offers.length + market.missing },
  ];
  const hours: Moment[] = [];
  let offered = 0;
  const planAgain = (fromMs: number) =>
    plans.push({ fromMs, spent: account.spent, offered, budget: account.budget, requests: market.offers.length });
  for (const { atMs, priceMicros } of market.offers) {
    if (DAY + hours.length * HOUR_MS <= atMs) await forecast.refresh(atMs);
    while (DAY + hours.length * HOUR_MS <= atMs) hours.push({ spent: account.spent, offered });
    account.settle(atMs);
    if (edited !== null && atMs >= NOON && plans.length === 1) {
      setBudget(edited);
      planAgain(NOON);
    }
    if (market.missing > 0 && atMs >= market.outageFromMs && plans.length === 1)
      planAgain(market.outageFromMs + OUTAGE_MS);
    offered++;
    const plan = pacers[offered % processes]?.planOf(7, atMs) ?? { bidMicros: 0, share: 0, tries: 0 };
    const isDrawn = random() < plan.share;
    if ((!isDrawn && plan.tries === 0) || plan.bidMicros < priceMicros) continue;
    if (!isDrawn) plan.tries--;
    const isShown = random() < SHOWN_SHARE;
    const showsAt = isShown ? atMs - SHOWN_AFTER_MS * Math.log(1 - random()) : atMs + HELD_MS;
    account.hold({ atMs: showsAt, micros: Math.round(plan.bidMicros / 1000), isShown });
  }
  account.settle(DAY + DAY_MS);
  const ends = [...hours.slice(1), { spent: account.spent, offered }];
  const whole = { fromMs: DAY, spent: 0, offered: 0, budget: account.budget, requests: market.offers.length };
  return {
    delivered: account.spent / account.budget,
    offPoints: offPoints(plans, ends),
    hindsightPoints: offPoints(edited === null ? [whole] : plans, ends),
    gapMs: longestGap(account, market),
    paid: account.spent / account.shownAt.length / (BID_MICROS / 1000),
  };
}

const budgetsOf = (scenario: SimulatedDay["scenario"], largest: number): [number, number | null] => {
  if (scenario === "the budget doubled") return [Math.round(largest / 2), largest];
  if (scenario === "the budget halved") return [largest, Math.round(largest / 2)];
  return [largest, null];
};

const campaignWith = (dailyMicros: number) => ({
  id: 7,
  demo: false,
  media: ["banner" as const],
  bidMicros: BID_MICROS,
  dailyMicros,
  budgetMicros: 0,
  targeting: {
    format: "image" as const,
    geo: "in" as const,
    countries: ["DE"],
    platforms: ["android" as const],
    startsAt: DAY,
    endsAt: null,
    days: [1, 2, 3, 4, 5, 6, 7],
    fromMinute: 0,
    toMinute: 1439,
  },
});

function forecastFor({ offers, before, pastPrices }: Market): Forecast {
  const sofar = before.map(() => 0);
  for (const { atMs } of offers)
    sofar[Math.floor((atMs - DAY) / HOUR_MS)] = (sofar[Math.floor((atMs - DAY) / HOUR_MS)] ?? 0) + 1;
  const prices = Array.from({ length: PRICE_STEPS }, () => 0);
  for (const price of pastPrices) {
    const step = Math.max(0, Math.min(PRICE_STEPS - 1, Math.floor(8 * Math.log2(price / LEAST_PRICE_MICROS))));
    prices[step] = (prices[step] ?? 0) + 1;
  }
  // The forecast reads only the hours of today that are over.
  const row = {
    format: "interstitial",
    media: ["banner"] as string[],
    country: "DE",
    platform: "android",
    demo: 0,
    days: 7,
    before,
    sofar,
    prices,
  } as const;
  return new Forecast(async () => [row]);
}

interface Ad {
  /** When it is shown, or its hold expires. */
  atMs: number;
  micros: number;
  isShown: boolean;
}

/** The campaign's money: never more than the budget is spent and held. */
class Account {
  budget: number;
  spent = 0;
  readonly shownAt: number[] = [];
  #held = 0;
  /** In the order of their moments. */
  readonly #ads: Ad[] = [];

  constructor(budget: number) {
    this.budget = budget;
  }

  get spentToday() {
    return { todayMicros: this.spent, totalMicros: this.spent };
  }

  hold(ad: Ad): void {
    if (this.spent + this.#held + ad.micros > this.budget) return;
    this.#held += ad.micros;
    let at = this.#ads.length;
    while (at > 0 && (this.#ads[at - 1]?.atMs ?? 0) > ad.atMs) at--;
    this.#ads.splice(at, 0, ad);
  }

  settle(untilMs: number): void {
    const later = this.#ads.findIndex(({ atMs }) => atMs > untilMs);
    for (const { atMs, micros, isShown } of this.#ads.splice(0, later < 0 ? this.#ads.length : later)) {
      this.#held -= micros;
      if (!isShown) continue;
      this.spent += micros;
      this.shownAt.push(atMs);
    }
  }
}

/** `ends` are the sums at the end of each hour. */
function offPoints(plans: readonly Plan[], ends: readonly Moment[]): number {
  const off = ends.map(({ spent, offered }, hour) => {
    const plan = plans.findLast(({ fromMs }) => fromMs < DAY + (hour + 1) * HOUR_MS);
    if (!plan) return 0;
    const ofBudget = (spent - plan.spent) / (plan.budget - plan.spent);
    return 100 * Math.abs(ofBudget - (offered - plan.offered) / (plan.requests - plan.offered));
  });
  return Math.max(...off);
}

function longestGap({ shownAt, spent, budget }: Account, { missing, outageFromMs }: Market): number {
  const outage = missing > 0 ? [outageFromMs, outageFromMs + OUTAGE_MS] : [];
  const isLeft = budget - spent >= 0.001 * budget;
  const ends = [DAY, ...shownAt, ...outage, ...(isLeft ? [DAY + DAY_MS] : [])].toSorted((a, b) => a - b);
  return ends.reduce((longest, end, at) => {
    const gap = end === outage[1] ? 0 : end - (ends[at - 1] ?? DAY);
    return Math.max(longest, gap);
  }, 0);
}
