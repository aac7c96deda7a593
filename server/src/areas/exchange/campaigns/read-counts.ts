import { LATE_MS, PERIOD_MS } from "./frequency-caps.ts";

export const PERIODS = ["day", "hour"] as const;
export type Period = (typeof PERIODS)[number];

/** Few devices share a hash, so that Redis keeps it compact. */
const SHARDS = 4096n;

export interface Total {
  count: number;
  /** How long it is kept. */
  seconds: number;
}
export interface DeviceTotal extends Total {
  key: string;
  device: string;
}

/** What was read of a campaign, as Redis has it. */
export class ReadCounts {
  /** In all, by key. */
  readonly totals = new Map<string, Total>();
  readonly devices = new Map<string, DeviceTotal>();
  readonly #id: number;
  readonly #nowMs: number;

  constructor(id: number, nowMs: number) {
    this.#id = id;
    this.#nowMs = nowMs;
  }

  add(device: string, atMs: number): void {
    for (const period of PERIODS) {
      const seconds = keptSeconds(period, atMs, this.#nowMs);
      if (seconds <= 0) continue;
      const total = totalKey(this.#id, period, atMs);
      this.totals.set(total, { count: (this.totals.get(total)?.count ?? 0) + 1, seconds });
      const key = deviceKey(this.#id, period, atMs, device);
      const name = `${key} ${device}`;
      this.devices.set(name, { key, device, count: (this.devices.get(name)?.count ?? 0) + 1, seconds });
    }
  }
}

export const stateKey = (campaignId: number): string => `cap:${campaignId}`;
export const readingKey = (campaignId: number): string => `cap:${campaignId}:reading`;
const nth = (period: Period, atMs: number): string => `${period[0]}${Math.floor(atMs / PERIOD_MS[period])}`;
export const totalKey = (campaignId: number, period: Period, atMs: number): string =>
  `cap:${campaignId}:${nth(period, atMs)}`;
export const deviceKey = (campaignId: number, period: Period, atMs: number, device: string): string =>
  `${totalKey(campaignId, period, atMs)}:${BigInt(device) % SHARDS}`;

/** For how long a count is still of use, in seconds; 0 or less if its period is over. */
export const keptSeconds = (period: Period, atMs: number, nowMs: number): number =>
  Math.ceil(((Math.floor(atMs / PERIOD_MS[period]) + 1) * PERIOD_MS[period] + LATE_MS - nowMs) / 1000);
