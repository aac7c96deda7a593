import type { addListener, destroyAd, Failure, loadAd, NativeAssets, showAd } from "@millrace/sdk";
import { type ReactNode, type RefCallback, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { type Hold, type Holds, useLatest, useZone } from "./hooks/index.ts";

export interface NativeSdk {
  loadAd: typeof loadAd;
  showAd: typeof showAd;
  destroyAd: typeof destroyAd;
  addListener: typeof addListener;
}

export type NativeState = { status: "loading" } | { status: "showing" } | { status: "failed"; failure: Failure };

export type NativeAd = NativeState & {
  /** The ref of the element that the ad is put into; the ad is loaded once it is there. */
  ref: RefCallback<HTMLElement>;
  /** What `draw` has returned, to be rendered anywhere in the same component; null without `draw` or without an ad. */
  view: ReactNode;
};

interface Drawn {
  assets: NativeAssets;
  box: HTMLElement;
}

/** The `useNative` of one SDK. */
export function nativeHookOf(sdk: NativeSdk, holds: Holds) {
  /**
   * A native ad for `zone`, loaded and shown once the element of `ref` is there. `draw` makes React elements of the assets; without
   * it, the default view is shown. A click anywhere in it leads to the advertiser.
   */
  return function useNative(zone: string, draw?: (assets: NativeAssets) => ReactNode): NativeAd {
    const [state, setState] = useState<NativeState>({ status: "loading" });
    const [into, ref] = useState<HTMLElement | null>(null);
    const [drawn, setDrawn] = useState<Drawn | null>(null);
    const isStarting = useRef(false);
    const drawing = useLatest(draw);

    async function bring(place: HTMLElement) {
      const loaded = await sdk.loadAd({ zone, format: "native" });
      if (!loaded.ok) return loaded;
      // At once, because the ad counts as seen when `draw` returns.
      const drawNow = (assets: NativeAssets, box: HTMLElement) => flushSync(() => setDrawn({ assets, box }));
      return sdk.showAd(zone, { into: place, ...(drawing.current && { draw: drawNow }) });
    }

    async function start(hold: Hold) {
      if (!into) return;
      isStarting.current = true;
      setState({ status: "loading" });
      setDrawn(null);
      const shown = await bring(into);
      isStarting.current = false;
      if (!hold.isCurrent) return;
      setState(shown.ok ? { status: "showing" } : { status: "failed", failure: shown });
    }

    useZone(sdk, holds, into && zone, {
      start: (hold) => void start(hold),
      lost: (failure) => setState({ status: "failed", failure }),
      mayRestart: () => !isStarting.current,
    });

    const view = drawn && draw ? createPortal(draw(drawn.assets), drawn.box) : null;
    return { ...state, ref, view };
  };
}
