import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Log } from "../../../platform/log.ts";
import type { Script, SharedRedis } from "../../../platform/redis/shared-redis.ts";

/** What processes tell each other, by kind. */
export interface Told {
  /** An ad of an answer was shown, or was skipped. */
  shown: {
    auctionId: string;
    impId: string;
    candidateId: string;
    provider: string;
    campaign: { leaseId: string; costMicros: number } | null;
  };
  lost: { auctionId: string; impId: string; candidateId: string; provider: string };
  /** A partner is not asked for so long, or is asked again. */
  paused: { partnerId: string; forMs: number; openings: number };
  resumed: { partnerId: string };
  /** What counts against limits, by key. */
  counted: readonly (readonly [key: number, count: number])[];
  taken: { limit: string; costs: readonly (readonly [key: string, cost: number])[] };
}
export type Kind = keyof Told;
type Message = { [K in Kind]: [kind: K, about: Told[K]] }[Kind];
type Listener<K extends Kind> = (about: Told[K], ageMs: number) => void;

/** Tells the other exchange processes what they should know soon. Nothing that must not be lost or repeated depends on it. */
export interface ProcessBus {
  tell<K extends Kind>(kind: K, about: Told[K]): void;
  on<K extends Kind>(kind: K, listener: Listener<K>): void;
}

/** Of the only process, which has nobody to tell. */
export const noBus: ProcessBus = { tell: () => undefined, on: () => undefined };

const STREAM = "told";
const GATHER_MS = 20;
const WAIT_MS = 1000;
const MOST_WAITING = 10_000;
const MOST_READ = 500;

const TELL: Script = {
  name: "tellProcesses",
  lua: `
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 5000, '*', 'from', ARGV[2], 'all', ARGV[3])
redis.call('EXPIRE', KEYS[2], 86400)`,
};

/** A stream in Redis. A process that was away reads what was told meanwhile, unless that is long ago. */
export class RedisBus implements ProcessBus {
  readonly #redis: SharedRedis;
  readonly #log: Log;
  readonly #self = randomUUID();
  readonly #listeners = new Map<Kind, ((about: never, ageMs: number) => void)[]>();
  #waiting: Message[] = [];
  #timer: NodeJS.Timeout | undefined;
  #reader: Redis | undefined;
  #reading: Promise<void> | undefined;
  #isStopped = false;

  constructor(redis: SharedRedis, log: Log) {
    this.#redis = redis;
    this.#log = log;
  }

  tell<K extends Kind>(kind: K, about: Told[K]): void {
    // If Redis is away for long, the oldest are of no use any more.
    if (this.#waiting.length >= MOST_WAITING) this.#waiting.shift();
    this.#waiting.push([kind, about] as Message);
    this.#timer ??= setTimeout(() => void this.#send(), GATHER_MS).unref();
  }

  on<K extends Kind>(kind: K, listener: Listener<K>): void {
    const listeners = this.#listeners.get(kind) ?? [];
    this.#listeners.set(kind, [...listeners, listener]);
  }

  start(): void {
    this.#reader = this.#redis.reader();
    this.#reader.on("error", () => undefined);
    this.#reading = this.#read(this.#reader);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#send();
    this.#reader?.disconnect();
    await this.#reading;
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const all = this.#waiting;
    this.#waiting = [];
    try {
      await this.#redis.run(TELL, [STREAM], [this.#self, JSON.stringify(all)]);
    } catch {
      this.#waiting = [...all, ...this.#waiting].slice(-MOST_WAITING);
      if (!this.#isStopped) this.#timer ??= setTimeout(() => void this.#send(), WAIT_MS).unref();
    }
  }

  async #read(reader: Redis): Promise<void> {
    let [stream, last] = ["", "0"];
    while (!this.#isStopped) {
      try {
        const key = this.#redis.keyOf(STREAM);
        // Another epoch has another stream.
        if (key !== stream) [stream, last] = [key, "0"];
        if (reader.status === "wait" || reader.status === "end") await reader.connect();
        const found = await reader.xread("COUNT", MOST_READ, "BLOCK", WAIT_MS, "STREAMS", stream, last);
        for (const [id, fields] of found?.[0]?.[1] ?? []) {
          last = id;
          if (fields[1] !== this.#self)
            this.#hear(fields[3] ?? "[]", Math.max(0, Date.now() - Number.parseInt(id, 10)));
        }
      } catch {
        await sleep(GATHER_MS * 5, undefined, { ref: false });
      }
    }
  }

  #hear(text: string, ageMs: number): void {
    for (const [kind, about] of JSON.parse(text) as Message[]) {
      for (const listener of this.#listeners.get(kind) ?? []) {
        try {
          listener(about as never, ageMs);
        } catch (error) {
          this.#log.error({ err: error, kind }, "what another process told cannot be handled");
        }
      }
    }
  }
}
