import { CATALOGUE } from "../catalogue.ts";
import type { DemoApp } from "../demo-app.ts";
import { floorCpm } from "../floors.ts";
import { DEMO_BIDDERS, isAskedFor, wants } from "../lab/partners.ts";
import { medianCpm } from "../market.ts";
import { activesByAge, ageQuantiles, growth, sessionsPerHour, UNTRACKED_SHARE } from "../population.ts";
import { seededRandom } from "../random.ts";

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Fine enough that every age of a percent is drawn. */
const AGE_STEPS = 100;

/**
 * What some days of history hold: how many sessions of each app begin in each hour of each country, and what the rows of
 * a session are drawn from. The analytical store turns it into rows (`row-sql.ts`); names are those its SQL uses.
 */
export interface DaysPlan {
  /** Start of the first day and end of the last, epoch seconds. */
  from: number;
  to: number;
  /** The day on which history ends, counted from the epoch. */
  last_day: number;
  apps: AppPlan[];
}

interface AppPlan {
  id: number;
  slug: string;
  platform: string;
  seconds: number;
  untracked: number;
  /** Ages in days at even steps of likelihood, and the devices that there are of each age on the last day of history. */
  ages: number[];
  devices: number[];
  zones: { zone: string; format: string; per_session: number; asked: number[] }[];
  countries: CountryPlan[];
}

interface CountryPlan {
  country: string;
  share: number;
  days: { start: number; growth: number; sessions: number[] }[];
  /** By zone: the market's median bid and the floor, dollars CPM, and which of the bidders asked want it. */
  cpm: number[];
  floor: number[];
  wanted: number[][];
}

/** The plan of some days before `untilMs`, counted back from its own. `appIds` gives each app of the catalogue its id in the platform. */
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
      asked: bidderNumbers((bidder) => isAskedFor(bidder, format)),
    })),
    countries: app.audience.map(({ country, share }) => ({
      country,
      share,
      days: days.map((day) => planSessions(seed, app, { country, share }, day, (lastDay + day) * DAY_MS)),
      cpm: app.zones.map(({ format }) => medianCpm(format, country, app.platform)),
      floor: app.zones.map(({ format }) => floorCpm(format, country)),
      wanted: app.zones.map(({ format }) => bidderNumbers((bidder) => wants(bidder, format, country, app.platform))),
    })),
  };
}

/** Sessions by UTC hour, each rounded up or down by chance, so that small countries keep their hours. */
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

/** Places in `DEMO_BIDDERS`, counted from 1 as arrays of the analytical store are. */
const bidderNumbers = (wanted: (bidder: (typeof DEMO_BIDDERS)[number]) => boolean): number[] =>
  DEMO_BIDDERS.flatMap((bidder, index) => (wanted(bidder) ? [index + 1] : []));
