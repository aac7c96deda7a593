import { randomUUID } from "node:crypto";
import { describeReason } from "@millrace/auction";
import {
  type Body,
  CAMPAIGN_PROVIDER,
  type Format,
  INHOUSE_PROVIDER,
  type ReplyInput,
  type testAd,
  UNKNOWN_COUNTRY,
} from "@millrace/contract";
import type { AppReach } from "../../../platform/http/caller.ts";
import { noAdReasonOf } from "../auction/record-auction.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { deviceHash } from "../delivery/secrets.ts";
import type { Geo } from "../facts/geo.ts";
import type { Client } from "../http/client.ts";
import type { MadeAd } from "../markup/make-ad.ts";
import { SDK_IMP_ID } from "../sdk/build-imp.ts";
import { type SellDeps, sellPlace } from "../sdk/sell-place.ts";
import { type FindAppDeps, findServingApp } from "./find-serving-app.ts";

export type TestAdDeps = SellDeps & FindAppDeps & { geo: Geo };

const MAX_SECONDS = 60;
const NO_SAMPLE = "Sample apps serve no ads. Add an app of your own to send it a test ad";

/**
 * Sells a place of an app in a real auction that is marked as a test: bidders know, and neither the request nor
 * the ad is counted or paid. Its trace is kept and can be read once this resolves. Problem `not_found` for an
 * app out of reach, `unprocessable` for one that never serves.
 */
export async function sendTestAd(
  deps: TestAdDeps,
  target: { reach: AppReach; uuid: string; client: Client },
  { format, zone: zoneName }: Body<typeof testAd>,
): Promise<ReplyInput<typeof testAd>> {
  const { client } = target;
  const app = await findServingApp(deps, target.reach, target.uuid, NO_SAMPLE);
  const zone = zoneName ?? defaultZone(app, format);
  const arrivedAt = performance.now();
  const recording: Promise<unknown>[] = [];
  const { auction, ads } = await sellPlace(withTrace(deps, recording), {
    app,
    place: { zone, format, w: null, h: null, screen: null, sdkVersion: "", maxSeconds: MAX_SECONDS },
    // Somebody in the dashboard is no user of the app: partners are asked wherever that is, and learn nothing of the person.
    device: { os: "", lmt: 1 },
    consent: { gdpr: 0 },
    client,
    country: client.ip === "" ? UNKNOWN_COUNTRY : deps.geo(client.ip),
    // Somebody in the dashboard is no device of the app.
    viewer: () => ({ device: deviceHash(deps.ads.keyring, randomUUID()), firstDay: 0, sdkVersion: "" }),
    renderer: "sdk",
    limit: 1,
    arrivedAt,
    isTest: true,
  });
  const duration_ms = Math.round((performance.now() - arrivedAt) * 100) / 100;
  await Promise.all(recording);
  const { auctionId, deadlineMs, bidders } = auction.setup;
  const answer = { auction: auctionId, zone, duration_ms };
  const [first] = ads;
  if (first) return { ...answer, ad: adOf(first, bidders.participants), no_ad: null };
  const code = noAdReasonOf(auction.decision, SDK_IMP_ID);
  return { ...answer, ad: null, no_ad: { code, text: describeReason(code, { deadlineMs }) } };
}

/** The same exchange, which keeps this auction's trace and says when it is stored. */
const withTrace = (deps: TestAdDeps, recording: Promise<unknown>[]): SellDeps => ({
  ...deps,
  auction: { ...deps.auction, traceShare: 1 },
  records: {
    ...deps.records,
    later: (work) => void recording.push(Promise.resolve().then(work)),
  },
});

function defaultZone({ zones }: AppConfig, format: Format): string {
  const own = [...zones.values()].find((zone) => zone.format === format);
  return own?.zone ?? `test_${format}`;
}

function adOf(
  { candidate, facts, beacons, markup, line }: MadeAd,
  participants: readonly { id: string; name: string }[],
): ReplyInput<typeof testAd>["ad"] {
  return {
    provider: facts.provider,
    name: facts.campaign
      ? (line?.item ?? (facts.provider === INHOUSE_PROVIDER.id ? INHOUSE_PROVIDER : CAMPAIGN_PROVIDER)).name
      : (participants.find(({ id }) => id === facts.provider)?.name ?? facts.provider),
    price: facts.priceMicros,
    // The dashboard shows an ad of MRAID without it, as a plain page.
    markup: { type: markup.type === "mraid" ? "html" : markup.type, content: markup.content },
    w: candidate.w,
    h: candidate.h,
    impression: beacons.impression,
  };
}
