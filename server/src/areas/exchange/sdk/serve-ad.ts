import { describeReason } from "@millrace/auction";
import { type ReplyInput, type sdkAd, UNKNOWN_COUNTRY } from "@millrace/contract";
import { NBR } from "@millrace/openrtb";
import { impressionMicros } from "@millrace/units";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { noAdReasonOf } from "../auction/record-auction.ts";
import type { MadeAd } from "../markup/make-ad.ts";
import { AD_EXPIRES_SECONDS } from "../campaigns/ad-markup.ts";
import type { KnownSwitches, SwitchedOff } from "../config/kill-switches.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { watchSecondsOf } from "../markup/watch-seconds.ts";
import type { RewardTerms } from "../delivery/beacon-token.ts";
import type { Keyring } from "../delivery/secrets.ts";
import { openSession, type Session } from "../delivery/session-token.ts";
import type { Geo } from "../facts/geo.ts";
import type { Client } from "../http/client.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { type CallLimits, limitCall } from "../http/limit-calls.ts";
import { SDK_IMP_ID } from "./build-imp.ts";
import { type DebugDeps, debugOrderOf } from "./debug-order.ts";
import type { AdBody } from "./read-calls.ts";
import { type PlaceOrder, type SellDeps, sellPlace } from "./sell-place.ts";

/** The SDK tries at most this many ads: lower prices are not worth the user's wait. */
const MAX_ADS = 5;
const REFRESH_SECONDS = 30;
const MAX_SECONDS = 60;
/** An ad that is over at once would never be shown: the SDK asks again for each one that is. */
const LEAST_EXPIRES_SECONDS = 60;

export interface SessionDeps {
  config: ConfigSource & { inForce: { switches: KnownSwitches } };
  keyring: Keyring;
  clock: Clock;
}

export type ServeAdDeps = SellDeps & SessionDeps & DebugDeps & { limits: CallLimits; geo: Geo };

/** The session of a token, and its app. Throws Problems that make the SDK start a new session. */
export function sessionOf(deps: SessionDeps, token: string): { session: Session; app: AppConfig } {
  const session = openSession(deps.keyring, token, deps.clock.now() / 1000);
  if (!session) throw new Problem("unauthenticated", { session: "This session is invalid or has expired" });
  const app = configuration(deps.config).byId.get(session.appId);
  if (!app) throw new Problem("not_found", { session: "The app of this session no longer exists" });
  return { session, app };
}

/** Tells the SDK to drop its ads and to stop asking, if its app is banned or the operator has switched it off. */
export function switchOf(
  { config }: Pick<SessionDeps, "config">,
  app: AppConfig,
  { sdkVersion, country }: Pick<Session, "sdkVersion" | "country">,
): { disabled?: true } {
  return disabledIf(app, config.inForce.switches.of({ appId: app.id, sdkVersion, country }));
}

const disabledIf = (app: AppConfig, off: SwitchedOff | null): { disabled?: true } =>
  app.isSwitchedOff || off?.everything === true ? { disabled: true } : {};

