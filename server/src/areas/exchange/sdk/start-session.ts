import { randomBytes } from "node:crypto";
import {
  FORMATS,
  type ReplyInput,
  type sdkInit,
  SDK_VERSION,
  SESSION_TIMEOUT_SECONDS,
  UNKNOWN_COUNTRY,
} from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import { sessionEventRow } from "../beacons/event-rows.ts";
import { configuration, type ExchangeContext, limitCall } from "../context.ts";
import { deviceHash } from "../delivery/secrets.ts";
import { signSession } from "../delivery/session-token.ts";
import type { Client } from "../facts/client.ts";
import { firstDayOf } from "./first-day.ts";
import type { InitBody } from "./read-calls.ts";

const PING_SECONDS = 30;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Starts a session: signed, so that nothing of it needs to be looked up, and counted for good. */
export async function startSession(
  context: ExchangeContext,
  body: InitBody,
  client: Client,
): Promise<ReplyInput<typeof sdkInit>> {
  const app = configuration(context).byUuid.get(body.app.toLowerCase());
  if (!app) throw new Problem("not_found", { app: "There is no app with this key" });
  limitCall(context, client, app);
  const now = context.clock.now();
  const { token, session } = signSession(
    context.ads.keyring,
    {
      appId: app.id,
      platform: body.platform,
      sdkVersion: body.sdk_version,
      device: deviceHash(context.ads.keyring, deviceIdOf(body, app.facts.childDirected)),
      // Kept where ids are withheld, too: thousands share a day, so it tells nobody from another.
      firstDay: firstDayOf(body.first_day, now),
      country: client.ip === "" ? UNKNOWN_COUNTRY : context.geo(client.ip),
      startedAt: Math.floor(now / 1000),
      demo: app.demo,
    },
    randomBytes(9).toString("base64url"),
  );
  await context.events.append("events", sessionEventRow("session", session, session.id, now, 0));
  context.sdkVersions.noteSession(app.id);
  return {
    session: token,
    session_timeout_seconds: SESSION_TIMEOUT_SECONDS,
    latest_sdk_version: SDK_VERSION,
    formats: [...FORMATS],
    zones: [...app.zones.values()].map(({ zone, name, format, refreshSeconds }) => ({
      zone,
      name,
      format,
      refresh_seconds: refreshSeconds,
    })),
    ping_seconds: PING_SECONDS,
  };
}

/** The advertising id where the person lets it be used, else the installation's own. */
function deviceIdOf({ device: { ifa, lmt }, consent, install_id }: InitBody, isChildDirected: boolean): string {
  const isOpen = lmt !== 1 && consent?.coppa !== 1 && !isChildDirected;
  return isOpen && ifa !== undefined && ifa !== "" && ifa !== NO_ID ? ifa : install_id;
}
