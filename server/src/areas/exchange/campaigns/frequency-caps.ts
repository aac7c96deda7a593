import type { FrequencyCap } from "@millrace/contract";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import { Problem } from "../../../platform/http/problem.ts";
import { DeviceCounts } from "./device-counts.ts";
import { HeldAds } from "./held-ads.ts";

/** A place below the caps for an ad that was returned. Its beacon token has the same three facts. */
export interface CapHold {
  campaignId: number;
  /** The device's keyed hash, as a decimal string. */
  device: string;
  expiresAtMs: number;
}

/** A counted impression of a campaign. */
export interface CampaignImpression {
  campaignId: number;
  device: string;
  atMs: number;
}

/** Reads the stored impressions of these campaigns since a moment, once each, including those on their way to the store. */
export type ReadImpressions = (campaignIds: readonly number[], sinceMs: number) => AsyncIterable<CampaignImpression>;

/**
 * Counts what campaigns with frequency caps have shown by UTC day and UTC hour, per device and in all, so that no cap is ever
 * exceeded. A campaign's earlier impressions of the day are read when it is first used, after a start or when it gets a cap.
 * Until then it gets no hold and its beacons are deferred. Campaigns without caps are not counted. Times are epoch
 * milliseconds.
 */
export interface FrequencyCaps {
  /**
   * Takes a place for one more ad, until it is shown, released or expired. Null if that could exceed a cap, should all
   * ads that are held be shown too. The place counts once `confirm` has not refused it.
   */
  reserve(
    campaignId: number,
    caps: readonly FrequencyCap[],
    device: string,
    atMs: number,
    expiresAtMs: number,
  ): CapHold | null;
  /** Asks the other processes for places. Resolves with those that are refused; null if there is nothing to ask. */
  confirm(holds: readonly CapHold[]): Promise<ReadonlySet<CapHold>> | null;
  /** Gives the place of an ad back that will not be shown; at most once for each hold. */
  release(hold: CapHold): void;
  /**
   * Counts an impression, whose event must be stored with the same time. False if it would exceed a cap: then it is not
   * billed. Rejects with Problem `unavailable` while earlier impressions are unknown.
   */
  shown(hold: CapHold, caps: readonly FrequencyCap[], atMs: number): Promise<boolean>;
  /** Takes an impression back that could not be stored; its beacon may come again. */
  unshow(hold: CapHold, atMs: number): void;
  /** Reads the earlier impressions of the campaigns that wait for it. If reading fails, they go on waiting. */
  restore(read: ReadImpressions, nowMs: number): Promise<void>;
  /** Forgets what no cap asks for any more. */
  forget(nowMs: number): void;
}

export const PERIOD_MS = { day: DAY_MS, hour: HOUR_MS } as const satisfies Record<FrequencyCap["period"], number>;
/** An impression of a past period can come this late: its beacon was being handled when the period ended. */
export const LATE_MS = 300_000;
/** As long as an impression takes at most from its count to the journal. */
const STORING_MS = 30_000;
/** A campaign that nobody asked for this long is forgotten, and read again at its next use. */
const IDLE_MS = 2 * DAY_MS;

/** Counts in the memory of the only process. */
export class MemoryFrequencyCaps implements FrequencyCaps {
  readonly #campaigns = new Map<number, CampaignCounts>();
  /** When a campaign last showed an ad that was not counted in full, because none of its caps asked for it. */
  readonly #lastUncountedMs = new Map<number, number>();

  reserve(
    campaignId: number,
    caps: readonly FrequencyCap[],
    device: string,
    atMs: number,
    expiresAtMs: number,
  ): CapHold | null {
    const hold = { campaignId, device, expiresAtMs };
    if (caps.length === 0) return hold;
    const counts = this.#countsOf(campaignId, caps, atMs);
    if (!counts.isRead) return null;
    counts.held.expire(atMs);
    const fits = (cap: FrequencyCap) =>
      counts.shown(cap, device, atMs) + (cap.per === "user" ? counts.held.of(device) : counts.held.size) <
      cap.impressions;
    if (!caps.every(fits)) return null;
    counts.held.add(device, expiresAtMs);
    return hold;
  }

  confirm(): null {
    return null;
  }

  release({ campaignId, device, expiresAtMs }: CapHold): void {
    this.#campaigns.get(campaignId)?.held.remove(device, expiresAtMs);
  }

  async shown(hold: CapHold, caps: readonly FrequencyCap[], atMs: number): Promise<boolean> {
    const { campaignId, device, expiresAtMs } = hold;
    const counts = caps.length > 0 ? this.#countsOf(campaignId, caps, atMs) : this.#campaigns.get(campaignId);
    if (counts?.byDevice !== true) this.#lastUncountedMs.set(campaignId, atMs);
    if (!counts) return true;
    if (!counts.isRead && caps.length === 0) {
      // The campaign has lost its caps. Should it get one again, this impression is among those to read.
      this.#campaigns.delete(campaignId);
      return true;
    }
    if (!counts.isRead)
      throw new Problem("unavailable", "Still reading what the campaign has shown", { retryAfterSeconds: 2 });
    counts.held.remove(device, expiresAtMs);
    if (caps.some((cap) => counts.shown(cap, device, atMs) >= cap.impressions)) return false;
    counts.add(device, atMs, 1);
    return true;
  }

