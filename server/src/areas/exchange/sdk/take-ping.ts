import type { ReplyInput, sdkPing } from "@millrace/contract";
import type { EventRow, EventSink } from "../../statistics/index.ts";
import { sessionEventRow } from "../beacons/event-rows.ts";
import type { Claim, SeenEvents } from "../beacons/seen-events.ts";
import type { PingBody } from "./read-calls.ts";
import { type SessionDeps, sessionOf, switchOf } from "./serve-ad.ts";

/** Tolerance for clocks of different servers. */
const GRACE_SECONDS = 5;

/** The event of a ping: foreground seconds, at most the session's age, once for each `seq`. Throws like `sessionOf`. */
export function pingEvent(
  deps: SessionDeps,
  body: PingBody,
): Pick<ReturnType<typeof sessionOf>, "session" | "app"> & { claim: Claim; row: EventRow } {
  const { session, app } = sessionOf(deps, body.session);
  const now = deps.clock.now();
  const passed = Math.max(0, Math.floor(now / 1000) - session.startedAt + GRACE_SECONDS);
  const claim = { id: `p${session.id}.${body.seq}`, issuedAtMs: session.startedAt * 1000 };
  return { session, app, claim, row: sessionEventRow("ping", session, claim.id, now, Math.min(body.seconds, passed)) };
}

interface PingDeps extends SessionDeps {
  beacons: { seen: SeenEvents };
  events: Pick<EventSink, "append">;
}

/** Adds a ping's seconds to its session. Resolves once they are stored. */
export async function takePing(deps: PingDeps, body: PingBody): Promise<ReplyInput<typeof sdkPing>> {
  const { claim, row, session, app } = pingEvent(deps, body);
  await deps.beacons.seen.once(claim.id, claim.issuedAtMs, () => deps.events.append("events", row));
  return { ok: true, ...switchOf(deps, app, session) };
}
