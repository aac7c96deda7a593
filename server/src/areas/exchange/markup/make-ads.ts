import type { Log } from "../../../platform/log.ts";
import type { AuctionResult } from "../auction/execute-auction.ts";
import { type AdDeps, type Audience, isAdapter, type MadeAd, makeAd, type Renderer } from "./make-ad.ts";

/** Makes the ad of a candidate like `makeAd`. A fault with what one bidder sent must not cost the other bidders' ads. */
function tryToMakeAd(...args: Parameters<typeof makeAd>): MadeAd | null {
  const [deps, , , candidate] = args;
  try {
    return makeAd(...args);
  } catch (error) {
    deps.onFailedAd(candidate.participantId, error);
    return null;
  }
}

/** Logs the first failed ad of each provider, since every further one may fail like it. */
export function logFailedAds(log: Log): AdDeps["onFailedAd"] {
  const failed = new Set<string>();
  return (provider, error) => {
    if (failed.has(provider)) return;
    failed.add(provider);
    log.error({ err: error, provider }, "An ad could not be made");
  };
}

/**
 * Makes up to `limit` ads of an imp, best first, and skips those that cannot be shown. An adapter may have no ad, so if there is an ad
 * that comes with the answer, one is among them: where all that are ranked above it are adapters, it is the last.
 */
export function makeAds(
  deps: AdDeps,
  auction: AuctionResult,
  impId: string,
  audience: Audience,
  { renderer, limit }: { renderer: Renderer; limit: number },
): MadeAd[] {
  const imp = auction.setup.request.imp.find(({ id }) => id === impId);
  const ads: MadeAd[] = [];
  if (!imp) return ads;
  for (const candidate of auction.decision.order(impId)) {
    const isFull = ads.length >= limit;
    if (isFull && isAdapter(auction.setup.lines?.lineOf(candidate))) continue;
    const ad = tryToMakeAd(deps, auction, imp, candidate, audience, { renderer, isFirst: ads.length === 0 });
    if (ad) ads.splice(isFull ? limit - 1 : ads.length, 1, ad);
    // Stops here, because the rest of the order is decided lazily.
    if (ads.length >= limit && !ads.every(({ line }) => isAdapter(line))) break;
  }
  return ads;
}