  unshow({ campaignId, device, expiresAtMs }: CapHold, atMs: number): void {
    const counts = this.#campaigns.get(campaignId);
    if (counts?.isRead !== true) return;
    counts.add(device, atMs, -1);
    counts.held.add(device, expiresAtMs);
  }

  async restore(read: ReadImpressions, nowMs: number): Promise<void> {
    const waiting = new Map(
      [...this.#campaigns].filter(
        ([id, { isRead }]) => !isRead && (this.#lastUncountedMs.get(id) ?? -Infinity) + STORING_MS <= nowMs,
      ),
    );
    if (waiting.size === 0) return;
    const fresh = new Map(
      [...waiting].map(([id, { byDevice, held }]) => [id, new CampaignCounts(byDevice, held, nowMs)]),
    );
    const sinceMs = Math.floor((nowMs - LATE_MS) / DAY_MS) * DAY_MS;
    for await (const { campaignId, device, atMs } of read([...waiting.keys()], sinceMs))
      fresh.get(campaignId)?.add(device, atMs, 1);
    for (const [id, counts] of fresh) {
      // Replaced while this was read, because a new cap needs more than was asked for.
      if (this.#campaigns.get(id) !== waiting.get(id)) continue;
      counts.isRead = true;
      this.#campaigns.set(id, counts);
    }
  }

  forget(nowMs: number): void {
    for (const [id, counts] of this.#campaigns) {
      counts.forget(nowMs);
      if (counts.usedAtMs + IDLE_MS < nowMs) this.#campaigns.delete(id);
    }
    for (const [id, atMs] of this.#lastUncountedMs) if (atMs + STORING_MS < nowMs) this.#lastUncountedMs.delete(id);
  }

  #countsOf(campaignId: number, caps: readonly FrequencyCap[], atMs: number): CampaignCounts {
    const known = this.#campaigns.get(campaignId);
    const byDevice = caps.some(({ per }) => per === "user");
    if (known && (known.byDevice || !byDevice)) {
      known.usedAtMs = Math.max(known.usedAtMs, atMs);
      return known;
    }
    const counts = new CampaignCounts(byDevice, known?.held ?? new HeldAds(), atMs);
    this.#campaigns.set(campaignId, counts);
    return counts;
  }
}

interface PeriodCounts {
  all: number;
  devices: DeviceCounts;
}

/** What one campaign has shown in the days and hours that are not over, and what may still be shown. */
class CampaignCounts {
  /** Whether its earlier impressions are in it. */
  isRead = false;
  readonly byDevice: boolean;
  readonly held: HeldAds;
  usedAtMs: number;
  readonly #periods = { day: new Map<number, PeriodCounts>(), hour: new Map<number, PeriodCounts>() };
  /** Nothing is known of periods that were over then. */
  #knownFromMs: number;

  constructor(byDevice: boolean, held: HeldAds, atMs: number) {
    this.byDevice = byDevice;
    this.held = held;
    this.usedAtMs = atMs;
    this.#knownFromMs = atMs - LATE_MS;
  }

  /** Impressions in the cap's period around a moment; infinitely many in a period that is forgotten. */
  shown({ per, period }: FrequencyCap, device: string, atMs: number): number {
    if (atMs < this.#knownFromMs) return Infinity;
    const counts = this.#periods[period].get(Math.floor(atMs / PERIOD_MS[period]));
    if (!counts) return 0;
    return per === "all" ? counts.all : counts.devices.of(device);
  }

  add(device: string, atMs: number, change: 1 | -1): void {
    for (const period of ["day", "hour"] as const) {
      const nth = Math.floor(atMs / PERIOD_MS[period]);
      if (this.#isOver(period, nth)) continue;
      let counts = this.#periods[period].get(nth);
      if (!counts) this.#periods[period].set(nth, (counts = { all: 0, devices: new DeviceCounts() }));
      counts.all += change;
      if (this.byDevice) counts.devices.add(device, change);
    }
  }

  forget(nowMs: number): void {
    this.held.expire(nowMs);
    this.#knownFromMs = Math.max(this.#knownFromMs, nowMs - LATE_MS);
    for (const period of ["day", "hour"] as const) {
      for (const nth of this.#periods[period].keys()) if (this.#isOver(period, nth)) this.#periods[period].delete(nth);
    }
  }

  #isOver(period: FrequencyCap["period"], nth: number): boolean {
    return (nth + 1) * PERIOD_MS[period] <= this.#knownFromMs;
  }
}
