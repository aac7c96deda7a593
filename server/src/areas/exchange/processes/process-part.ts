import type { Log } from "../../../platform/log.ts";
import type { Script, SharedRedis } from "../../../platform/redis/shared-redis.ts";

/** A process's place among all that sell ads. */
interface Place {
  /** From 0, by name. */
  nth: number;
  of: number;
}

const TIMES = {
  beatMs: 1000,
  /** A place gives more only after so long, when all others have noticed it and gave up what they had. */
  settleMs: 3000,
  /** A process that was not heard for so long is gone. */
  goneMs: 10_000,
};

const BEAT: Script = {
  name: "beatOfExchange",
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[2], now, ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
local names = redis.call('ZRANGE', KEYS[2], 0, -1)
table.sort(names)
for nth, name in ipairs(names) do
  if name == ARGV[2] then return {nth - 1, #names} end
end`,
};
const LEAVE: Script = { name: "leaveExchange", lua: "return redis.call('ZREM', KEYS[2], ARGV[2])" };
const KEY = "exchanges";

/**
 * What one of several exchange processes may take of a limit that holds for all of them together. The parts never add up to
 * more than the whole: a new process begins with nothing, and a part grows only after the others' have shrunk. While Redis is
 * away, each process keeps its part.
 */
export class ProcessPart {
  readonly #redis: SharedRedis;
  readonly #name: string;
  readonly #log: Log;
  readonly #times: typeof TIMES;
  /** The newest last; the first is the last one from before the settling time. */
  #places: (Place & { at: number })[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;

  constructor({ redis, name, log, times = TIMES }: Deps) {
    this.#redis = redis;
    this.#name = name;
    this.#log = log;
    this.#times = times;
  }

  /** The part of a whole number. */
  of(whole: number): number {
    const [first] = this.#places;
    if (!first || performance.now() - first.at < this.#times.settleMs) return 0;
    return Math.min(...this.#places.map((place) => partOf(whole, place)));
  }

  start(): void {
    const beat = () => {
      this.#beating ??= this.#beat().finally(() => (this.#beating = undefined));
    };
    beat();
    this.#timer = setInterval(beat, this.#times.beatMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    this.#places = [];
    // Without it, the others wait until this process is gone.
    await this.#redis.run(LEAVE, [KEY], [this.#name]).catch(() => undefined);
  }

  async #beat(): Promise<void> {
    try {
      const [nth, of] = (await this.#redis.run(BEAT, [KEY], [this.#name, this.#times.goneMs])) as [number, number];
      const at = performance.now();
      this.#places.push({ nth, of, at });
      const settled = this.#places.findLastIndex((place) => at - place.at >= this.#times.settleMs);
      if (settled > 0) this.#places.splice(0, settled);
    } catch (error) {
      this.#log.debug(
        { err: error },
        "the number of exchange processes cannot be read; each keeps its part of the limits",
      );
    }
  }
}

interface Deps {
  redis: SharedRedis;
  /** Of this process, the same after a restart. */
  name: string;
  log: Log;
  times?: typeof TIMES;
}

const partOf = (whole: number, { nth, of }: Place): number =>
  Math.floor((whole * (nth + 1)) / of) - Math.floor((whole * nth) / of);
