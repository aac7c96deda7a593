import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Script, SharedRedis } from "../../platform/redis/shared-redis.ts";
import { Breakers } from "./auction/breakers.ts";
import { QueryLimits } from "./auction/query-limits.ts";
import { hash64 } from "./beacons/hash-set.ts";
import { MinuteCounts } from "./beacons/minute-counts.ts";
import { RedisEvents } from "./beacons/redis-events.ts";
import { SeenEvents } from "./beacons/seen-events.ts";
import type { FrequencyCaps } from "./campaigns/frequency-caps.ts";
import { RedisFrequencyCaps } from "./campaigns/redis-frequency-caps.ts";
import { deviceHash, type Keyring } from "./delivery/secrets.ts";
import { type ExchangeLimits, type Rate, RateLimit } from "./http/rate-limits.ts";
import { JournalBarrier } from "./processes/journal-barrier.ts";
import { LimitSharing } from "./processes/limit-sharing.ts";
import { noBus, type ProcessBus, RedisBus } from "./processes/process-bus.ts";
import { ProcessPart } from "./processes/process-part.ts";
import { redisDocuments } from "./markup/redis-documents.ts";
import type { SharedDocuments } from "./markup/markup-cache.ts";

/** Several exchange processes and what they share. */
export interface ExchangeProcesses {
  redis: SharedRedis;
  /** Of this process, the same after a restart on the same journal. */
  name: string;
  /** Resolves once the events that are stored so far can be read. */
  flush(): Promise<void>;
}

interface Deps {
  /** Without it, this is the only process. */
  processes?: ExchangeProcesses | undefined;
  pool: Pool;
  keyring: Keyring;
  limits: Pick<ExchangeLimits, "address" | "app" | "beacon">;
  /** How long a beacon's token is valid. */
  lifeMs: number;
  recentEventIds(sinceMs: number): AsyncIterable<string>;
  clock: Clock;
  log: Log;
}

/** What an exchange process would have to itself, if it were the only one. */
export interface SharedState {
  seen: SeenEvents;
  /** Undefined for those in memory. */
  caps: FrequencyCaps | undefined;
  limits: Record<"address" | "app" | "beacon", RateLimit>;
  counts: MinuteCounts;
  breakers: Breakers;
  queryLimits: QueryLimits;
  documents: SharedDocuments | undefined;
  bus: ProcessBus;
  start(): Promise<void>;
  /** Called before all else that stops waits for what is restored. */
  stopRestoring(): void;
  stop(): Promise<void>;
}

/** An ad's beacons expire after a day; a device that was offline longer is not billed. */
export const AD_LIFE_MS = 24 * 3_600_000;
const RESTORE_AGAIN_MS = 2000;

type ProcessState = Omit<SharedState, "stopRestoring">;

export function sharedState(deps: Deps): SharedState {
  const stopping = new AbortController();
  const state = deps.processes
    ? stateInRedis(deps.processes, deps, stopping.signal)
    : stateInMemory(deps, stopping.signal);
  return { ...state, stopRestoring: () => stopping.abort() };
}

/** In the memory of the only exchange process. */
function stateInMemory({ limits, lifeMs, recentEventIds, clock, log }: Deps, stopping: AbortSignal): ProcessState {
  const seen = new SeenEvents(clock.now(), lifeMs);

  async function restoreSeen(): Promise<void> {
    while (!stopping.aborted) {
      try {
        await seen.restore(recentEventIds(clock.now() - lifeMs));
        return;
      } catch (error) {
        log.warn({ err: error }, "earlier events cannot be read yet; their beacons are deferred");
        await sleep(RESTORE_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  return {
    seen,
    caps: undefined,
    limits: {
      address: new RateLimit(limits.address),
      app: new RateLimit(limits.app),
      beacon: new RateLimit(limits.beacon),
    },
    counts: new MinuteCounts(),
    breakers: new Breakers(),
    queryLimits: new QueryLimits(),
    documents: undefined,
    bus: noBus,
    start: async () => void restoreSeen(),
    stop: async () => undefined,
  };
}

/** One process makes the probing calls to a partner; if it has no result by then, another may. */
const PROBING_MS = 5000;
const MAY_PROBE: Script = {
  name: "mayProbe",
  lua: "return redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) and 1 or 0",
};
/** Older news of partners and limits is of no use. */
const NEWS_MS = 30_000;

/** In Redis, for several exchange processes. */
function stateInRedis({ redis, name, flush }: ExchangeProcesses, deps: Deps, stopping: AbortSignal): ProcessState {
  const { pool, keyring, lifeMs, recentEventIds, clock, log } = deps;
  const ship = async () => {
    await seen.settled();
    await flush();
  };
  const barrier = new JournalBarrier({ pool, name, ship, stopping, log });
  const everyoneShipped = () => barrier.everyoneShipped();
  const events = new RedisEvents({
    redis,
    process: name,
    lifeMs,
    storedIds: () => recentEventIds(clock.now() - lifeMs),
    everyoneShipped,
    stopping,
    clock,
    log,
  });
  const seen = new SeenEvents(clock.now(), lifeMs, events);
  const bus = new RedisBus(redis, log);
  const sharing = new LimitSharing(bus);
  const part = new ProcessPart({ redis, name, log });

  const salt = deviceHash(keyring, "limits that processes share");
  const rateOf = (limit: string, rate: Rate) =>
    new RateLimit(rate, {
      keyOf: (text) => hash64(`${salt} ${text}`).join("-"),
      onTaken: (key, cost) => sharing.taken(limit, key, cost),
    });
  const limits = {
    address: rateOf("address", deps.limits.address),
    app: rateOf("app", deps.limits.app),
    beacon: rateOf("beacon", deps.limits.beacon),
  };
  bus.subscribe("taken", ({ limit, costs }, ageMs) => {
    const rate = Object.entries(limits).find(([key]) => key === limit)?.[1];
    if (rate && ageMs < NEWS_MS) for (const [key, cost] of costs) rate.takenElsewhere(key, cost);
  });

  const counts = new MinuteCounts((key) => sharing.counted(key));
  bus.subscribe("counted", (all, ageMs) => {
    if (ageMs > NEWS_MS) return;
    for (const [key, count] of all) for (let nth = 0; nth < count; nth++) counts.add(key, clock.now());
  });

  const breakers = new Breakers({
    mayProbe: async (partnerId) => (await redis.run(MAY_PROBE, [`probe:${partnerId}`], [name, PROBING_MS])) === 1,
    onPaused: (partnerId, forMs, openings) => bus.publish("paused", { partnerId, forMs, openings }),
    onResumed: (partnerId) => bus.publish("resumed", { partnerId }),
  });
  bus.subscribe("paused", ({ partnerId, forMs, openings }, ageMs) =>
    breakers.pausedElsewhere(partnerId, forMs - ageMs, openings, performance.now()),
  );
  bus.subscribe("resumed", ({ partnerId }) => breakers.resumedElsewhere(partnerId, performance.now()));

  return {
    seen,
    caps: new RedisFrequencyCaps({ redis, everyoneShipped }),
    limits,
    counts,
    breakers,
    queryLimits: new QueryLimits((most) => part.of(most)),
    documents: redisDocuments(redis),
    bus,
    async start() {
      await barrier.start();
      events.start();
      bus.start();
      sharing.start();
      part.start();
    },
    async stop() {
      sharing.stop();
      await part.stop();
      await bus.stop();
      await events.stop();
      await barrier.stop();
    },
  };
}
