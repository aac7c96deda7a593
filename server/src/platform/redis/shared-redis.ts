import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import type { Clock } from "../clock.ts";
import { Problem } from "../http/problem.ts";
import type { Log } from "../log.ts";

/** A Lua script, which Redis runs as one step. Its first key and argument are added: they check the epoch. */
export interface Script {
  /** Unique among all scripts. */
  readonly name: string;
  readonly lua: string;
}

/** One life of Redis: whatever was written before it may be gone, and is not read any more. */
export interface Epoch {
  id: string;
  /** When it began, in epoch milliseconds of the process that noticed. */
  sinceMs: number;
}

export interface SharedRedisDeps {
  url: string;
  clock: Clock;
  log: Log;
  /** Begins every key. */
  prefix?: string;
}

const PREFIX = "millrace:";
const COMMAND_MS = 1000;
/** A connection that does not answer for so long is ended. */
const SILENCE_MS = 3000;
const LONGEST_RETRY_MS = 1000;
const NO_EVICTION = "noeviction";
/** Newer versions of Redis add "ERR". */
const IS_OVER = /^(ERR )?EPOCH/;
/** Redis cannot write now: its memory is full, it is a replica, it is loading, a script runs, or its disk fails. */
const CANNOT_WRITE = /^(OOM|READONLY|LOADING|BUSY|MISCONF|MASTERDOWN|NOREPLICAS)\b/;
const EPOCH_CHECK = "if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return redis.error_reply('EPOCH') end\n";

/** Adopts the epoch of this run of Redis, or begins one: another run may have lost what was written last. */
const ADOPT: Script = {
  name: "adoptEpoch",
  lua: `
local known = redis.call('HMGET', KEYS[1], 'run', 'id', 'since')
if known[1] == ARGV[1] and known[2] then return {known[2], known[3]} end
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'id', ARGV[2], 'since', ARGV[3])
return {ARGV[2], ARGV[3]}`,
};

export const awayProblem = (): Problem =>
  new Problem("unavailable", "What the servers share cannot be read right now", { retryAfterSeconds: 2 });

type Run = (keys: number, ...args: (string | number)[]) => Promise<unknown>;

/**
 * What processes share in Redis, for which its contents may be lost at any time: after a restart, a failover or a flush,
 * a new epoch begins, whose keys are empty, and whoever reads them restores them first. Every key has a lifetime.
 */
export class SharedRedis {
  readonly #redis: Redis;
  readonly #deps: Required<SharedRedisDeps>;
  readonly #scripts = new Set<string>();
  readonly #listeners: ((epoch: Epoch) => void)[] = [];
  #epoch: Epoch | undefined;
  #adopting: Promise<void> | undefined;
  #isClosed = false;
  /** Why this Redis must not be used. */
  #refusal: string | undefined;
  /** Calls since the start, by how they ended. */
  readonly calls = { answered: 0, failed: 0 };

