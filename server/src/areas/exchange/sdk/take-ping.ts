import { sessionEventRow } from "../beacons/event-rows.ts";
import type { ExchangeContext } from "../context.ts";
import type { PingBody } from "./read-calls.ts";
import { sessionOf } from "./serve-ad.ts";

/** A ping may come a little before the clock that started the session says so. */
const GRACE_SECONDS = 5;

/** Adds foreground seconds to a session, once for each `seq`, and never more than have passed since its start. */
export async function takePing(context: ExchangeContext, body: PingBody): Promise<void> {
  const { session } = sessionOf(context, body.session);
  const now = context.clock.now();
  const passed = Math.max(0, Math.floor(now / 1000) - session.startedAt + GRACE_SECONDS);
  const seconds = Math.min(body.seconds, passed);
  const id = `p${session.id}.${body.seq}`;
  await context.beacons.seen.once(id, session.startedAt * 1000, () =>
    context.events.append("events", sessionEventRow("ping", session, id, now, seconds)),
  );
}
