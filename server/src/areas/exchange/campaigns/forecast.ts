import { type CampaignFormat, type CampaignPlatform, SOLD_AS, type SoldMedium } from "@millrace/contract";
import { HOUR_MS } from "@millrace/units";
import { type CampaignTrafficRow, LEAST_PRICE_MICROS, PRICE_STEPS } from "../../statistics/index.ts";

/** The part of all requests that a campaign wants. */
export interface Market {
  /** It buys in the demo's apps only. */
  demo: boolean;
  /** What its creatives can fill. */
  media: readonly SoldMedium[];
  targeting: {
    format: CampaignFormat;
    geo: "in" | "not_in";
    countries: readonly string[];
    platforms: readonly CampaignPlatform[];
  };
}

/** What a market is expected to offer. */
export interface Outlook {
  /** Requests in each hour of a UTC day; all 1 if nothing is known. */
  hourly: readonly number[];
  /** How much of that today offers, by the hours that are over. */
  today: number;
  /** The share of requests whose price to beat is below a CPM in micro-dollars; null if nothing is known. */
  winnable: ((priceMicros: number) => number) | null;
}

/** A quiet hour of the last days is not expected to be quite as quiet again. */
const EVEN_SHARE = 0.05;
/** Hours that are over tell little of the day while they are few: they weigh against a tenth of it. */
const DAY_WEIGHT = 0.1;

const NOTHING_KNOWN: Outlook = { hourly: Array.from({ length: 24 }, () => 1), today: 1, winnable: null };

/** What a market offers, by the traffic of the last days; `atMs` is when it was read. */
export function outlookOf(
  traffic: readonly CampaignTrafficRow[],
  { demo, media, targeting }: Market,
  atMs: number,
): Outlook {
  const { format, geo, countries, platforms } = targeting;
  const rows = traffic.filter(
    (row) =>
      row.demo === Number(demo) &&
      SOLD_AS[format].includes(row.format) &&
      media.some((medium) => row.media.includes(medium)) &&
      platforms.includes(row.platform) &&
      countries.includes(row.country) === (geo === "in"),
  );
  const days = Math.max(0, ...rows.map((row) => row.days));
  const hours = Math.floor(atMs / HOUR_MS) % 24;
  const seen = added(rows.map((row) => row.sofar)).slice(0, hours);
  const before = added(rows.map((row) => row.before)).map((count) => count / Math.max(1, days));
  const known = sum(before) > 0 ? before : Array.from({ length: 24 }, () => sum(seen) / Math.max(1, hours));
  const even = sum(known) / 24;
  if (even === 0) return NOTHING_KNOWN;
  const hourly = known.map((count) => (1 - EVEN_SHARE) * count + EVEN_SHARE * even);
  const weight = DAY_WEIGHT * sum(hourly);
  const ratio = (sum(seen) + weight) / (sum(hourly.slice(0, hours)) + weight);
  return {
    hourly,
    today: Math.min(2, Math.max(0.5, ratio)),
    winnable: winnableBelow(added(rows.map((row) => row.prices))),
  };
}

function winnableBelow(prices: readonly number[]): (priceMicros: number) => number {
  const all = sum(prices);
  // The share below the start of each step.
  const below: number[] = [0];
  for (const count of prices) below.push((below.at(-1) ?? 0) + count / all);
  return (priceMicros) => {
    const step = Math.min(PRICE_STEPS, Math.max(0, 8 * Math.log2(priceMicros / LEAST_PRICE_MICROS)));
    const whole = Math.floor(step + 1e-9);
    const at = below[whole] ?? 1;
    return at + ((below[whole + 1] ?? 1) - at) * Math.max(0, step - whole);
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

const added = (lists: readonly (readonly number[])[]): number[] =>
  Array.from({ length: lists[0]?.length ?? 24 }, (_, at) => sum(lists.map((list) => list[at] ?? 0)));

/** The outlooks of campaigns, from traffic that is read every hour. */
export class Forecast {
  readonly #read: () => Promise<readonly CampaignTrafficRow[]>;
  #traffic: { rows: readonly CampaignTrafficRow[]; atMs: number } = { rows: [], atMs: 0 };
  /** By campaign; a changed campaign is another object. */
  #outlooks = new WeakMap<Market, Outlook>();

  constructor(read: () => Promise<readonly CampaignTrafficRow[]>) {
    this.#read = read;
  }

  /** Reads the traffic again if the last reading is of an earlier hour. Rejects if it cannot be read; what was known holds on. */
  async refresh(nowMs: number): Promise<void> {
    const { rows, atMs } = this.#traffic;
    if (rows.length > 0 && Math.floor(atMs / HOUR_MS) === Math.floor(nowMs / HOUR_MS)) return;
    this.#traffic = { rows: await this.#read(), atMs: nowMs };
    this.#outlooks = new WeakMap();
  }

  of(market: Market): Outlook {
    let outlook = this.#outlooks.get(market);
    if (!outlook) {
      outlook = outlookOf(this.#traffic.rows, market, this.#traffic.atMs);
      this.#outlooks.set(market, outlook);
    }
    return outlook;
  }
}
