import { CATALOGUE } from "../catalogue.ts";
import type { DemoApp } from "../demo-app.ts";
import { COUNTRIES } from "../countries.ts";
import { sessionsPerHour } from "../population.ts";
import { seededRandom } from "../random.ts";
import type { Random } from "../random.ts";
import { deviceDrawer } from "./draw-device.ts";
import { findAddresses } from "./find-addresses.ts";
import { playSession, sessionSeconds } from "./play-session.ts";
import { sdkClient } from "./sdk-client.ts";
import type { ClientCounts } from "./sdk-client.ts";

export interface TrafficOptions {
  /** Where the exchange listens. */
  exchangeUrl: string;
  /** With it the exchange believes a device's word on its address. */
  deviceKey: string;
  seed: string;
  /** When history ended, epoch milliseconds: the apps are as big as they were then. */
  sinceMs: number;
  /** Public key of each app of the catalogue, by slug. */
  appKeys: ReadonlyMap<string, string>;
  /** How many times as many people as history knows; 1 goes on where it ended. */
  pace?: number;
  nowMs?: () => number;
}

export interface Traffic {
  counts(): ClientCounts & { sessions: number };
  stop(): Promise<void>;
}

interface Place {
  app: DemoApp;
  appKey: string;
  country: DemoApp["audience"][number];
}

const DAY_MS = 86_400_000;
const TICK_MS = 500;
/** How busy each place is changes with the hour; looking every half minute is enough. */
const WEIGH_EVERY_TICKS = 60;
const ADDRESSES_PER_COUNTRY = 200;
/** People who were at it before the platform started come back within this time. */
const RETURN_WITHIN_MS = 15_000;
/** However high the pace: sockets and memory are finite. */
const MOST_SESSIONS = 3000;

/** Starts the people of the demo's apps: they open them, see ads and sometimes click, for as long as the platform runs. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const { exchangeUrl, deviceKey, seed, sinceMs, appKeys, pace = 1, nowMs = Date.now } = options;
  const client = sdkClient(exchangeUrl, deviceKey);
  const addresses = await findAddresses(
    seed,
    COUNTRIES.map(({ code }) => code),
    ADDRESSES_PER_COUNTRY,
  );
  const draw = deviceDrawer(seed, addresses, sinceMs);
  const random = seededRandom(seed, "traffic", nowMs());
  const places = placesOf(appKeys);
  const clock = waiting();
  const day = () => Math.floor(nowMs() / DAY_MS) - Math.floor(sinceMs / DAY_MS);
  let sessions = 0;
  let open = 0;

  const play = async ({ app, appKey, country }: Place, cameEarlier: boolean) => {
    const device = draw(app, country, day(), random);
    const whole = sessionSeconds(app, random);
    const share = cameEarlier ? random.next() : 1;
    if (cameEarlier) await clock.wait(RETURN_WITHIN_MS * random.next());
    await playSession({
      app,
      appKey,
      device,
      seconds: Math.ceil(whole * share),
      share,
      client,
      random,
      wait: clock.wait,
    });
  };
  const begin = (place: Place, cameEarlier = false) => {
    if (open >= MOST_SESSIONS) return;
    sessions += 1;
    open += 1;
    // A session only fails by being ended with the traffic.
    play(place, cameEarlier)
      .catch(() => {})
      .finally(() => (open -= 1));
  };

  let weights = weigh(places, day(), nowMs());
  let ticks = 0;
  for (const [index, place] of places.entries()) {
    const perSecond = ((weights[index] ?? 0) * pace) / 3600;
    for (let count = poisson(perSecond * place.app.sessionSeconds, random); count > 0; count--) begin(place, true);
  }
  const timer = setInterval(() => {
    if (++ticks % WEIGH_EVERY_TICKS === 0) weights = weigh(places, day(), nowMs());
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (let count = poisson((total * pace * TICK_MS) / 3_600_000, random); count > 0; count--) {
      const place = places[random.weighted(weights)];
      if (place !== undefined) begin(place);
    }
  }, TICK_MS);

  return {
    counts: () => ({ ...client.counts(), sessions }),
    stop: async () => {
      clearInterval(timer);
      clock.end();
      client.close();
    },
  };
}

const placesOf = (appKeys: ReadonlyMap<string, string>): Place[] =>
  CATALOGUE.flatMap((app) => {
    const appKey = appKeys.get(app.slug);
    return appKey === undefined ? [] : app.audience.map((country) => ({ app, appKey, country }));
  });

/** Sessions an hour at each place. */
const weigh = (places: readonly Place[], day: number, atMs: number): number[] =>
  places.map(({ app, country }) => sessionsPerHour(app, country, day, atMs));

/** How many things happen where `mean` are expected (Knuth; means here are small). */
function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}

/** Waits that all end, by rejecting, when the traffic does. */
function waiting(): { wait: (ms: number) => Promise<void>; end: () => void } {
  const ends = new Set<() => void>();
  let ended = false;
  return {
    wait: (ms) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new Error("ended"));
        const end = () => {
          clearTimeout(timer);
          reject(new Error("ended"));
        };
        const timer = setTimeout(() => {
          ends.delete(end);
          resolve();
        }, ms);
        ends.add(end);
      }),
    end: () => {
      ended = true;
      for (const end of ends) end();
      ends.clear();
    },
  };
}