/** Sells one place of an app and returns the ads to try, best first. */
export async function serveAd(
  deps: ServeAdDeps,
  body: AdBody,
  client: Client,
  arrivedAt: number,
): Promise<ReplyInput<typeof sdkAd>> {
  const { session, app } = sessionOf(deps, body.session);
  limitCall(deps.limits, client, app);
  const debug = body.debug && (await debugOrderOf(deps, app, body.debug));
  const found = client.ip === "" ? UNKNOWN_COUNTRY : deps.geo(client.ip);
  const country = found === UNKNOWN_COUNTRY ? session.country : found;
  const { device, firstDay, sdkVersion } = session;
  const { auction, ads } = await sellPlace(debug ? { ...deps, auction: { ...deps.auction, traceShare: 1 } } : deps, {
    app,
    place: placeOf(body, sdkVersion),
    device: body.device,
    consent: body.consent ?? {},
    bidderTokens: body.bidder_tokens,
    client,
    country,
    viewer: () => ({ device, firstDay, sdkVersion }),
    renderer: "sdk",
    limit: MAX_ADS,
    arrivedAt,
    adapters: body.adapters,
    ...(body.test === 1 && { isTest: true }),
    ...debug,
  });
  const refresh_seconds = app.zones.get(body.zone)?.refreshSeconds ?? REFRESH_SECONDS;
  const reply = {
    auction: auction.setup.auctionId,
    ...answerOf(ads, app, body),
    refresh_seconds,
    country,
    expires_seconds: expiresSeconds(ads),
    ...disabledIf(app, auction.setup.switchedOff),
  };
  if (ads.length > 0) return reply;
  const reason = describeReason(noAdReasonOf(auction.decision, SDK_IMP_ID), {
    deadlineMs: auction.setup.deadlineMs,
  });
  return { ...reply, nbr: auction.decision.inFull().nbr ?? NBR.unknown, reason };
}

/**
 * How long the ads may wait to be shown: none of them longer than its bidder offers it (OpenRTB 2.6, section 4.2.3). The offers
 * count from the auction, and so does this, but for the way of the reply.
 */
function expiresSeconds(ads: readonly MadeAd[]): number {
  const offered = ads.flatMap(({ bid: { bid } }) => (bid.exp !== undefined && bid.exp > 0 ? bid.exp : []));
  return Math.max(LEAST_EXPIRES_SECONDS, Math.min(AD_EXPIRES_SECONDS, ...offered));
}

/** The zone's own reward, or the app's. */
const rewardOf = (
  { zones, reward: { name, amount } }: AppConfig,
  { zone }: AdBody,
): Pick<RewardTerms, "name" | "amount"> => zones.get(zone)?.reward ?? { name, amount };

const rewardTerms = (app: AppConfig, body: AdBody, vast: string): RewardTerms => ({
  ...rewardOf(app, body),
  seconds: watchSecondsOf(vast, MAX_SECONDS),
  userId: body.user_id ?? "",
  customData: body.custom_data ?? "",
});

type AdReply = ReplyInput<typeof sdkAd>;

/** The ads that every SDK can show, and the whole order if an adapter is among it. */
function answerOf(returned: readonly MadeAd[], app: AppConfig, body: AdBody): Pick<AdReply, "ads" | "steps"> {
  const { format } = body;
  const isRewarded = format === "rewarded";
  const { callbackUrl } = app.reward;
  const reward = rewardOf(app, body);
  const ads: AdReply["ads"] = [];
  const steps = returned.map((ad): NonNullable<AdReply["steps"]>[number] => {
    const { candidate, facts, markup, line } = ad;
    const { impression, click, loss } = ad.beacons;
    const beacons = {
      impression,
      click,
      loss,
      ...(isRewarded && callbackUrl !== null && { reward: ad.beacons.reward(rewardTerms(app, body, markup.content)) }),
    };
    const earns = line && ({ revenue_micros: impressionMicros(line.expectedMicros), precision: "estimated" } as const);
    if (line?.item.source.kind === "sdk") {
      const { adapter, params } = line.item.source;
      return {
        type: "adapter",
        provider: facts.provider,
        item: line.item.uuid,
        adapter,
        params,
        expected_micros: line.expectedMicros,
        ...earns,
        ...(isRewarded && { reward }),
        beacons: { ...beacons, player: ad.beacons.player },
      };
    }
    ads.push({
      ...(isRewarded && { reward }),
      provider: facts.provider,
      format,
      markup,
      w: candidate.w,
      h: candidate.h,
      revenue_micros: facts.revenueMicros,
      ...(line && { expected_micros: line.expectedMicros, ...earns }),
      // The beacon for player events is in the markup.
      beacons,
    });
    return { type: "ad", ad: ads.length - 1 };
  });
  return ads.length === steps.length ? { ads } : { ads, steps };
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
    waitSeconds: AD_EXPIRES_SECONDS,
  };
}
