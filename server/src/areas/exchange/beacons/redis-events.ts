import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { awayProblem } from "../../../platform/redis/shared-redis.ts";
import { placeOf } from "./event-places.ts";
import { CLAIM, LOOK, READY, SETTLE, pendingKey } from "./event-scripts.ts";
import { keptMs, restoreEvents, settleClaimsOf, type StoredEvents } from "./restore-events.ts";
import type { Claim, SharedClaim, SharedEvents } from "./seen-events.ts";

/** Clocks of servers differ by less: a token that is this much older than an epoch may have been used before it. */
const SKEW_MS = 5000;
const RESTORE_AGAIN_MS = 250;
const SETTLE_AGAIN_MS = 1000;

export interface RedisEventsDeps extends StoredEvents {
  /** This process's name, the same after a restart. */
  process: string;
  /** Resolves once what all processes have appended so far can be read from the store. */
  everyoneShipped(): Promise<void>;
  clock: Clock;
  log: Log;
}

/** What became of a claim. */
interface Settlement {
  owner: string;
  stored: readonly Claim[];
  released: readonly Claim[];
}

/**
 * The events of all processes, in Redis. An event is claimed before it is stored, and the claim lasts until its process says
 * what became of it, also after a kill: the process finds out from its journal when it starts again.
 */
export class RedisEvents implements SharedEvents {
  readonly #deps: RedisEventsDeps;
  /** Begins the owner of each claim of this run of the process. */
  readonly #run = `${randomBytes(9).toString("base64url")}:`;
  #claims = 0;
  /** Settlements that Redis has not heard of yet. */
  #unsettled: readonly Settlement[] = [];
  #retry: NodeJS.Timeout | undefined;
  #restoring: Promise<void> | undefined;
  /** The epoch in which claims of an earlier run are settled. */
  #recoveredIn: string | undefined;

  constructor(deps: RedisEventsDeps) {
    this.#deps = deps;
  }

  /** Settles what an earlier run left, and restores the events whenever Redis has lost them. */
  start(): void {
    this.#deps.redis.onEpoch(() => {
      this.#restoring ??= this.#restoreUntilDone().finally(() => (this.#restoring = undefined));
    });
  }

  /** Call it after `stopping` is aborted. */
  async stop(): Promise<void> {
    await this.#restoring;
    clearTimeout(this.#retry);
    await this.#flushSettlements();
  }

  async claim(events: readonly Claim[]): Promise<SharedClaim> {
    const { redis, process } = this.#deps;
    const epoch = redis.epoch;
    if (!epoch) throw awayProblem();
    // Each claim has an owner of its own, so that a late settlement cannot end a newer claim.
    const owner = `${this.#run}${(this.#claims++).toString(36)}`;
    const settle = (stored: readonly Claim[], released: readonly Claim[]) => {
      this.#unsettled = [...this.#unsettled, { owner, stored, released }];
      void this.#flushSettlements();
    };
    const places = events.map(placeOf);
    const keys = [READY, pendingKey(process), ...places.flatMap(({ key, restored }) => [key, restored])];
    const each = places.flatMap(({ field, name }, nth) => [field, events[nth]?.issuedAtMs ?? 0, name]);
    let found: number[];
    try {
      const args = [owner, epoch.sinceMs + SKEW_MS, keptMs(this.#deps), ...each];
      found = (await redis.run(CLAIM, keys, args, epoch)) as number[];
    } catch (error) {
      // Redis may have claimed them nevertheless, and answered too late.
      settle([], events);
      throw error;
    }
    if (found.includes(2)) throw awayProblem();
    return { stored: events.filter((_, nth) => found[nth] === 1), settle };
  }

  async isStored({ id, issuedAtMs }: Claim): Promise<boolean> {
    const { redis } = this.#deps;
    const { key, restored, field } = placeOf({ id, issuedAtMs });
    const since = (redis.epoch?.sinceMs ?? 0) + SKEW_MS;
    const found = await redis.run(LOOK, [key, restored, READY], [field, issuedAtMs, since]);
    if (found === 2) throw awayProblem();
    return found === 1;
  }

  /** Tells Redis what became of claims. What cannot be told now is told again. */
  async #flushSettlements(): Promise<void> {
    const settlements = this.#unsettled;
    this.#unsettled = [];
    for (const [nth, settlement] of settlements.entries()) {
      try {
        await this.#settle(settlement);
      } catch {
        this.#unsettled = [...settlements.slice(nth), ...this.#unsettled];
        if (this.#deps.stopping.aborted) return;
        this.#retry ??= setTimeout(() => {
          this.#retry = undefined;
          void this.#flushSettlements();
        }, SETTLE_AGAIN_MS).unref();
        return;
      }
    }
  }

  async #settle({ owner, stored, released }: Settlement): Promise<void> {
    const { redis, process } = this.#deps;
    const places = [...stored, ...released].map(placeOf);
    if (places.length === 0) return;
    await redis.run(
      SETTLE,
      [pendingKey(process), ...places.map(({ key }) => key)],
      [owner, stored.length, keptMs(this.#deps), ...places.flatMap(({ field, name }) => [field, name])],
    );
  }

  async #restoreUntilDone(): Promise<void> {
    const { redis, process, stopping, log } = this.#deps;
    const isHeld = (owner: string) => owner.startsWith(this.#run);
    while (!stopping.aborted) {
      const { epoch } = redis;
      try {
        // While Redis is away, there is nothing to do.
        if (epoch) {
          if (this.#recoveredIn !== epoch.id) await settleClaimsOf(process, isHeld, this.#deps, epoch);
          this.#recoveredIn = epoch.id;
          if ((await restoreEvents(this.#deps, epoch)) && epoch.id === redis.epoch?.id) return;
        }
      } catch (error) {
        if (!stopping.aborted)
          log.warn({ err: error }, "earlier events cannot be shared yet; their beacons are deferred");
      }
      await sleep(RESTORE_AGAIN_MS, undefined, { ref: false, signal: stopping }).catch(() => undefined);
    }
  }
}
