import { randomBytes } from "node:crypto";
import {
  FORMATS,
  type ReplyInput,
  type sdkInit,
  SDK_VERSION,
  SESSION_TIMEOUT_SECONDS,
  UNKNOWN_COUNTRY,
  isOwnId,
} from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { EventSink } from "../../statistics/index.ts";
import { sessionEventRow } from "../beacons/event-rows.ts";
import { deviceHash } from "../delivery/secrets.ts";
import { signSession } from "../delivery/session-token.ts";
import type { Geo } from "../facts/geo.ts";
import type { Client } from "../http/client.ts";
import { configuration } from "../http/configuration.ts";
import { type CallLimits, limitCall } from "../http/limit-calls.ts";
import { firstDayOf } from "./first-day.ts";
import type { InitBody } from "./read-calls.ts";
import { type SessionDeps, switchOf } from "./serve-ad.ts";

const PING_SECONDS = 30;
/** App Tracking Transparency. */
const ATT_AUTHORIZED = 3;

export interface StartSessionDeps extends SessionDeps {
  limits: CallLimits;
  geo: Geo;
  events: Pick<EventSink, "append">;
  sdkVersions: { noteSession(appId: number): void };
}

/** Starts a session and records it. The session's token is signed, so that later calls need no lookup. */
export async function startSession(
  deps: StartSessionDeps,
  body: InitBody,
  client: Client,
): Promise<ReplyInput<typeof sdkInit>> {
  const app = configuration(deps.config).byUuid.get(body.app.toLowerCase());
  if (!app) throw new Problem("not_found", { app: "There is no app with this key" });
  limitCall(deps.limits, client, app);
  const now = deps.clock.now();
  const { token, session } = signSession(
    deps.keyring,
    {
      appId: app.id,
      platform: body.platform,
      sdkVersion: body.sdk_version,
      device: deviceHash(deps.keyring, deviceIdOf(body, app.facts.childDirected)),
      // Also kept without ids: thousands share a day, so it identifies nobody.
      firstDay: firstDayOf(body.first_day, now),
      country: client.ip === "" ? UNKNOWN_COUNTRY : deps.geo(client.ip),
      startedAt: Math.floor(now / 1000),
      demo: app.demo,
    },
    randomBytes(9).toString("base64url"),
  );
  await deps.events.append("events", sessionEventRow("session", session, session.id, now, 0));
  deps.sdkVersions.noteSession(app.id);
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
    ...switchOf(deps, app, session),
  };
}

/** The advertising id if the user allows it, otherwise the installation's id. */
function deviceIdOf({ device, consent, install_id }: InitBody, isChildDirected: boolean): string {
  const { ifa, lmt, att_status: attStatus = ATT_AUTHORIZED } = device;
  const isOpen = lmt !== 1 && attStatus === ATT_AUTHORIZED && consent?.coppa !== 1 && !isChildDirected;
  return isOpen && isOwnId(ifa) ? ifa : install_id;
}
