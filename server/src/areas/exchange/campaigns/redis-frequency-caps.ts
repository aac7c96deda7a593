import { randomUUID } from "node:crypto";
import type { FrequencyCap } from "@millrace/contract";
import { lruCache } from "../../../platform/lru-cache.ts";
import { awayProblem, type Script, type SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { END_READING, LOAD_COUNTS, RELEASE, RESERVE, SHOWN, START_READING, UNSHOW } from "./cap-scripts.ts";
import { type CapHold, type FrequencyCaps, LATE_MS, PERIOD_MS, type ReadImpressions } from "./frequency-caps.ts";
import {
  type DeviceTotal,
  PERIODS,
  type Period,
  ReadCounts,
  type Total,
  deviceKey,
  keptSeconds,
  readingKey,
  stateKey,
  totalKey,
} from "./read-counts.ts";

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
/** A reader that says nothing for so long is gone. */
const READING_MS = 60_000;
/** Campaigns that are read together: each reading looks at the events of all. */
const MOST_READ = 100;
const AT_ONCE = 2000;
interface Deps {
  redis: SharedRedis;
  /** Resolves once what all processes have stored so far can be read. */
  everyoneShipped(): Promise<void>;
  /** Replaces `CONFIRM_MS`. */
  confirmMs?: number;
  /** Replaces `FULL_MS`. */
  fullMs?: number;
  /** Replaces `READING_MS`. */
  readingMs?: number;
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
      }, this.#deps.confirmMs ?? CONFIRM_MS);
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
    const ids = [...this.#unread.keys()];
    for (let from = 0; from < ids.length; from += MOST_READ) {
      const begun: number[] = [];
      for (const id of ids.slice(from, from + MOST_READ)) {
        const outcome = await this.#deps.redis.run(
          START_READING,
          [stateKey(id), readingKey(id)],
          [this.#reader, this.#readingMs],
        );
        if (outcome === 0) this.#unread.delete(id);
        if (outcome === 1) begun.push(id);
      }
      if (begun.length > 0) await this.#read(begun, read, nowMs);
    }
  }

  get #readingMs(): number {
    return this.#deps.readingMs ?? READING_MS;
  }

  async #read(ids: readonly number[], read: ReadImpressions, nowMs: number): Promise<void> {
    const { redis, everyoneShipped } = this.#deps;
    const done = new Set<number>();
    // Millions of impressions may take longer than anybody waits for a silent reader.
    const telling = setInterval(() => {
      for (const id of ids) this.#load(id, [], [0]).catch(() => undefined);
    }, this.#readingMs / 4).unref();
    try {
      // No process counts these campaigns now, and each has stored what it showed before.
      await everyoneShipped();
      const sinceMs = Math.floor((nowMs - LATE_MS) / PERIOD_MS.day) * PERIOD_MS.day;
      const counts = new Map(ids.map((id) => [id, new ReadCounts(id, nowMs)]));
      for await (const { campaignId, device, atMs } of read(ids, sinceMs)) counts.get(campaignId)?.add(device, atMs);
      for (const [id, { totals, devices }] of counts) {
        await this.#loadAll(id, [...totals], [...devices.values()]);
        done.add(id);
      }
    } finally {
      clearInterval(telling);
      for (const id of ids) {
        await redis.run(END_READING, [readingKey(id), stateKey(id)], [this.#reader, done.has(id) ? 1 : 0]);
        if (done.has(id)) this.#unread.delete(id);
      }
    }
  }

  async #loadAll(
    id: number,
    totals: readonly (readonly [key: string, Total])[],
    devices: readonly DeviceTotal[],
  ): Promise<void> {
    await this.#load(
      id,
      totals.map(([key]) => key),
      [totals.length, ...totals.flatMap(([, { count, seconds }]) => [seconds, count])],
    );
    for (let from = 0; from < devices.length; from += AT_ONCE) {
      const some = devices.slice(from, from + AT_ONCE);
      await this.#load(
        id,
        some.map(({ key }) => key),
        [0, ...some.flatMap(({ seconds, device, count }) => [seconds, device, count])],
      );
    }
  }

  /** Loads counts, or none: either tells that the reader is still there. */
  async #load(id: number, keys: readonly string[], args: readonly (string | number)[]): Promise<void> {
    const outcome = await this.#deps.redis.run(
      LOAD_COUNTS,
      [readingKey(id), ...keys],
      [this.#reader, this.#readingMs, ...args],
    );
    if (outcome !== 1) throw awayProblem();
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
