import type { EventMap, Outcome } from "@millrace/sdk/core";
import { useCallback } from "react";
import {
  type AdsSdk,
  type AdState,
  type FullScreenAd,
  type LoadOptions,
  type ShowOptions,
  type ShowOutcome,
  useFullScreenAd,
} from "./use-full-screen-ad.ts";
import type { Holds } from "./use-zone.ts";

export type { AdsSdk, AdState, FullScreenAd, LoadOptions, ShowOptions, ShowOutcome } from "./use-full-screen-ad.ts";
export { type Hold, type Holds, useLatest, useZone } from "./use-zone.ts";

type Reward = EventMap["rewardReceived"]["reward"];

export type RewardedOutcome = Outcome<Extract<ShowOutcome, { ok: true }> & { reward: Reward | null }>;

export type RewardedAd = AdState & {
  load: FullScreenAd["load"];
  /** Like an interstitial's; `reward` is what the user has earned, or null. */
  show: (options?: ShowOptions) => Promise<RewardedOutcome>;
};

/** The hooks of one SDK. `holds` is shared by everything that shows its ads. */
export function adHooks(sdk: AdsSdk, holds: Holds) {
  /** An interstitial for `zone`: loaded once at the mount, shown by `show`, given up at the unmount. */
  function useInterstitial(zone: string, options: LoadOptions = {}): FullScreenAd {
    return useFullScreenAd(sdk, holds, { ...options, zone, format: "interstitial" });
  }

  /** A rewarded video for `zone`, in the same way. */
  function useRewarded(zone: string, options: LoadOptions = {}): RewardedAd {
    const { show, ...rest } = useFullScreenAd(sdk, holds, { ...options, zone, format: "rewarded" });
    const showForReward = useCallback(
      async (place?: ShowOptions): Promise<RewardedOutcome> => {
        let reward: Reward | null = null;
        const unlisten = sdk.addListener("rewardReceived", (about) => {
          if (about.zone === zone) reward = about.reward;
        });
        const shown = await show(place);
        unlisten();
        return shown.ok ? { ...shown, reward } : shown;
      },
      [show, zone],
    );
    return { ...rest, show: showForReward };
  }

  return { useInterstitial, useRewarded };
}
