import type { Ad } from "@millrace/contract";
import type { DemoApp, DemoZone } from "../demo-app.ts";
import { OUTCOMES } from "../population.ts";
import type { Random } from "../random.ts";
import type { DemoDevice } from "./draw-device.ts";
import { linkIn, type PostbackTargets, postbacksAfter } from "./convert.ts";
import type { SdkClient } from "./sdk-client.ts";
import { DEMO_ADAPTER, tryAdapter } from "./try-adapter.ts";

/** One session of a device in an app. */
export interface SessionPlay {
  app: DemoApp;
  /** The app's public key. */
  appKey: string;
  device: DemoDevice;
  seconds: number;
  /** The share of a whole session that these seconds are. */
  share: number;
  client: SdkClient;
  random: Random;
  /** Where installs of the demo's campaigns are reported; null reports none. */
  postbacks: PostbackTargets | null;
  /** Resolves after `ms`; rejects when the traffic stops. */
  wait: (ms: number) => Promise<void>;
}

const MIN_SECONDS = 8;
const MAX_SECONDS = 1800;

/** Draws a session's duration in seconds: most are short, some long. */
export const sessionSeconds = (app: DemoApp, random: Random): number =>
  Math.round(Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, random.logNormal(app.sessionSeconds, 0.8))));

/** Plays a session as the SDK would: init, ad requests for the app's zones, and pings. */
export async function playSession(play: SessionPlay): Promise<void> {
  const { app, appKey, device, seconds, client, wait } = play;
  const started = await client.init(device, {
    app: appKey,
    platform: app.platform,
    sdk_version: device.sdkVersion,
    install_id: device.installId,
    first_day: device.firstDay,
    device: device.facts,
    consent: device.consent,
  });
  if (started === null) return;
  const { session, ping_seconds: pingSeconds } = started;
  const moments = [...adMoments(play), ...pingMoments(seconds, pingSeconds)].sort((a, b) => a.at - b.at);
  let elapsed = 0;
  const running: Promise<void>[] = [];
  for (const moment of moments) {
    await wait((moment.at - elapsed) * 1000);
    elapsed = moment.at;
    if (moment.zone === undefined) {
      await client.ping(device, { session, seq: moment.seq, seconds: moment.seconds });
    } else {
      // The session continues while the ad is shown. Both end with the traffic.
      running.push(showAd(play, session, moment.zone).catch(() => {}));
    }
  }
  await Promise.all(running);
}

type Moment = { at: number; zone: DemoZone } | { at: number; zone?: undefined; seq: number; seconds: number };

function adMoments({ app, seconds, share, random }: SessionPlay): Moment[] {
  return app.zones.flatMap((zone) =>
    Array.from({ length: Math.floor(zone.perSession * share + random.next()) }, () => ({
      at: random.next() * seconds,
      zone,
    })),
  );
}

/** A ping at every step, and one with the remaining seconds at the end. */
function pingMoments(seconds: number, step: number): Moment[] {
  const count = Math.ceil(seconds / step);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.min(seconds, (index + 1) * step);
    return { at, seq: index + 1, seconds: Math.round(at - index * step) };
  });
}

async function showAd(play: SessionPlay, session: string, zone: DemoZone): Promise<void> {
  const { client, device } = play;
  const [w, h] = zone.size ?? [];
  const answer = await client.ad(device, {
    session,
    zone: zone.zone,
    format: zone.format,
    device: device.facts,
    consent: device.consent,
    adapters: [DEMO_ADAPTER.name],
    ...(w !== undefined && h !== undefined ? { w, h } : {}),
  });
  const [step] = answer?.steps ?? [];
  if (step?.type === "adapter" && (await tryAdapter(play, step))) return;
  const ad = answer?.ads[0];
  if (ad !== undefined) await reportOutcome(play, ad);
}

/** Sends the beacons of an ad: most ads are shown, and a few of those are clicked. */
async function reportOutcome(play: SessionPlay, ad: Ad): Promise<void> {
  const { client, device, random, wait, postbacks } = play;
  const { shown, clicked } = OUTCOMES[ad.format];
  if (!random.chance(shown)) return;
  await wait(400 + 2000 * random.next());
  await client.beacon(device, ad.beacons.impression);
  if (!random.chance(clicked)) return;
  await wait(1000 + 6000 * random.next());
  await client.beacon(device, ad.beacons.click);
  const link = postbacks && ad.markup.type === "html" ? linkIn(ad.markup.content) : undefined;
  if (postbacks === null || link === undefined) return;
  const location = await client.follow(device, link);
  let elapsed = 0;
  for (const { afterMs, path } of postbacksAfter(location ?? "", postbacks, random)) {
    await wait(afterMs - elapsed);
    elapsed = afterMs;
    await client.follow(device, path);
  }
}
