import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Log } from "../../../platform/log.ts";
import type { Script, SharedRedis } from "../../../platform/redis/shared-redis.ts";

/** What processes publish, by kind. */
export interface ProcessMessages {
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
export type MessageKind = keyof ProcessMessages;
type ProcessMessage = { [K in MessageKind]: [kind: K, about: ProcessMessages[K]] }[MessageKind];
type Listener<K extends MessageKind> = (about: ProcessMessages[K], ageMs: number) => void;

/** Publishes what the other exchange processes should know soon. Nothing that must not be lost or repeated depends on it. */
export interface ProcessBus {
  publish<K extends MessageKind>(kind: K, about: ProcessMessages[K]): void;
  subscribe<K extends MessageKind>(kind: K, listener: Listener<K>): void;
}

/** Of the only process. */
export const noBus: ProcessBus = { publish: () => undefined, subscribe: () => undefined };

const STREAM = "messages";
const GATHER_MS = 20;
const WAIT_MS = 1000;
const MOST_READ = 500;
/** Limits on waiting messages, on messages sent at once, and on those that Redis keeps for processes that were away. */
const LIMITS = { waitingChars: 8 * 2 ** 20, chunkChars: 256 * 1024, streamBytes: 16 * 2 ** 20 };
/** When Redis is back, these are of no use any more. */
const SHORT_LIVED: ReadonlySet<MessageKind> = new Set<MessageKind>(["counted", "taken"]);

const PUBLISH: Script = {
  name: "publishMessages",
  lua: `
redis.call('XADD', KEYS[2], '*', 'from', ARGV[2], 'all', ARGV[3])
local bytes = redis.call('INCRBY', KEYS[3], #ARGV[3])
while bytes > tonumber(ARGV[4]) do
  local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  if not oldest then break end
  redis.call('XDEL', KEYS[2], oldest[1])
  bytes = redis.call('DECRBY', KEYS[3], #oldest[2][4])
end
redis.call('EXPIRE', KEYS[2], 86400)
redis.call('EXPIRE', KEYS[3], 86400)`,
};

interface WaitingMessage {
  kind: MessageKind;
  text: string;
}

/** A stream in Redis. A process that was away reads what was published meanwhile, unless that is long ago. */
export class RedisBus implements ProcessBus {
  readonly #redis: SharedRedis;
  readonly #log: Log;
  readonly #limits: typeof LIMITS;
  readonly #self = randomUUID();
  readonly #listeners = new Map<MessageKind, ((about: never, ageMs: number) => void)[]>();
  #waiting: WaitingMessage[] = [];
  #waitingChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #reader: Redis | undefined;
  #reading: Promise<void> | undefined;
  #isStopped = false;

  constructor(redis: SharedRedis, log: Log, limits = LIMITS) {
    this.#redis = redis;
    this.#log = log;
    this.#limits = limits;
  }

  publish<K extends MessageKind>(kind: K, about: ProcessMessages[K]): void {
    const text = JSON.stringify([kind, about]);
    this.#waiting.push({ kind, text });
    this.#waitingChars += text.length;
    // If Redis is away for long, the oldest are of no use any more.
    while (this.#waitingChars > this.#limits.waitingChars)
      this.#waitingChars -= this.#waiting.shift()?.text.length ?? 0;
    this.#sendIn(GATHER_MS);
  }

  subscribe<K extends MessageKind>(kind: K, listener: Listener<K>): void {
    const listeners = this.#listeners.get(kind) ?? [];
    this.#listeners.set(kind, [...listeners, listener]);
  }

  start(): void {
    this.#reader = this.#redis.reader(WAIT_MS);
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

  #sendIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, ms).unref();
  }

  #send(): Promise<void> {
    return (this.#sending ??= this.#sendChunks().finally(() => (this.#sending = undefined)));
  }

  async #sendChunks(): Promise<void> {
    while (this.#waiting.length > 0) {
      const chunk = this.#takeChunk();
      try {
        const all = `[${chunk.map(({ text }) => text).join(",")}]`;
        await this.#redis.run(PUBLISH, [STREAM, `${STREAM}:bytes`], [this.#self, all, this.#limits.streamBytes]);
      } catch {
        this.#waiting = [...chunk, ...this.#waiting].filter(({ kind }) => !SHORT_LIVED.has(kind));
        this.#waitingChars = this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
        if (!this.#isStopped) this.#sendIn(WAIT_MS);
        return;
      }
    }
  }

  #takeChunk(): WaitingMessage[] {
    let [count, chars] = [0, 0];
    for (const { text } of this.#waiting) {
      if (count > 0 && chars + text.length > this.#limits.chunkChars) break;
      count++;
      chars += text.length;
    }
    this.#waitingChars -= chars;
    return this.#waiting.splice(0, count);
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
            this.#dispatch(fields[3] ?? "[]", Math.max(0, Date.now() - Number.parseInt(id, 10)));
        }
      } catch {
        await sleep(GATHER_MS * 5, undefined, { ref: false });
      }
    }
  }

  #dispatch(text: string, ageMs: number): void {
    for (const [kind, about] of JSON.parse(text) as ProcessMessage[]) {
      for (const listener of this.#listeners.get(kind) ?? []) {
        try {
          listener(about as never, ageMs);
        } catch (error) {
          this.#log.error({ err: error, kind }, "a message of another process cannot be handled");
        }
      }
    }
  }
}
