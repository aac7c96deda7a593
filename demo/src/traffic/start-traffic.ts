import { DAY_MS } from "@millrace/units";
import { CATALOGUE } from "../catalogue.ts";
import type { DemoApp } from "../demo-app.ts";
import { COUNTRIES } from "../countries.ts";
import { sessionsPerHour } from "../population.ts";
import { seededRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { PostbackTargets } from "./convert.ts";
import { deviceDrawer } from "./draw-device.ts";
import { findAddresses } from "./find-addresses.ts";
import { playSession, sessionSeconds } from "./play-session.ts";
import { sdkClient } from "./sdk-client.ts";
import type { ClientCounts } from "./sdk-client.ts";

export interface TrafficOptions {
  exchangeUrl: string;
  /** Makes the exchange trust the address that a demo device claims. */
  deviceKey: string;
  seed: string;
  /** When history ended, in epoch milliseconds. The apps keep their size from then on. */
  sinceMs: number;
  /** The public key of each app of the catalogue, by slug. */
  appKeys: ReadonlyMap<string, string>;
  /** Where installs of the demo's campaigns are reported; none are without it. */
  postbacks?: PostbackTargets | null;
  /** Traffic relative to the end of history; 1 continues at the same level. */
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

const TICK_MS = 500;
/** Traffic varies by the hour, so recalculating it every half minute is enough. */
const WEIGH_EVERY_TICKS = 60;
const ADDRESSES_PER_COUNTRY = 200;
/** Sessions that were interrupted by a restart resume within this time. */
const RESUME_WITHIN_MS = 15_000;
/** Limits open sessions at any pace, because sockets and memory are finite. */
const MAX_SESSIONS = 3000;

/** Starts the demo's traffic: simulated devices that open apps, show ads and sometimes click, until stopped. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const { exchangeUrl, deviceKey, seed, sinceMs, appKeys, postbacks = null, pace = 1, nowMs = Date.now } = options;
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
    if (cameEarlier) await clock.wait(RESUME_WITHIN_MS * random.next());
    await playSession({
      app,
      appKey,
      device,
      seconds: Math.ceil(whole * share),
      share,
      client,
      random,
      postbacks,
      wait: clock.wait,
    });
  };
  const begin = (place: Place, cameEarlier = false) => {
    if (open >= MAX_SESSIONS) return;
    sessions += 1;
    open += 1;
    // A session only rejects when the traffic stops.
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

/** The expected sessions per hour of each app and country. */
const weigh = (places: readonly Place[], day: number, atMs: number): number[] =>
  places.map(({ app, country }) => sessionsPerHour(app, country, day, atMs));

/** Draws from a Poisson distribution (Knuth's algorithm, which suits small means). */
function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}

/** Cancellable waits: `end` rejects all of them. */
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
