import { describeReason } from "@millrace/auction";
import { type ReplyInput, type sdkAd, UNKNOWN_COUNTRY } from "@millrace/contract";
import { NBR } from "@millrace/openrtb";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { noAdReasonOf } from "../auction/record-auction.ts";
import { LONGEST_HOLD_MS } from "../../budgets/index.ts";
import type { AppConfig } from "../config/snapshot.ts";
import type { Keyring } from "../delivery/secrets.ts";
import { openSession, type Session } from "../delivery/session-token.ts";
import type { Geo } from "../facts/geo.ts";
import type { Client } from "../http/client.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { type CallLimits, limitCall } from "../http/limit-calls.ts";
import { SDK_IMP_ID } from "./build-imp.ts";
import type { AdBody } from "./read-calls.ts";
import { type PlaceOrder, type SellDeps, sellPlace } from "./sell-place.ts";

/** The SDK tries at most this many ads: lower prices are not worth the user's wait. */
const MAX_ADS = 5;
const REFRESH_SECONDS = 30;
const MAX_SECONDS = 60;
/** Five minutes below the time for which a campaign's money is held, so that also a late beacon is billed. */
const EXPIRES_SECONDS = LONGEST_HOLD_MS / 1000 - 300;

export interface SessionDeps {
  config: ConfigSource;
  keyring: Keyring;
  clock: Clock;
}

export interface ServeAdDeps extends SellDeps, SessionDeps {
  limits: CallLimits;
  geo: Geo;
}

/** The session of a token, and its app. Throws Problems that make the SDK start a new session. */
export function sessionOf(deps: SessionDeps, token: string): { session: Session; app: AppConfig } {
  const session = openSession(deps.keyring, token, deps.clock.now() / 1000);
  if (!session) throw new Problem("unauthenticated", { session: "This session is invalid or has expired" });
  const app = configuration(deps.config).byId.get(session.appId);
  if (!app) throw new Problem("not_found", { session: "The app of this session no longer exists" });
  return { session, app };
}

/** Tells the SDK of an app that is switched off to drop its ads. */
export const switchOf = ({ isSwitchedOff }: AppConfig): { disabled?: true } =>
  isSwitchedOff ? { disabled: true } : {};

/** Sells one place of an app and returns the ads to try, best first. */
export async function serveAd(
  deps: ServeAdDeps,
  body: AdBody,
  client: Client,
  arrivedAt: number,
): Promise<ReplyInput<typeof sdkAd>> {
  const { session, app } = sessionOf(deps, body.session);
  limitCall(deps.limits, client, app);
  const found = client.ip === "" ? UNKNOWN_COUNTRY : deps.geo(client.ip);
  const country = found === UNKNOWN_COUNTRY ? session.country : found;
  const { device, firstDay, sdkVersion } = session;
  const { auction, ads } = await sellPlace(deps, {
    app,
    place: placeOf(body, sdkVersion),
    device: body.device,
    consent: body.consent ?? {},
    client,
    country,
    viewer: () => ({ device, firstDay, sdkVersion }),
    renderer: "sdk",
    limit: MAX_ADS,
    arrivedAt,
    ...(body.test === 1 && { isTest: true }),
  });
  const refresh_seconds = app.zones.get(body.zone)?.refreshSeconds ?? REFRESH_SECONDS;
  const reply = {
    auction: auction.setup.auctionId,
    ads: ads.map(({ candidate, facts, beacons, markup }) => ({
      provider: facts.provider,
      format: body.format,
      markup,
      w: candidate.w,
      h: candidate.h,
      revenue_micros: facts.revenueMicros,
      // The beacon for player events is in the markup.
      beacons: { impression: beacons.impression, click: beacons.click, loss: beacons.loss },
    })),
    refresh_seconds,
    country,
    expires_seconds: EXPIRES_SECONDS,
    ...switchOf(app),
  };
  if (ads.length > 0) return reply;
  const reason = describeReason(noAdReasonOf(auction.decision, SDK_IMP_ID), {
    deadlineMs: auction.setup.deadlineMs,
  });
  return { ...reply, nbr: auction.decision.inFull().nbr ?? NBR.unknown, reason };
}

function placeOf(body: AdBody, sdkVersion: string): PlaceOrder["place"] {
  const { w, h, pxratio = 1 } = body.device;
  return {
    zone: body.zone,
    format: body.format,
    w: body.w ?? null,
    h: body.h ?? null,
    screen: w === undefined || h === undefined ? null : { w: Math.round(w / pxratio), h: Math.round(h / pxratio) },
    sdkVersion,
    maxSeconds: MAX_SECONDS,
  };
}