  constructor(deps: SharedRedisDeps) {
    this.#deps = { prefix: PREFIX, ...deps };
    this.#redis = new Redis(deps.url, {
      // Whoever waits for a connection is told at once, and its caller tries again.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: COMMAND_MS,
      connectTimeout: COMMAND_MS,
      // A connection that a failover has left behind says nothing any more; another one may be answered.
      socketTimeout: SILENCE_MS,
      retryStrategy: (times) => Math.min(LONGEST_RETRY_MS, 50 * times),
      lazyConnect: true,
    });
    this.#redis.on("ready", () => void this.#adopt());
    this.#redis.on("close", () => (this.#epoch = undefined));
    this.#redis.on("error", (error) => deps.log.debug({ err: error }, "Redis does not answer"));
  }

  /** Rejects if Redis cannot be reached now; it is tried again all the same. */
  async connect(): Promise<void> {
    await this.#redis.connect();
    await this.#adopt();
    await this.check();
  }

  /** Resolves if Redis can be used. */
  async check(): Promise<void> {
    await this.#redis.ping();
    if (this.#refusal !== undefined) throw new Error(this.#refusal);
    if (!this.#epoch) throw awayProblem();
  }

  /** Undefined while Redis is away. */
  get epoch(): Epoch | undefined {
    return this.#epoch;
  }

  /** Hears of the epoch in force, now and whenever another begins. */
  onEpoch(listener: (epoch: Epoch) => void): void {
    this.#listeners.push(listener);
    if (this.#epoch) listener(this.#epoch);
  }

  /**
   * Runs a script on keys of an epoch, the one in force unless told otherwise. Rejects with Problem `unavailable` if Redis is
   * away or the epoch is over; the script may have run nevertheless.
   */
  async run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    epoch = this.#epoch,
  ): Promise<unknown> {
    if (!epoch || epoch.id !== this.#epoch?.id) throw awayProblem();
    const named = keys.map((key) => this.#keyOf(epoch, key));
    try {
      const answer = await this.#call(
        { name: script.name, lua: EPOCH_CHECK + script.lua },
        [this.#epochKey, ...named],
        [epoch.id, ...args],
      );
      this.calls.answered++;
      return answer;
    } catch (error) {
      this.calls.failed++;
      const reply = error instanceof Error && error.name === "ReplyError" ? error.message : "";
      if (IS_OVER.test(reply)) {
        if (this.#epoch?.id === epoch.id) this.#epoch = undefined;
        void this.#adopt();
      } else if (CANNOT_WRITE.test(reply)) this.#deps.log.debug({ err: error }, "Redis cannot write");
      else if (reply !== "") throw error;
      throw awayProblem();
    }
  }

  /** A connection of its own, for reads that wait for at most so long. */
  reader(waitMs: number): Redis {
    return this.#redis.duplicate({ commandTimeout: undefined, socketTimeout: waitMs + SILENCE_MS, lazyConnect: true });
  }

  /** A key of the epoch in force, for a reader. */
  keyOf(key: string): string {
    if (!this.#epoch) throw awayProblem();
    return this.#keyOf(this.#epoch, key);
  }

  close(): void {
    this.#isClosed = true;
    this.#redis.disconnect();
  }

  get #epochKey(): string {
    return `${this.#deps.prefix}epoch`;
  }

  #keyOf(epoch: Epoch, key: string): string {
    return `${this.#deps.prefix}${epoch.id}:${key}`;
  }

  #call({ name, lua }: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#scripts.has(name)) {
      this.#redis.defineCommand(name, { lua });
      this.#scripts.add(name);
    }
    const call = (this.#redis as unknown as Record<string, Run | undefined>)[name];
    return call?.call(this.#redis, keys.length, ...keys, ...args) ?? Promise.reject(awayProblem());
  }

  #adopt(): Promise<void> {
    return (this.#adopting ??= this.#adoptNow().finally(() => (this.#adopting = undefined)));
  }

  async #adoptNow(): Promise<void> {
    if (this.#epoch || this.#isClosed) return;
    try {
      // Without its counts and claims, events would count twice and caps begin at 0, and nobody would notice.
      const policy = /^maxmemory_policy:(\S+)/m.exec(await this.#redis.info("memory"))?.[1] ?? NO_EVICTION;
      this.#refusal =
        policy === NO_EVICTION ? undefined : `its maxmemory-policy is ${policy} and must be ${NO_EVICTION}`;
      if (this.#refusal !== undefined) throw new Error(this.#refusal);
      const run = /^run_id:(\w+)/m.exec(await this.#redis.info("server"))?.[1] ?? "";
      const fresh = randomBytes(6).toString("base64url");
      const found = await this.#call(ADOPT, [this.#epochKey], [run, fresh, this.#deps.clock.now()]);
      const [id, since] = found as [string, string];
      this.#epoch = { id, sinceMs: Number(since) };
      if (id === fresh) this.#deps.log.warn({}, "Redis is empty or was started anew: what it held is restored");
      for (const listener of this.#listeners) listener(this.#epoch);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "Redis cannot be used yet");
      if (!this.#isClosed) setTimeout(() => void this.#adopt(), LONGEST_RETRY_MS).unref();
    }
  }
}
