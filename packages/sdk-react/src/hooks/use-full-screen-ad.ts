import type { AdInfo, AdRequest, EventMap, EventName, Failure, Outcome } from "@millrace/sdk/core";
import { useCallback, useRef, useState } from "react";
import { type Hold, type Holds, useLatest, useZone } from "./use-zone.ts";

/** What the hooks need of an SDK: the one of browsers and the one of React Native have it. */
export interface AdsSdk {
  loadAd(request: Omit<AdRequest, "w" | "h">): Promise<Outcome<AdInfo>>;
  isAdReady(zone: string): boolean;
  showAd(zone: string, place?: ShowOptions): Promise<ShowOutcome>;
  destroyAd(zone: string): void;
  addListener<Name extends EventName>(type: Name, listener: (about: EventMap[Name]) => void): () => void;
}

/** How an ad ended that was shown. */
export type ShowOutcome = Outcome<AdInfo & { rewarded: boolean }>;

export interface ShowOptions {
  /** Seconds until the ad can be closed; 5 by default. A video's own skip offset goes before it. */
  skipAfter?: number;
}

/** What `loadAd` takes beside zone and format. The values of the last render count when an ad is loaded. */
export type LoadOptions = Pick<AdRequest, "userId" | "customData" | "bidderTokens" | "timeoutMs">;

export type AdState =
  | { status: "loading" }
  | { status: "ready" }
  | { status: "showing" }
  /** It was shown and is gone; `load` brings the next one. */
  | { status: "closed" }
  | { status: "failed"; failure: Failure };

export type FullScreenAd = AdState & {
  /**
   * Loads the next ad after one was closed or failed to load, or for another user. If an ad is already loading, this waits for
   * it.
   */
  load: () => Promise<Outcome<AdInfo>>;
  /** Shows the ad over everything, and resolves once it is closed. Fails with a code if none is ready. */
  show: (options?: ShowOptions) => Promise<ShowOutcome>;
};

interface AdSlot {
  hold: Hold;
  /** The load that is under way, and for whom. */
  loading: Promise<Outcome<AdInfo>> | null;
  request: Pick<LoadOptions, "userId" | "customData">;
  /** False once its ad was shown, until the next `load`. */
  isWanted: boolean;
}

const UNMOUNTED = { ok: false, code: "destroyed", message: "The component is not mounted" } as const;

/** An ad that takes the whole screen: one is loaded at the component's mount, and given up at its unmount. */
export function useFullScreenAd(
  sdk: AdsSdk,
  holds: Holds,
  request: LoadOptions & Pick<AdRequest, "zone" | "format">,
): FullScreenAd {
  const { zone } = request;
  const [state, setState] = useState<AdState>({ status: "loading" });
  const current = useRef<AdSlot | null>(null);
  const latestRequest = useLatest(request);

  const load = useCallback(async () => {
    let slot = current.current;
    while (slot?.hold.isCurrent && slot.loading) {
      const loaded = await slot.loading;
      // An ad that was loaded for another user does not serve this one.
      const { userId, customData } = latestRequest.current;
      if (slot.request.userId === userId && slot.request.customData === customData) return loaded;
      slot = current.current;
    }
    if (!slot?.hold.isCurrent) return UNMOUNTED;
    slot.request = latestRequest.current;
    setState({ status: "loading" });
    slot.isWanted = true;
    slot.loading = sdk.loadAd(latestRequest.current);
    const loaded = await slot.loading;
    slot.loading = null;
    if (slot.hold.isCurrent) setState(loaded.ok ? { status: "ready" } : failed(loaded));
    return loaded;
  }, [sdk, latestRequest]);

  const show = useCallback(
    async (options?: ShowOptions) => {
      const slot = current.current;
      if (!slot?.hold.isCurrent) return UNMOUNTED;
      if (sdk.isAdReady(zone)) setState({ status: "showing" });
      const shown = await sdk.showAd(zone, options ?? {});
      if (shown.ok && !slot.loading) slot.isWanted = false;
      // While another ad has the screen, this one stays ready. A running load is not affected.
      const stays = sdk.isAdReady(zone) ? ({ status: "ready" } as const) : null;
      if (slot.hold.isCurrent && !slot.loading) setState(shown.ok ? { status: "closed" } : (stays ?? failed(shown)));
      return shown;
    },
    [sdk, zone],
  );

  useZone(sdk, holds, zone, {
    start(hold) {
      current.current = { hold, loading: null, request: {}, isWanted: true };
      void load();
    },
    lost: (failure) => setState(failed(failure)),
    mayRestart: () => current.current?.loading === null && current.current.isWanted && !sdk.isAdReady(zone),
  });
  return { ...state, load, show };
}

const failed = ({ code, message }: Failure): AdState => ({ status: "failed", failure: { code, message } });
