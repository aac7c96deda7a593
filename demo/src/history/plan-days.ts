import { DAY_MS, HOUR_MS } from "@millrace/units";
import { CATALOGUE } from "../catalogue.ts";
import type { DemoApp } from "../demo-app.ts";
import { floorCpm } from "../floors.ts";
import { DEMO_BIDDERS, isAskedFor, wants } from "../lab/partners.ts";
import { medianCpm } from "../market.ts";
import { activesByAge, ageQuantiles, growth, sessionsPerHour, UNTRACKED_SHARE } from "../population.ts";
import { seededRandom } from "../random.ts";
import { learnedStep } from "./automatic-floors.ts";

/** Enough steps to draw every age that has a share of one percent. */
const AGE_STEPS = 100;

/**
 * The plan of some days of history: the number of sessions by app, country and hour, and the parameters of their rows. The
 * analytical store turns it into rows (`row-sql.ts`), whose SQL uses these names.
 */
export interface DaysPlan {
  /** The start of the first day and the end of the last, in epoch seconds. */
  from: number;
  to: number;
  /** The day on which history ends, in days since the epoch. */
  last_day: number;
  apps: AppPlan[];
}

interface AppPlan {
  id: number;
  slug: string;
  platform: string;
  seconds: number;
  untracked: number;
  /** Quantiles of the devices' ages in days, and the number of devices of each age on the last day of history. */
  ages: number[];
  devices: number[];
  zones: { zone: string; format: string; per_session: number }[];
  countries: CountryPlan[];
}

interface CountryPlan {
  country: string;
  share: number;
  days: { start: number; growth: number; sessions: number[] }[];
  /** By zone: the market's median bid and the floor in dollars CPM, the step of the automatic floor (0 for none), and the bidders that buy there. */
  cpm: number[];
  floor: number[];
  learned: number[];
  asked: number[][];
  wanted: number[][];
}

/** The type of `DaysPlan.apps` in the store. */
export const PLAN_TYPE = `Array(Tuple(
  id UInt32, slug String, platform String, seconds Float64, untracked Float64, ages Array(UInt16), devices Array(Float64),
  zones Array(Tuple(zone String, format String, per_session Float64)),
  countries Array(Tuple(country String, share Float64,
    days Array(Tuple(start UInt32, growth Float64, sessions Array(UInt32))),
    cpm Array(Float64), floor Array(Float64), learned Array(UInt8),
    asked Array(Array(UInt8)), wanted Array(Array(UInt8))))))`;

/** Plans a range of days, counted back from the day of `untilMs`. `appIds` maps the slugs of the catalogue to the platform's ids. */
export function planDays(
  seed: string,
  untilMs: number,
  daysBack: { first: number; last: number },
  appIds: ReadonlyMap<string, number>,
): DaysPlan {
  const lastDay = Math.floor(untilMs / DAY_MS);
  const days = Array.from({ length: daysBack.last - daysBack.first + 1 }, (_, step) => -daysBack.last + step);
  return {
    from: ((lastDay - daysBack.last) * DAY_MS) / 1000,
    to: ((lastDay - daysBack.first + 1) * DAY_MS) / 1000,
    last_day: lastDay,
    apps: CATALOGUE.flatMap((app) => {
      const id = appIds.get(app.slug);
      return id === undefined ? [] : [planApp(seed, app, id, lastDay, days)];
    }),
  };
}

function planApp(seed: string, app: DemoApp, id: number, lastDay: number, days: readonly number[]): AppPlan {
  const actives = activesByAge(app, 0);
  return {
    id,
    slug: app.slug,
    platform: app.platform,
    seconds: app.sessionSeconds,
    untracked: UNTRACKED_SHARE[app.platform],
    ages: ageQuantiles(actives, AGE_STEPS),
    devices: actives.map((count) => Math.round(count * 100) / 100),
    zones: app.zones.map(({ zone, format, perSession }) => ({
      zone,
      format,
      per_session: perSession,
    })),
    countries: app.audience.map(({ country, share }) => ({
      country,
      share,
      days: days.map((day) => planSessions(seed, app, { country, share }, day, (lastDay + day) * DAY_MS)),
      cpm: app.zones.map(({ format }) => medianCpm(format, country, app.platform)),
      floor: app.zones.map(({ format }) => floorCpm(format, country)),
      learned: app.zones.map(({ format }) => learnedStep(app.slug, format, country) ?? 0),
      asked: app.zones.map(({ format }) => bidderNumbers((bidder) => isAskedFor(bidder, format, country))),
      wanted: app.zones.map(({ format }) =>
        bidderNumbers((bidder) => isAskedFor(bidder, format, country) && wants(bidder, format, country, app.platform)),
      ),
    })),
  };
}

/** Sessions by UTC hour, rounded up or down at random, so that small countries keep their daily pattern. */
function planSessions(
  seed: string,
  app: DemoApp,
  place: { country: string; share: number },
  day: number,
  startMs: number,
): { start: number; growth: number; sessions: number[] } {
  const random = seededRandom(seed, "plan", app.slug, place.country, startMs);
  const sessions = Array.from({ length: 24 }, (_, hour) =>
    Math.floor(sessionsPerHour(app, place, day, startMs + hour * HOUR_MS) + random.next()),
  );
  return { start: startMs / 1000, growth: Math.round(growth(day) * 1e6) / 1e6, sessions };
}

/** Positions in `DEMO_BIDDERS`, from 1 as ClickHouse counts arrays. */
const bidderNumbers = (wanted: (bidder: (typeof DEMO_BIDDERS)[number]) => boolean): number[] =>
  DEMO_BIDDERS.flatMap((bidder, index) => (wanted(bidder) ? [index + 1] : []));
