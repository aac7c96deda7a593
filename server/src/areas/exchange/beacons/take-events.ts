import { openToken } from "../delivery/beacon-token.ts";
import { type AdEvent, type BeaconDeps, EventDraft, type EventOutcome, type Sender } from "./event-draft.ts";
import { StoredElsewhere } from "./seen-events.ts";

/** An impression or a click as received. */
export interface SentBeacon {
  type: "impression" | "click";
  token: string;
  /** What a line item's seller paid for it, as its SDK tells; see `SdkEvent`. */
  paidMicros?: number;
}

/** Any other event; it adds itself to the draft. */
export type OtherEvent = (draft: EventDraft) => EventOutcome;

/** More than so many times the stated price is not believed of an impression. */
const MOST_FACTOR = 5;

/**
 * Checks, deduplicates, classifies and stores events. Resolves with the outcome of each, in their order, once all are
 * durable. Rejects with Problem `unavailable` if they cannot be stored; the sender retries.
 */
export async function takeEvents(
  deps: BeaconDeps,
  sent: readonly (SentBeacon | OtherEvent)[],
  sender: Sender,
): Promise<EventOutcome[]> {
  const opened = sent.map((event) => (typeof event === "function" ? event : open(deps, event)));
  const early = earlyAmong(deps, opened);
  if (early.length > 0) await deps.earlyClicks.wait(early, sender);
  for (;;) {
    try {
      return await keepAll(deps, opened, sender);
    } catch (error) {
      // Each time, at least one more is known to be stored.
      if (!(error instanceof StoredElsewhere)) throw error;
    }
  }
}

async function keepAll(deps: BeaconDeps, opened: readonly Opened[], sender: Sender): Promise<EventOutcome[]> {
  const draft = new EventDraft(deps, sender);
  const outcomes: EventOutcome[] = [];
  try {
    // In a batch, an impression may come after its click.
    for (const clicksTurn of [false, true]) {
      opened.forEach((event, nth) => {
        if (isClick(event) === clicksTurn) outcomes[nth] = addTo(draft, event);
      });
    }
  } catch (error) {
    draft.drop();
    throw error;
  }
  await draft.keep();
  return outcomes.map((outcome, nth) => refusedOutcome(draft, opened[nth]) ?? outcome);
}

type Opened = AdEvent | { kind: "impression" | "click"; facts: null } | OtherEvent;

function open({ keyring }: BeaconDeps, { type: kind, token, paidMicros }: SentBeacon): Opened {
  const opened = openToken(keyring, kind, token);
  if (!opened) return { kind, facts: null };
  const { facts, eventIds, onImpression } = opened;
  if (paidMicros !== undefined && facts.campaign?.line) {
    // A device can say anything: one impression must not move its line item's price far.
    const most = MOST_FACTOR * facts.campaign.line.statedMicros;
    facts.campaign.line.paidMicros = Math.min(paidMicros, most);
  }
  return { kind, facts, eventIds, onImpression };
}

function addTo(draft: EventDraft, event: Opened): EventOutcome {
  if (typeof event === "function") return event(draft);
  return event.facts === null ? draft.addForged(event.kind) : draft.addAdEvent(event);
}

function refusedOutcome(draft: EventDraft, event: Opened | undefined): EventOutcome | null {
  if (event === undefined || typeof event === "function" || event.facts === null) return null;
  const reason = draft.refusalOf(event);
  return reason && { result: "invalid", reason };
}

const isClick = (event: Opened) => typeof event !== "function" && event.kind === "click";

/** Returns the clicks whose impressions are neither stored nor in the same batch. */
function earlyAmong({ seen, clock }: BeaconDeps, opened: readonly Opened[]): AdEvent[] {
  const beside = new Set<string>();
  const clicks: AdEvent[] = [];
  for (const event of opened) {
    if (typeof event === "function" || event.facts === null) continue;
    if (event.kind === "impression") beside.add(event.eventIds.impression);
    else clicks.push(event);
  }
  return clicks.filter(({ eventIds, facts }) => {
    const isKept = (id: string) => seen.look(id, facts.issuedAtMs) === "kept";
    if (clock.now() > facts.expiresAtMs || isKept(eventIds.click)) return false;
    return !isKept(eventIds.impression) && !beside.has(eventIds.impression);
  });
}
