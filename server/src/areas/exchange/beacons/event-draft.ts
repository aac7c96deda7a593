import { randomBytes } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import { networkOf } from "../../../platform/http/network-of.ts";
import type { Log } from "../../../platform/log.ts";
import type { EventRow, EventSink } from "../../statistics/index.ts";
import type { AdFacts, OpenedToken } from "../delivery/beacon-token.ts";
import type { Keyring } from "../delivery/secrets.ts";
import type { Client } from "../http/client.ts";
import type { Notices } from "../notices/notices.ts";
import type { DroppedEvents } from "./dropped-events.ts";
import { adEventRow, forgedEventRow } from "./event-rows.ts";
import { type InvalidReason, invalidReason } from "./invalid-traffic.ts";
import { type CountKey, type MinuteCounts, countKey } from "./minute-counts.ts";
import type { Claim, SeenEvents } from "./seen-events.ts";
import type { ToldEvents } from "./take-player-event.ts";

export interface BeaconDeps {
  keyring: Keyring;
  events: EventSink;
  seen: SeenEvents;
  notices: Notices;
  counts: MinuteCounts;
  /** Impressions and clicks that do not count. Only the first few of a flood are also stored as rows. */
  tally: { invalid: Map<InvalidReason, number> };
  /** The others of a flood, by app. */
  dropped: Pick<DroppedEvents, "add">;
  /** The latest player events. */
  told: ToldEvents;
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

export const senderOf = ({ userAgent, ip }: Client): Sender => ({ userAgent, address: networkOf(ip) });

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
  readonly #rows: EventRow[] = [];
  readonly #claims = new Map<string, Claim>();
  /** Counts against limits, which apply once the events are stored. */
  readonly #counted: CountKey[] = [];
  readonly #invalid: InvalidReason[] = [];
  readonly #dropped: EventRow[] = [];
  readonly #shown: AdEvent[] = [];
  /** Other requests that are storing the same events right now. */
  readonly #others: Promise<void>[] = [];

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
    if (this.#isRepeated({ id, issuedAtMs: facts.issuedAtMs })) {
      invalid("replayed");
      return { result: "repeated" };
    }
    const reason = invalidReason({
      kind,
      isTest: facts.test,
      userAgent: this.#sender.userAgent,
      ageMs: this.#now - facts.issuedAtMs,
      hasImpression: kind === "impression" || this.#isKept(eventIds.impression, facts.issuedAtMs),
      ofDevice: this.#count(`${kind} of ${facts.device}`),
      ofAddress: this.#count(`${kind} from ${this.#sender.address}`),
    });
    // An event that does not count must not block a later one that does.
    if (reason !== null) return invalid(reason);
    this.#add({ id, issuedAtMs: facts.issuedAtMs }, adEventRow(kind, facts, id, this.#now, null));
    if (kind === "impression") this.#shown.push(event);
    return { result: "counted" };
  }

  /** Adds an event that is only deduplicated. */
  addEvent(claim: Claim, row: EventRow): EventOutcome {
    if (this.#isRepeated(claim)) return { result: "repeated" };
    this.#add(claim, row);
    return { result: "counted" };
  }

  /** Stores the added events. Rejects with Problem `unavailable` if that fails; then none of them has happened. */
  async keep(): Promise<void> {
    const { events, seen, counts, clock, tally, notices, onImpression } = this.#deps;
    let isKept = false;
    try {
      if (this.#rows.length > 0) {
        const kept = notices.withImpressions(this.#shown, () => events.appendAll("events", this.#rows));
        await seen.claim([...this.#claims.values()], kept);
        for (const { facts } of this.#shown) onImpression(facts);
      }
      if (this.#others.length > 0) await Promise.all(this.#others);
      isKept = true;
    } finally {
      // Senders retry what was refused. Only stored events may bring them closer to a limit.
      for (const key of this.#counted) counts.end(key, clock.now(), isKept);
    }
    for (const row of this.#dropped) this.#deps.dropped.add(row);
    for (const reason of this.#invalid) tally.invalid.set(reason, (tally.invalid.get(reason) ?? 0) + 1);
  }

  /** Discards the added events. */
  drop(): void {
    for (const key of this.#counted) this.#deps.counts.end(key, this.#now, false);
  }

  #add(claim: Claim, row: EventRow): void {
    this.#deps.seen.assertKnown(claim.issuedAtMs);
    this.#claims.set(claim.id, claim);
    this.#rows.push(row);
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
    if (this.#count(`invalid ${reason} ${about}`) <= MAX_KEPT_INVALID) {
      this.#rows.push(rowOf(`x${randomBytes(12).toString("base64url")}`, this.#now));
    } else {
      this.#dropped.push(rowOf("", this.#now));
    }
    this.#invalid.push(reason);
    return { result: "invalid", reason };
  }

  #count(what: string): number {
    const key = countKey(what);
    this.#counted.push(key);
    return this.#deps.counts.begin(key, this.#now);
  }
}
