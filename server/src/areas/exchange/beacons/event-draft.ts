import { randomBytes } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import { networkOf } from "../../../platform/http/network-of.ts";
import type { Log } from "../../../platform/log.ts";
import type { EventRow, EventSink } from "../../statistics/index.ts";
import type { AdFacts, OpenedToken } from "../delivery/beacon-token.ts";
import type { Keyring } from "../delivery/secrets.ts";
import type { Client } from "../http/client.ts";
import type { Notices } from "../notices/notices.ts";
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
  /** What players have told. */
  told: ToldEvents;
  /** Called once for each counted impression, when it is kept. */
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

/** Invalid beacons that are kept in a minute for one token or one address: enough to see an attack, too few to feed one. */
const MAX_KEPT_INVALID = 5;

export type EventOutcome =
  | { result: "counted" }
  /** Kept once, and not again. */
  | { result: "repeated" }
  | { result: "invalid"; reason: InvalidReason };

/** An impression or click whose token is ours. */
export interface AdEvent extends OpenedToken {
  kind: "impression" | "click";
}

/**
 * Events on their way to the journal: decided one after the other without a pause, so that none slips in between, and
 * then kept together or not at all.
 */
export class EventDraft {
  readonly #deps: BeaconDeps;
  readonly #sender: Sender;
  readonly #now: number;
  readonly #rows: EventRow[] = [];
  readonly #claims = new Map<string, Claim>();
  /** What counts toward a limit, once it is kept. */
  readonly #counted: CountKey[] = [];
  readonly #invalid: InvalidReason[] = [];
  readonly #shown: AdEvent[] = [];
  /** Other requests that keep the same events at this moment. */
  readonly #others: Promise<void>[] = [];

  constructor(deps: BeaconDeps, sender: Sender) {
    this.#deps = deps;
    this.#sender = sender;
    this.#now = deps.clock.now();
  }

  addForged(kind: "impression" | "click"): EventOutcome {
    return this.#addInvalid("forged", this.#sender.address, (id, at) => forgedEventRow(kind, id, at));
  }

  /** An impression or a click: held against what was seen, and classified. */
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
    // One that does not count leaves the place to one that does.
    if (reason !== null) return invalid(reason);
    this.#add({ id, issuedAtMs: facts.issuedAtMs }, adEventRow(kind, facts, id, this.#now, null));
    if (kind === "impression") this.#shown.push(event);
    return { result: "counted" };
  }

  /** An event that nothing is asked of but that it is new. */
  addEvent(claim: Claim, row: EventRow): EventOutcome {
    if (this.#isRepeated(claim)) return { result: "repeated" };
    this.#add(claim, row);
    return { result: "counted" };
  }

  /** Keeps what was added. Rejects with Problem `unavailable` when it cannot be kept: then nothing of it has happened. */
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
      // A sender tries again what was refused, and again: only what is kept brings it nearer to a limit.
      for (const key of this.#counted) counts.end(key, clock.now(), isKept);
    }
    for (const reason of this.#invalid) tally.invalid.set(reason, (tally.invalid.get(reason) ?? 0) + 1);
  }

  /** Gives up what was added. */
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

  /** Adds the row of an invalid event, or, beyond the first few about the same token or address, its count alone. */
  #addInvalid(reason: InvalidReason, about: string, rowOf: (eventId: string, atMs: number) => EventRow): EventOutcome {
    if (this.#count(`invalid ${reason} ${about}`) <= MAX_KEPT_INVALID) {
      this.#rows.push(rowOf(`x${randomBytes(12).toString("base64url")}`, this.#now));
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
