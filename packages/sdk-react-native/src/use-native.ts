import { type Hold, type Holds, useZone } from "@millrace/react/hooks";
import type { Failure, Sdk } from "@millrace/sdk/core";
import { useRef, useState } from "react";
import type { DrawnNative, NativePlace, Slot } from "./prepare-native.ts";

export type NativeAd =
  | { status: "loading" }
  /** `assets` are for the app's own views, which call `press` when the user presses the ad. */
  | ({ status: "showing" } & DrawnNative)
  | { status: "failed"; failure: Failure };

/** A native ad is in the app's own views, so that it needs no web view. */
const OWN_VIEWS: Slot = { load() {}, reveal() {}, hide() {} };

/** The `useNative` of one SDK. */
export function nativeHookOf(sdk: Sdk<NativePlace>, holds: Holds) {
  /** A native ad for `zone`: loaded at the mount, given up at the unmount. Its impression counts when its assets are rendered, which waits until the app is seen. */
  return function useNative(zone: string): NativeAd {
    const [ad, setAd] = useState<NativeAd>({ status: "loading" });
    const isStarting = useRef(false);

    async function start(hold: Hold) {
      isStarting.current = true;
      setAd({ status: "loading" });
      const draw = (native: DrawnNative) => {
        if (hold.isCurrent) setAd({ status: "showing", ...native });
      };
      const loaded = await sdk.loadAd({ zone, format: "native" });
      const shown = loaded.ok ? await sdk.showAd(zone, { into: OWN_VIEWS, draw }) : loaded;
      isStarting.current = false;
      if (hold.isCurrent && !shown.ok)
        setAd({ status: "failed", failure: { code: shown.code, message: shown.message } });
    }

    useZone(sdk, holds, zone, {
      start: (hold) => void start(hold),
      lost: (failure) => setAd({ status: "failed", failure }),
      mayRestart: () => !isStarting.current,
    });
    return ad;
  };
}
