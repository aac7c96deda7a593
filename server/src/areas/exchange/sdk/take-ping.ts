import type { EventRow } from "../../statistics/index.ts";
import { sessionEventRow } from "../beacons/event-rows.ts";
import type { Claim } from "../beacons/seen-events.ts";
import type { ExchangeContext } from "../context.ts";
import type { PingBody } from "./read-calls.ts";
import { sessionOf } from "./serve-ad.ts";

/** A ping may come a little before the clock that started the session says so. */
const GRACE_SECONDS = 5;

/** A session's ping: foreground seconds, never more than have passed since its start, once for each `seq`. Problems as `sessionOf`. */
export function pingEvent(context: ExchangeContext, body: PingBody): { claim: Claim; row: EventRow } {
  const { session } = sessionOf(context, body.session);
  const now = context.clock.now();
  const passed = Math.max(0, Math.floor(now / 1000) - session.startedAt + GRACE_SECONDS);
  const claim = { id: `p${session.id}.${body.seq}`, issuedAtMs: session.startedAt * 1000 };
  return { claim, row: sessionEventRow("ping", session, claim.id, now, Math.min(body.seconds, passed)) };
}

/** Adds a ping's seconds to its session. Resolves once they are kept. */
export async function takePing(context: ExchangeContext, body: PingBody): Promise<void> {
  const { claim, row } = pingEvent(context, body);
  await context.beacons.seen.once(claim.id, claim.issuedAtMs, () => context.events.append("events", row));
}
