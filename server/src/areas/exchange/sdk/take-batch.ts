import {
  EVENTS_PER_BATCH,
  MOST_PAID_MICROS,
  type ReplyInput,
  STEP_OUTCOMES,
  type StepOutcome,
  type sdkEvents,
} from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { BeaconDeps, EventOutcome, Sender } from "../beacons/event-draft.ts";
import { type OtherEvent, type SentBeacon, takeEvents } from "../beacons/take-events.ts";
import { takePlayerEvent } from "../beacons/take-player-event.ts";
import { openToken } from "../delivery/beacon-token.ts";
import { parseJson } from "../http/json.ts";
import { type PingBody, isPing } from "./read-calls.ts";
import type { SessionDeps } from "./serve-ad.ts";
import { pingEvent } from "./take-ping.ts";

export interface BatchDeps extends SessionDeps {
  beacons: BeaconDeps;
}

type Result = ReplyInput<typeof sdkEvents>["results"][number];

const ACCEPTED: Result = { result: "accepted" };
const DUPLICATE: Result = { result: "duplicate" };
const refused = (code: NonNullable<Result["code"]>): Result => ({ result: "refused", code });
const FORGED = refused("forged");
const EXPIRED = refused("expired");
const MALFORMED = refused("malformed");
const SESSION_UNKNOWN = refused("session_unknown");

/** The unchecked events of a batch. Throws Problem `invalid` if there are none or too many. */
export function readBatch(body: unknown): unknown[] {
  const value = parseJson(body);
  const events = typeof value === "object" && value !== null && "events" in value ? value.events : undefined;
  if (!Array.isArray(events)) throw new Problem("invalid", { events: "must be a list" });
  if (events.length < 1 || events.length > EVENTS_PER_BATCH) {
    throw new Problem("invalid", { events: `must have 1 to ${EVENTS_PER_BATCH} items` });
  }
  return events;
}

/**
 * Stores a batch of events with one sync, and returns the result of each. Rejects with Problem `unavailable` if they cannot
 * be stored; then none is acknowledged, and the batch can be retried.
 */
export async function takeBatch(deps: BatchDeps, events: readonly unknown[], sender: Sender): Promise<Result[]> {
  const results: (Result | null)[] = [];
  const beacons: (SentBeacon | OtherEvent)[] = [];
  const losses: (() => void)[] = [];
  const steps: Promise<void>[] = [];
  for (const event of events) {
    const read = readEvent(event);
    if (read === null) results.push(MALFORMED);
    else if (read.type === "ping") {
      const ping = knownPing(deps, read);
      if (ping) beacons.push((draft) => draft.addEvent(ping.claim, ping.row));
      results.push(ping ? null : SESSION_UNKNOWN);
    } else if (read.type === "loss") {
      const opened = openToken(deps.beacons.keyring, "loss", read.token);
      if (opened) losses.push(() => deps.beacons.onLoss(opened.facts));
      results.push(opened ? ACCEPTED : FORGED);
    } else if (read.type === "step") {
      const opened = openToken(deps.beacons.keyring, "player", read.token);
      if (opened) steps.push(takePlayerEvent(deps.beacons, opened, { event: read.outcome }, sender));
      results.push(opened ? ACCEPTED : FORGED);
    } else {
      beacons.push(read);
      results.push(null);
    }
  }
  const [outcomes] = await Promise.all([
    beacons.length === 0 ? [] : takeEvents(deps.beacons, beacons, sender),
    ...steps,
  ]);
  for (const tell of losses) tell();
  let next = 0;
  return results.map((result) => result ?? resultOf(outcomes[next++]));
}

function knownPing(deps: SessionDeps, ping: PingBody): ReturnType<typeof pingEvent> | null {
  try {
    return pingEvent(deps, ping);
  } catch (error) {
    const isGone = error instanceof Problem && (error.code === "unauthenticated" || error.code === "not_found");
    if (!isGone) throw error;
    return null;
  }
}

/** Invalid traffic is accepted like any other, so that its sender does not learn how it was detected. */
function resultOf(outcome: EventOutcome | undefined): Result {
  if (outcome?.result === "repeated") return DUPLICATE;
  if (outcome?.result !== "invalid") return ACCEPTED;
  return outcome.reason === "forged" ? FORGED : outcome.reason === "expired" ? EXPIRED : ACCEPTED;
}

const MAX_TOKEN = 8192;
type SentLoss = { type: "loss"; token: string };
type SentPing = { type: "ping" } & PingBody;
type SentStep = { type: "step"; token: string; outcome: StepOutcome };

const isPrice = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_PAID_MICROS;

/** Reads an event of the contract; null if it is malformed. */
function readEvent(event: unknown): SentBeacon | SentLoss | SentPing | SentStep | null {
  if (typeof event !== "object" || event === null || !("type" in event)) return null;
  if (event.type === "ping") return isPing(event) ? { ...event, type: "ping" } : null;
  if (!("token" in event) || typeof event.token !== "string") return null;
  const { type, token } = event;
  if (token === "" || token.length > MAX_TOKEN) return null;
  if (type === "step") {
    const outcome = STEP_OUTCOMES.find((each) => "outcome" in event && event.outcome === each);
    return outcome === undefined ? null : { type, token, outcome };
  }
  if (type === "click" || type === "loss") return { type, token };
  if (type !== "impression") return null;
  // The impression counts, whatever its SDK told of a price.
  const paidMicros = "paid_micros" in event ? event.paid_micros : undefined;
  return isPrice(paidMicros) ? { type, token, paidMicros } : { type, token };
}
