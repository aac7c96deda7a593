import { randomBytes } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import { networkOf } from "../../../platform/http/network-of.ts";
import type { Log } from "../../../platform/log.ts";
import { type EventRow, type EventSink, placeId } from "../../statistics/index.ts";
import { type CampaignBilling, isPaidFor, isTooLate } from "../campaigns/campaign-billing.ts";
import type { AdFacts, OpenedToken } from "../delivery/beacon-token.ts";
import { recordedImpId } from "../delivery/recorded-imp-id.ts";
import type { Keyring } from "../delivery/secrets.ts";
import type { Client } from "../http/client.ts";
import type { Notices } from "../notices/notices.ts";
import type { DroppedEvents } from "./dropped-events.ts";
import type { EarlyClicks } from "./early-clicks.ts";
import { adEventRow, forgedEventRow } from "./event-rows.ts";
import { type InvalidReason, invalidReason } from "./invalid-traffic.ts";
import { type CountKey, type Counted, type MinuteCounts, countKey } from "./minute-counts.ts";
import type { Claim, SeenEvents } from "./seen-events.ts";
import type { RecentEvents } from "./take-player-event.ts";
import type { WatchTimes } from "./take-reward.ts";

export interface BeaconDeps {
  keyring: Keyring;
  events: EventSink;
  seen: SeenEvents;
  earlyClicks: EarlyClicks;
  notices: Notices;
  counts: MinuteCounts;
  /** Impressions and clicks that do not count. Only the first few of a flood are also stored as rows. */
  tally: { invalid: Map<InvalidReason, number> };
  /** The others of a flood, by app. */
  dropped: Pick<DroppedEvents, "add">;
  /** The latest player events. */
  recentEvents: RecentEvents;
  watched: WatchTimes;
  /** Bills campaigns' impressions; without it, none of them counts. */
  billing: Pick<CampaignBilling, "bill" | "takeBack"> | null;
  /** Called for an ad that was skipped or could not be shown. */
  onLoss(facts: AdFacts): void;
  /** Called once for each counted impression, after it is stored. */
  onImpression(facts: AdFacts): void;
  clock: Clock;
  log: Log;
}

/** Who sent a beacon. */
export interface Sender {
  userAgent: string;
  address: string;
}

/** `viewer` is the device for which a server reports. */
export const senderOf = ({ ip }: Client, { userAgent }: Client): Sender => ({ userAgent, address: networkOf(ip) });

/** Invalid beacons stored per minute for one token or address: enough to investigate an attack, too few to fill a disk. */
const MAX_KEPT_INVALID = 5;

export type EventOutcome =
  | { result: "counted" }
  /** Identifies the event: it is stored once. */
  | { result: "repeated" }
  | { result: "invalid"; reason: InvalidReason };

/** An impression or click with a valid token. */
export interface AdEvent extends OpenedToken {
  kind: "impression" | "click";
}

/**
 * Events on their way to the journal. They are classified in turn, synchronously, so that no other request's event comes
 * between them, and then stored together or not at all.
 */
export class EventDraft {
  readonly #deps: BeaconDeps;
  readonly #sender: Sender;
  readonly #now: number;
  /** By the id of their event. */
  readonly #rows = new Map<string, EventRow>();
  readonly #claims = new Map<string, Claim>();
  /** Counts against limits, which apply once the events are stored. */
  readonly #counted: CountKey[] = [];
  readonly #invalid: InvalidReason[] = [];
  readonly #dropped: EventRow[] = [];
  readonly #shown: AdEvent[] = [];
  readonly #clicks: AdEvent[] = [];
  /** Events that were added, and turned out not to count when their campaigns were billed. */
  readonly #refused = new Map<string, InvalidReason>();
  /** Other requests that are storing the same events right now. */
  readonly #others: Promise<unknown>[] = [];

  constructor(deps: BeaconDeps, sender: Sender) {
    this.#deps = deps;
    this.#sender = sender;
    this.#now = deps.clock.now();
  }

  addForged(kind: "impression" | "click"): EventOutcome {
    return this.#addInvalid("forged", this.#sender.address, (id, at) => forgedEventRow(kind, id, at));
  }

