import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { awayProblem, type SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { CLAIM, SETTLE, LOOK, PENDING, LOAD, LOCK, FINISH, IS_READY } from "./event-scripts.ts";
import { hash64 } from "./hash-set.ts";
import type { Claim, SharedEvents } from "./seen-events.ts";

const HOUR_MS = 3_600_000;
/** Longer than a token's life: clocks of servers differ. */
const MARGIN_MS = HOUR_MS;
/** Clocks of servers differ by less: a token that is this much older than an epoch may have been used before it. */
const SKEW_MS = 5000;
/** Ids written at once when they are restored. */
const AT_ONCE = 5000;
const AGAIN_MS = 250;
const RESTORING_MS = 60_000;
const READY = "seen:ready";
const RESTORING = "seen:restoring";

export interface RedisEventsDeps {
  redis: SharedRedis;
  /** This process's name, the same after a restart. */
  process: string;
  /** How long a token is valid. */
  lifeMs: number;
  /** Ids of all stored events that may be repeated, of this process's journal included. */
  storedIds(): AsyncIterable<string>;
  /** Resolves once what all processes have appended so far can be read from the store. */
  everyoneShipped(): Promise<void>;
  clock: Clock;
  log: Log;
}

interface Ended {
  stored: readonly Claim[];
  released: readonly Claim[];
}

/**
 * The events of all processes, in Redis. An event is claimed before it is stored, and the claim lasts until its process says
 * what became of it, also after a kill: the process finds out from its journal when it starts again.
 */
export class RedisEvents implements SharedEvents {
  readonly #deps: RedisEventsDeps;
  readonly #owner: string;
  /** Claims that ended while Redis was away. */
  #unsaid: Ended[] = [];
  #restoring: Promise<void> | undefined;
  #isStopped = false;
  /** The epoch in which claims of an earlier run have ended. */
  #recoveredIn: string | undefined;

  constructor(deps: RedisEventsDeps) {
    this.#deps = deps;
    this.#owner = `${deps.process}:${randomBytes(6).toString("base64url")}`;
  }

  /** Ends what an earlier run left, and restores the events whenever Redis has lost them. */
  start(): void {
    this.#deps.redis.onEpoch(() => {
      this.#restoring ??= this.#restoreUntilDone().finally(() => (this.#restoring = undefined));
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#restoring;
    await this.#say();
  }

  async claim(events: readonly Claim[]): Promise<readonly Claim[]> {
    const { redis, lifeMs } = this.#deps;
    const epoch = redis.epoch;
    if (!epoch) throw awayProblem();
    const places = events.map(placeOf);
    const found = (await redis.run(
      CLAIM,
      [READY, this.#pendingKey, ...places.flatMap(({ key, restored }) => [key, restored])],
      [
        this.#owner,
        epoch.sinceMs + SKEW_MS,
        lifeMs + MARGIN_MS,
        ...places.flatMap(({ field, name }, nth) => [field, events[nth]?.issuedAtMs ?? 0, name]),
      ],
    )) as number[];
    if (found.includes(2)) throw awayProblem();
    return events.filter((_, nth) => found[nth] === 1);
  }

  settle(stored: readonly Claim[], released: readonly Claim[]): void {
    this.#unsaid.push({ stored, released });
    void this.#say();
  }

  async isStored({ id, issuedAtMs }: Claim): Promise<boolean> {
    const { redis } = this.#deps;
    const { key, restored, field } = placeOf({ id, issuedAtMs });
    const since = (redis.epoch?.sinceMs ?? 0) + SKEW_MS;
    const found = await redis.run(LOOK, [key, restored, READY], [field, issuedAtMs, since]);
    if (found === 2) throw awayProblem();
    return found === 1;
  }

  /** Says what became of claims. What Redis does not hear now, it hears with the next. */
  async #say(): Promise<void> {
    const unsaid = this.#unsaid;
    this.#unsaid = [];
    for (const [nth, ended] of unsaid.entries()) {
      try {
        await this.#end(ended);
      } catch {
        this.#unsaid.push(...unsaid.slice(nth));
        return;
      }
    }
  }

  async #end({ stored, released }: Ended): Promise<void> {
    const { redis, lifeMs } = this.#deps;
    const places = [...stored, ...released].map(placeOf);
    if (places.length === 0) return;
    await redis.run(
      SETTLE,
      [this.#pendingKey, ...places.map(({ key }) => key)],
      [this.#owner, stored.length, lifeMs + MARGIN_MS, ...places.flatMap(({ field, name }) => [field, name])],
    );
  }

  async #restoreUntilDone(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const { epoch } = this.#deps.redis;
        await this.#say();
        await this.#endEarlierClaims();
        if ((await this.#restore()) && epoch === this.#deps.redis.epoch) return;
      } catch (error) {
        this.#deps.log.warn({ err: error }, "earlier events cannot be shared yet; their beacons are deferred");
      }
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }

  /** Claims of an earlier run of this process end as its journal and the store say. */
  async #endEarlierClaims(): Promise<void> {
    const { redis, storedIds } = this.#deps;
    const epoch = redis.epoch?.id;
    if (epoch === undefined || this.#recoveredIn === epoch) return;
    const pending = pairs((await redis.run(PENDING, [this.#pendingKey], [])) as string[]);
    const left = new Map([...pending].filter(([, owner]) => owner !== this.#owner));
    if (left.size > 0) {
      const byField = new Map([...left.keys()].map((name) => [hashIn(name), name]));
      const stored = new Set<string>();
      for await (const id of storedIds()) {
        const name = byField.get(hashOf(id));
        if (name !== undefined) stored.add(name);
      }
      const all = [...stored, ...[...left.keys()].filter((name) => !stored.has(name))];
      for (const [nth, name] of all.entries()) {
        const { key, field } = placeNamed(name);
        const args = [left.get(name) ?? "", nth < stored.size ? 1 : 0, this.#deps.lifeMs + MARGIN_MS, field, name];
        await redis.run(SETTLE, [this.#pendingKey, key], args);
      }
    }
    this.#recoveredIn = epoch;
  }

  /** Writes all stored events into Redis if it has lost them; one process does it. True once they are there. */
  async #restore(): Promise<boolean> {
    const { redis, storedIds, everyoneShipped, lifeMs, process, clock, log } = this.#deps;
    // Whatever could be repeated was stored in this epoch.
    if (redis.epoch && redis.epoch.sinceMs + lifeMs + MARGIN_MS < clock.now()) return true;
    if ((await redis.run(IS_READY, [READY], [])) === 1) return true;
    if ((await redis.run(LOCK, [RESTORING], [process, RESTORING_MS])) !== 1) return false;
    let isDone = false;
    try {
      await everyoneShipped();
      let ids: string[] = [];
      let count = 0;
      const write = async () => {
        const places = ids.map((id) => placeOf({ id, issuedAtMs: 0 }));
        ids = [];
        await redis.run(
          LOAD,
          places.map(({ restored }) => restored),
          [lifeMs + MARGIN_MS, ...places.map(({ field }) => field)],
        );
      };
      for await (const id of storedIds()) {
        count += ids.push(id) && 1;
        if (ids.length >= AT_ONCE) await write();
      }
      await write();
      isDone = true;
      log.info({ events: count }, "the events of the last day are in Redis");
    } finally {
      await redis.run(FINISH, [READY, RESTORING], [isDone ? 1 : 0, lifeMs + MARGIN_MS]);
    }
    return isDone;
  }

  get #pendingKey(): string {
    return `seen:pending:${this.#deps.process}`;
  }
}

interface Place {
  /** Of the hour in which the token was made. */
  key: string;
  /** Where an event of an earlier epoch is, whose hour is not known. */
  restored: string;
  field: string;
  /** Hour and hash. */
  name: string;
}

const hashOf = (id: string): string =>
  hash64(id)
    .map((half) => half.toString(16).padStart(8, "0"))
    .join("");
const hashIn = (name: string): string => name.slice(name.indexOf(" ") + 1);

const placeOf = ({ id, issuedAtMs }: Claim): Place => placeNamed(`${Math.floor(issuedAtMs / HOUR_MS)} ${hashOf(id)}`);

/** Hashes of at most some hundred fields: 65,536 an hour. */
function placeNamed(name: string): Place {
  const hash = hashIn(name);
  const [shard, field] = [hash.slice(0, 4), Buffer.from(hash.slice(4), "hex").toString("base64url")];
  return { key: `seen:${name.split(" ")[0]}:${shard}`, restored: `seen:all:${shard}`, field, name };
}

function pairs(list: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) map.set(list[at] ?? "", list[at + 1] ?? "");
  return map;
}
