import type { BidRequest } from "@millrace/openrtb";
import type { AuctionResult } from "../auction/execute-auction.ts";
import { recordAuction, type RecordDeps } from "../auction/record-auction.ts";
import { deadlineOf, newAuctionId, runAuction, type RunDeps } from "../auction/run-auction.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import type { AdDeps, Audience, MadeAd, Renderer } from "../markup/make-ad.ts";
import { makeAds } from "../markup/make-ads.ts";
import { isPlayable, type Place, SDK_IMP_ID } from "./build-imp.ts";
import { buildRequest, type DeviceRequest } from "./build-request.ts";

export interface SellDeps {
  config: ConfigSource;
  auction: RunDeps;
  ads: AdDeps;
  zones: { nameToSell(app: AppConfig, zone: string): string };
  records: RecordDeps;
}

/** A device's request for ads in a place. */
export interface PlaceOrder extends Pick<
  DeviceRequest,
  "app" | "device" | "consent" | "bidderTokens" | "client" | "country"
> {
  /** As the device describes it. */
  place: Omit<Place, "isSecure">;
  /** The viewer of the ad in its events. */
  viewer(request: BidRequest): Pick<Audience, "device" | "firstDay" | "sdkVersion">;
  renderer: Renderer;
  /** The maximum number of ads. */
  limit: number;
  /** `performance.now()` when the request arrived. */
  arrivedAt: number;
  /** The adapters of line items that the app's SDK has. */
  adapters?: readonly string[] | undefined;
  /** Neither counted nor paid, and bidders know (OpenRTB 2.6, section 3.2.1). */
  isTest?: true;
  /** The only provider that may bid; only of tests. */
  onlyProvider?: string | undefined;
}

/** Sells one place of an app in an auction and records the result. */
export async function sellPlace(
  deps: SellDeps,
  { place, viewer, renderer, limit, arrivedAt, adapters, isTest, onlyProvider, ...order }: PlaceOrder,
): Promise<{ auction: AuctionResult; ads: MadeAd[] }> {
  const { app, country } = order;
  const { zone: name, format, sdkVersion } = place;
  const tmaxMs = deadlineOf(deps.auction);
  const auctionId = newAuctionId();
  const configVersion = configuration(deps.config).version;
  const isSecure = deps.ads.publicUrl.startsWith("https:");
  const request = buildRequest({ ...order, auctionId, tmaxMs, place: { ...place, isSecure } });
  const formats = { [SDK_IMP_ID]: format };
  const seen = viewer(request);
  const auction = await runAuction(deps.auction, {
    auctionId,
    configVersion,
    app,
    request: isTest ? { ...request, test: 1 } : request,
    formats,
    country,
    device: seen.device,
    sdkVersion,
    arrivedAt,
    tmaxMs,
    isPlace: true,
    adapters,
    // A player that reads VAST is the app's own.
    isUnplayable: renderer === "sdk" && !isPlayable(format, app.platform),
    ...(isTest && { onlyProvider }),
  });
  const audience = { ...seen, zone: deps.zones.nameToSell(app, name), country, format };
  const ads = makeAds(deps.ads, auction, SDK_IMP_ID, audience, { renderer, limit });
  recordAuction(deps.records, auction, [{ impId: SDK_IMP_ID, audience, ads }], performance.now() - arrivedAt);
  return { auction, ads };
}