  /** Adds an impression or a click: deduplicates and classifies it. */
  addAdEvent(event: AdEvent): EventOutcome {
    const { kind, facts, eventIds } = event;
    const id = eventIds[kind];
    const invalid = (reason: InvalidReason) =>
      this.#addInvalid(reason, id, (rowId, at) => adEventRow(kind, facts, rowId, at, reason));
    if (this.#now > facts.expiresAtMs) return invalid("expired");
    if (kind === "impression" && isTooLate(facts, this.#now)) return invalid("expired");
    if (this.#isRepeated({ id, issuedAtMs: facts.issuedAtMs })) {
      // Our SDK reports the click of a campaign's ad, and its link leads through our click address as well.
      const isExpected = kind === "click" && facts.campaign !== null && this.#count("again", id) === 1;
      if (!isExpected) invalid("replayed");
      return { result: "repeated" };
    }
    const reason = invalidReason({
      kind,
      isTest: facts.test,
      userAgent: this.#sender.userAgent,
      ageMs: this.#now - facts.issuedAtMs,
      hasImpression: kind === "impression" || this.#isKept(eventIds.impression, facts.issuedAtMs),
      ofDevice: this.#count(`${kind} of`, facts.device),
      ofAddress: this.#count(`${kind} from`, this.#sender.address),
    });
    // An event that does not count must not block a later one that does.
    if (reason !== null) return invalid(reason);
    const place = kind === "impression" ? placeOf(facts) : null;
    if (place !== null && this.#isRepeated(place)) return invalid("other_ad_shown");
    this.#add({ id, issuedAtMs: facts.issuedAtMs }, adEventRow(kind, facts, id, this.#now, null));
    if (place !== null) this.#claims.set(place.id, place);
    (kind === "impression" ? this.#shown : this.#clicks).push(event);
    return { result: "counted" };
  }

  /** Once kept: why an added impression or click does not count after all; null if it does. */
  refusalOf({ kind, eventIds }: AdEvent): InvalidReason | null {
    return this.#refused.get(eventIds[kind]) ?? null;
  }

  /** Adds an event that is only deduplicated. */
  addEvent(claim: Claim, row: EventRow): EventOutcome {
    if (this.#isRepeated(claim)) return { result: "repeated" };
    this.#add(claim, row);
    return { result: "counted" };
  }

  /**
   * Stores the added events. Rejects with Problem `unavailable` if that fails, or with `StoredElsewhere` if they must be
   * classified again; then none of them has happened.
   */
  async keep(): Promise<void> {
    const { seen, counts, clock, tally } = this.#deps;
    let isKept = false;
    try {
      if (this.#rows.size > 0) await seen.claim([...this.#claims.values()], () => this.#store());
      if (this.#others.length > 0) await Promise.all(this.#others);
      isKept = true;
    } finally {
      // Senders retry what was refused. Only stored events may bring them closer to a limit.
      for (const key of this.#counted) counts.end(key, clock.now(), isKept);
    }
    for (const row of this.#dropped) this.#deps.dropped.add(row);
    for (const reason of this.#invalid) tally.invalid.set(reason, (tally.invalid.get(reason) ?? 0) + 1);
  }

  /** Bills and stores. Resolves with the ids of the events that do not count after all. */
  async #store(): Promise<ReadonlySet<string>> {
    const { events, notices, billing, watched, onImpression } = this.#deps;
    const own = this.#shown.filter(({ facts }) => isPaidFor(facts));
    if (own.length > 0) await this.#bill(own);
    const isCounted = ({ eventIds }: AdEvent) => !this.#refused.has(eventIds.impression);
    const shown = this.#refused.size === 0 ? this.#shown : this.#shown.filter(isCounted);
    try {
      await notices.withImpressions(shown, () => events.appendAll("events", [...this.#rows.values()]), this.#now);
    } catch (error) {
      const billed = own.filter(isCounted).map(({ facts }) => facts);
      if (billed.length > 0) await billing?.takeBack(billed, this.#now);
      throw error;
    }
    for (const { facts, eventIds } of shown) {
      if (facts.format === "rewarded") watched.set(eventIds.impression, this.#now);
      onImpression(facts);
    }
    return new Set(this.#refused.keys());
  }

  /** Bills campaigns' impressions. Those that cannot be billed do not count, nor do their clicks. */
  async #bill(own: readonly AdEvent[]): Promise<void> {
    const facts = own.map((event) => event.facts);
    const results = await this.#deps.billing?.bill(facts, this.#now);
    for (const [nth, event] of own.entries()) {
      const reason = results === undefined ? "over_budget" : (results[nth] ?? null);
      if (reason === null) continue;
      this.#refuse(event, reason);
      const click = this.#clicks.find(({ eventIds }) => eventIds.click === event.eventIds.click);
      if (click) this.#refuse(click, "click_without_impression");
    }
  }

  #refuse({ kind, facts, eventIds }: AdEvent, reason: InvalidReason): void {
    const id = eventIds[kind];
    this.#rows.delete(id);
    this.#refused.set(id, reason);
    // Another ad may still be shown there.
    if (kind === "impression") this.#refused.set(placeOf(facts).id, reason);
    this.#addInvalid(reason, id, (rowId, at) => adEventRow(kind, facts, rowId, at, reason));
  }

  /** Discards the added events. */
  drop(): void {
    for (const key of this.#counted) this.#deps.counts.end(key, this.#now, false);
  }

  #add(claim: Claim, row: EventRow): void {
    this.#deps.seen.assertKnown(claim.issuedAtMs);
    this.#claims.set(claim.id, claim);
    this.#rows.set(claim.id, row);
  }

  #isKept(id: string, issuedAtMs: number): boolean {
    return this.#claims.has(id) || this.#deps.seen.look(id, issuedAtMs) === "kept";
  }

  #isRepeated({ id, issuedAtMs }: Claim): boolean {
    if (this.#claims.has(id)) return true;
    const known = this.#deps.seen.look(id, issuedAtMs);
    if (known instanceof Promise) this.#others.push(known);
    return known !== "new";
  }

  /** Adds the row of an invalid event. Beyond the first few of a token or address, only counts it. */
  #addInvalid(reason: InvalidReason, about: string, rowOf: (eventId: string, atMs: number) => EventRow): EventOutcome {
    if (this.#count("invalid", `${reason} ${about}`) <= MAX_KEPT_INVALID) {
      const id = `x${randomBytes(12).toString("base64url")}`;
      this.#rows.set(id, rowOf(id, this.#now));
    } else {
      this.#dropped.push(rowOf("", this.#now));
    }
    this.#invalid.push(reason);
    return { result: "invalid", reason };
  }

  #count(counted: Counted, holder: string): number {
    const key = countKey(counted, holder);
    this.#counted.push(key);
    return this.#deps.counts.begin(key, this.#now);
  }
}

/** The place that an ad fills: an answer holds several ads to choose from, and one of them is paid. */
const placeOf = ({ auctionId, impId, issuedAtMs }: AdFacts): Claim => ({
  id: placeId(auctionId, recordedImpId(impId)),
  issuedAtMs,
});
