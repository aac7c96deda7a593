import { randomBytes } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { EventSink } from "../../statistics/index.ts";
import { openToken } from "../delivery/beacon-token.ts";
import type { Keyring } from "../delivery/secrets.ts";
import type { Tally } from "../metrics.ts";
import type { Notices } from "../notices/notices.ts";
import { adEventRow, forgedEventRow } from "./event-rows.ts";
import { type InvalidReason, invalidReason } from "./invalid-traffic.ts";
import type { MinuteCounts } from "./minute-counts.ts";
import type { SeenEvents } from "./seen-events.ts";

export interface BeaconDeps {
  keyring: Keyring;
  events: EventSink;
  seen: SeenEvents;
  notices: Notices;
  counts: MinuteCounts;
  tally: Pick<Tally, "invalid">;
  clock: Clock;
  log: Log;
}

/** Who sent a beacon. */
export interface Sender {
  userAgent: string;
  address: string;
}

export type BeaconOutcome =
  | { result: "counted" }
  /** Kept once, and not again. */
  | { result: "repeated" }
  | { result: "invalid"; reason: InvalidReason };

/** A click may overtake its impression on the way; it is not called a click on nothing before this has passed. */
const IMPRESSION_WAIT_MS = 1500;
const IMPRESSION_LOOK_MS = 50;
const MAX_WAITING = 1000;
/** Invalid beacons that are kept in a minute for one token or one address: enough to see an attack, too few to feed one. */
const MAX_KEPT_INVALID = 5;
let waiting = 0;

/**
 * Takes an impression or a click: checked, held against what was seen, classified, and kept for good before this resolves.
 * Rejects with Problem `unavailable` when it cannot be kept; the sender tries again.
 */
export async function takeBeacon(
  deps: BeaconDeps,
  kind: "impression" | "click",
  token: string,
  sender: Sender,
): Promise<BeaconOutcome> {
  const { keyring, clock, seen } = deps;
  const opened = openToken(keyring, kind, token);
  if (!opened) return keepInvalid(deps, "forged", sender.address, (id, at) => forgedEventRow(kind, id, at));
  const { facts, eventIds } = opened;
  const eventId = eventIds[kind];
  const rowOf = (reason: InvalidReason | null) => (id: string, at: number) => adEventRow(kind, facts, id, at, reason);
  const now = clock.now();
  if (now > facts.expiresAtMs) return keepInvalid(deps, "expired", eventId, rowOf("expired"));
  if (await seen.has(eventId, facts.issuedAtMs)) {
    await keepInvalid(deps, "replayed", eventId, rowOf("replayed"));
    return { result: "repeated" };
  }
  const hasImpression = kind === "impression" || (await impressionOf(seen, eventIds.impression, facts.issuedAtMs));
  const keys = [`${kind} of ${facts.device}`, `${kind} from ${sender.address}`];
  const [ofDevice = 0, ofAddress = 0] = keys.map((key) => deps.counts.begin(key, now));
  const ageMs = now - facts.issuedAtMs;
  const { userAgent } = sender;
  const reason = invalidReason({ kind, isTest: facts.test, userAgent, ageMs, hasImpression, ofDevice, ofAddress });
  let isKept = false;
  try {
    // One that does not count leaves the place to one that does.
    const outcome = reason === null ? await keepOnce() : await keepInvalid(deps, reason, eventId, rowOf(reason));
    isKept = outcome.result !== "repeated";
    return outcome;
  } finally {
    // A sender tries again what was refused, and again: only what is kept brings it nearer to a limit.
    for (const key of keys) deps.counts.end(key, clock.now(), isKept);
  }

  async function keepOnce(): Promise<BeaconOutcome> {
    const row = adEventRow(kind, facts, eventId, now, null);
    const kept = await seen.once(eventId, facts.issuedAtMs, () => deps.events.append("events", row));
    if (kept === "repeated") return { result: "repeated" };
    if (kind === "impression") deps.notices.onImpression(facts);
    return { result: "counted" };
  }
}

/** Keeps an invalid event's row, or, beyond the first few about the same token or address, its count alone. */
async function keepInvalid(
  { events, counts, tally, clock }: BeaconDeps,
  reason: InvalidReason,
  about: string,
  rowOf: (eventId: string, atMs: number) => Parameters<typeof events.append<"events">>[1],
): Promise<BeaconOutcome> {
  const now = clock.now();
  const key = `invalid ${reason} ${about}`;
  let isKept = false;
  try {
    if (counts.begin(key, now) <= MAX_KEPT_INVALID) {
      await events.append("events", rowOf(`x${randomBytes(12).toString("base64url")}`, now));
    }
    isKept = true;
  } finally {
    counts.end(key, clock.now(), isKept);
  }
  tally.invalid.set(reason, (tally.invalid.get(reason) ?? 0) + 1);
  return { result: "invalid", reason };
}

async function impressionOf(seen: SeenEvents, impressionId: string, issuedAtMs: number): Promise<boolean> {
  if (await seen.has(impressionId, issuedAtMs)) return true;
  if (waiting >= MAX_WAITING) return false;
  waiting++;
  try {
    const end = performance.now() + IMPRESSION_WAIT_MS;
    while (performance.now() < end) {
      await new Promise((resolve) => {
        setTimeout(resolve, IMPRESSION_LOOK_MS);
      });
      if (await seen.has(impressionId, issuedAtMs)) return true;
    }
    return false;
  } finally {
    waiting--;
  }
}
