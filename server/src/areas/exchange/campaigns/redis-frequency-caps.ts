import { randomUUID } from "node:crypto";
import type { FrequencyCap } from "@millrace/contract";
import { lruCache } from "../../../platform/lru-cache.ts";
import { awayProblem, type Script, type SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { END_READING, LOAD_COUNTS, RELEASE, RESERVE, SHOWN, START_READING, UNSHOW } from "./cap-scripts.ts";
import { type CapHold, type FrequencyCaps, LATE_MS, PERIOD_MS, type ReadImpressions } from "./frequency-caps.ts";

/** An auction waits this long for a place below the caps. */
const CONFIRM_MS = 20;
/** After so many late answers in a row, capped campaigns take no part for a while: every auction would wait for nothing. */
const MOST_LATE = 3;
const PAUSE_MS = 1000;
/** A device that has seen enough is not asked about again for so long, so that other campaigns bid for it. */
const FULL_MS = 5000;
const MOST_FULL = 50_000;
/** A campaign whose earlier impressions are being read is not asked about for so long. */
const UNREAD_MS = 250;
const READING_MS = 60_000;
const AT_ONCE = 2000;
/** Few devices share a hash, so that Redis keeps it compact. */
const SHARDS = 4096n;

const PERIODS = ["day", "hour"] as const;
type Period = (typeof PERIODS)[number];

interface Deps {
  redis: SharedRedis;
  /** Resolves once what all processes have stored so far can be read. */
  everyoneShipped(): Promise<void>;
  /** Replaces `FULL_MS`. */
  fullMs?: number;
}

/**
 * Counts for all processes, in Redis. A place below the caps is taken with one script per ad, in one round trip per auction;
 * an impression is checked and counted in one step. A campaign without caps costs a question per impression, and no memory.
 */
export class RedisFrequencyCaps implements FrequencyCaps {
  readonly #deps: Deps;
  readonly #reader = randomUUID();
  /** Places of campaigns without caps. */
  readonly #uncapped = new WeakSet<CapHold>();
  /** The limits of a place that is asked for. */
  readonly #asked = new WeakMap<CapHold, { caps: readonly FrequencyCap[]; atMs: number }>();
  readonly #full = lruCache<string, number>(MOST_FULL);
  /** Campaigns to read, and when they may be asked for again. */
  readonly #unread = new Map<number, number>();
  #forgottenBeforeMs = -Infinity;
  #late = 0;
  /** By `performance.now()`. */
  #pausedUntilMs = -Infinity;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  reserve(
    campaignId: number,
    caps: readonly FrequencyCap[],
    device: string,
    atMs: number,
    expiresAtMs: number,
  ): CapHold | null {
    const hold = { campaignId, device, expiresAtMs };
    if (caps.length === 0) {
      this.#uncapped.add(hold);
      return hold;
    }
    if (performance.now() < this.#pausedUntilMs || (this.#unread.get(campaignId) ?? 0) > atMs) return null;
    const fullUntilMs = this.#full.get(`${campaignId} ${device}`) ?? 0;
    if (fullUntilMs > atMs || !this.#deps.redis.epoch) return null;
    this.#asked.set(hold, { caps, atMs });
    return hold;
  }

  confirm(holds: readonly CapHold[]): Promise<ReadonlySet<CapHold>> | null {
    const asked = holds.filter((hold) => this.#asked.has(hold));
    return asked.length === 0 ? null : this.#confirm(asked);
  }

  async #confirm(holds: readonly CapHold[]): Promise<ReadonlySet<CapHold>> {
    const refused = new Set(holds);
    let isLate = false;
    const answers = holds.map(async (hold) => {
      const isHeld = await this.#take(hold).catch(() => false);
      if (isHeld && isLate) this.release(hold);
      else if (isHeld) refused.delete(hold);
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, CONFIRM_MS);
    });
    await Promise.race([Promise.all(answers), late]);
    clearTimeout(timer);
    this.#noteLate(isLate);
    isLate = true;
    return new Set(refused);
  }

  #noteLate(isLate: boolean): void {
    this.#late = isLate ? this.#late + 1 : 0;
    if (this.#late < MOST_LATE) return;
    this.#late = 0;
    this.#pausedUntilMs = performance.now() + PAUSE_MS;
  }

  async #take(hold: CapHold): Promise<boolean> {
    const { caps, atMs } = this.#asked.get(hold) ?? { caps: [], atMs: 0 };
    const outcome = await this.#run(RESERVE, hold, caps, atMs);
    if (outcome === 0) this.#unread.set(hold.campaignId, atMs + UNREAD_MS);
    if (outcome === 1) this.#full.set(`${hold.campaignId} ${hold.device}`, this.#fullUntil(caps, atMs));
    return outcome === 2;
  }

  /** A place may become free at any time; a count is 0 again in the next hour. */
  #fullUntil(caps: readonly FrequencyCap[], atMs: number): number {
    const hasHour = caps.some(({ period }) => period === "hour");
    const periodMs = PERIOD_MS[hasHour ? "hour" : "day"];
    return Math.min(atMs + (this.#deps.fullMs ?? FULL_MS), (Math.floor(atMs / periodMs) + 1) * periodMs);
  }

  release(hold: CapHold): void {
    if (this.#uncapped.has(hold)) return;
    this.#full.delete(`${hold.campaignId} ${hold.device}`);
    // Whatever is not released ends by itself.
    this.#run(RELEASE, hold, [], 0).catch(() => undefined);
  }

  async shown(hold: CapHold, caps: readonly FrequencyCap[], atMs: number): Promise<boolean> {
    if (atMs < this.#forgottenBeforeMs && caps.length > 0) return false;
    const outcome = await this.#run(SHOWN, hold, caps, atMs);
    if (outcome === 0) {
      this.#unread.set(hold.campaignId, atMs + UNREAD_MS);
      throw awayProblem();
    }
    return outcome === 2;
  }

  unshow(hold: CapHold, atMs: number): void {
    this.#full.delete(`${hold.campaignId} ${hold.device}`);
    // Should Redis not hear of it, the campaign shows one ad less.
    this.#run(UNSHOW, hold, [], atMs).catch(() => undefined);
  }

  async restore(read: ReadImpressions, nowMs: number): Promise<void> {
    for (const id of this.#unread.keys()) {
      const outcome = await this.#deps.redis.run(
        START_READING,
        [stateKey(id), readingKey(id)],
        [this.#reader, READING_MS],
      );
      if (outcome === 0) this.#unread.delete(id);
      if (outcome === 1) await this.#read(id, read, nowMs);
    }
  }

  async #read(id: number, read: ReadImpressions, nowMs: number): Promise<void> {
    const { redis, everyoneShipped } = this.#deps;
    let isDone = false;
    try {
      // No process counts this campaign now, and each has stored what it showed before.
      await everyoneShipped();
      const sinceMs = Math.floor((nowMs - LATE_MS) / PERIOD_MS.day) * PERIOD_MS.day;
      await this.#load(id, read([id], sinceMs), nowMs);
      isDone = true;
    } finally {
      await redis.run(END_READING, [readingKey(id), stateKey(id)], [this.#reader, isDone ? 1 : 0]);
      if (isDone) this.#unread.delete(id);
    }
  }

  async #load(id: number, impressions: ReturnType<ReadImpressions>, nowMs: number): Promise<void> {
    const totals = new Map<string, { count: number; seconds: number }>();
    const devices = new Map<string, { key: string; device: string; count: number; seconds: number }>();
    for await (const { device, atMs } of impressions) {
      for (const period of PERIODS) {
        const seconds = keptSeconds(period, atMs, nowMs);
        if (seconds <= 0) continue;
        const total = totalKey(id, period, atMs);
        totals.set(total, { count: (totals.get(total)?.count ?? 0) + 1, seconds });
        const key = deviceKey(id, period, atMs, device);
        const name = `${key} ${device}`;
        devices.set(name, { key, device, count: (devices.get(name)?.count ?? 0) + 1, seconds });
      }
    }
    const load = async (keys: string[], args: (string | number)[]) => {
      const outcome = await this.#deps.redis.run(
        LOAD_COUNTS,
        [readingKey(id), ...keys],
        [this.#reader, READING_MS, ...args],
      );
      if (outcome !== 1) throw awayProblem();
    };
    const all = [...totals];
    await load(
      all.map(([key]) => key),
      [all.length, ...all.flatMap(([, { count, seconds }]) => [seconds, count])],
    );
    const each = [...devices.values()];
    for (let from = 0; from < each.length; from += AT_ONCE) {
      const some = each.slice(from, from + AT_ONCE);
      await load(
        some.map(({ key }) => key),
        [0, ...some.flatMap(({ seconds, device, count }) => [seconds, device, count])],
      );
    }
  }

  forget(nowMs: number): void {
    this.#forgottenBeforeMs = nowMs - LATE_MS;
  }

  #run(
    script: Script,
    { campaignId, device, expiresAtMs }: CapHold,
    caps: readonly FrequencyCap[],
    atMs: number,
  ): Promise<unknown> {
    const limit = (per: FrequencyCap["per"], period: Period) => {
      const limits = caps.flatMap((cap) => (cap.per === per && cap.period === period ? [cap.impressions] : []));
      return limits.length === 0 ? 0 : Math.min(...limits);
    };
    return this.#deps.redis.run(
      script,
      [
        stateKey(campaignId),
        `cap:${campaignId}:held`,
        `cap:${campaignId}:held:${device}`,
        ...PERIODS.map((period) => totalKey(campaignId, period, atMs)),
        ...PERIODS.map((period) => deviceKey(campaignId, period, atMs, device)),
      ],
      [
        device,
        atMs,
        expiresAtMs,
        ...PERIODS.map((period) => limit("all", period)),
        ...PERIODS.map((period) => limit("user", period)),
        ...PERIODS.map((period) => keptSeconds(period, atMs, atMs)),
      ],
    );
  }
}

const stateKey = (campaignId: number): string => `cap:${campaignId}`;
const readingKey = (campaignId: number): string => `cap:${campaignId}:reading`;
const nth = (period: Period, atMs: number): string => `${period[0]}${Math.floor(atMs / PERIOD_MS[period])}`;
const totalKey = (campaignId: number, period: Period, atMs: number): string => `cap:${campaignId}:${nth(period, atMs)}`;
const deviceKey = (campaignId: number, period: Period, atMs: number, device: string): string =>
  `${totalKey(campaignId, period, atMs)}:${BigInt(device) % SHARDS}`;

/** For how long a count is still of use, in seconds; 0 or less if its period is over. */
const keptSeconds = (period: Period, atMs: number, nowMs: number): number =>
  Math.ceil(((Math.floor(atMs / PERIOD_MS[period]) + 1) * PERIOD_MS[period] + LATE_MS - nowMs) / 1000);
