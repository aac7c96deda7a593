import { type Hold, type Holds, useLatest, useZone } from "@millrace/react/hooks";
import { type AdInfo, type Failure, type Host, type Sdk, startRotation, turnWithout } from "@millrace/sdk/core";
import { type ReactElement, useRef } from "react";
import { type adViews, useSlot } from "./ad-views.tsx";
import type { NativePlace } from "./prepare-native.ts";

export interface BannerProps {
  zone: string;
  /** Width x height in device-independent pixels; 320x50 by default. */
  size?: `${number}x${number}`;
  /** Seconds until the next ad, 0 for never; the dashboard's setting by default. */
  refresh?: number;
  style?: object;
  /** An ad is on the screen. */
  onDisplayed?: (ad: AdInfo) => void;
  /** An ad could not be loaded or shown. The place goes on asking, at longer intervals. */
  onFailed?: (failure: Failure) => void;
}

/** The `Banner` of one SDK. */
export function bannerOf(deps: {
  sdk: Sdk<NativePlace>;
  holds: Holds;
  host: Host;
  isActive: () => boolean;
  wakers: Set<() => void>;
  AdBox: ReturnType<typeof adViews>["AdBox"];
}) {
  const { sdk, holds, host, isActive, wakers, AdBox } = deps;

  const isVisible = () => isActive() && !sdk.isScreenTaken();

  /** A banner that loads its ads itself, and refreshes them while the app is in the foreground and no full-screen ad covers it. Another `size` needs another `key`. */
  return function Banner(props: BannerProps): ReactElement {
    const { zone, size = "320x50", refresh, style } = props;
    const [entries, slot] = useSlot();
    const latest = useLatest(props);
    const isFirst = useRef(false);
    const [w = 320, h = 50] = size.split("x").map(Number);

    async function next(hold: Hold) {
      const loaded = sdk.isAdReady(zone) ? null : await sdk.loadAd({ zone, format: "banner", w, h });
      const isFailed = loaded?.ok === false;
      // Nobody sees the place: the ad stays ready.
      if (!isFailed && !isVisible()) return null;
      const shown = isFailed ? loaded : await sdk.showAd(zone, { into: slot });
      isFirst.current = false;
      if (hold.isCurrent && shown.ok) latest.current.onDisplayed?.(shown.info);
      if (hold.isCurrent && !shown.ok) latest.current.onFailed?.({ code: shown.code, message: shown.message });
      if (!shown.ok) return turnWithout(shown.code);
      return { failed: false, refreshSeconds: shown.refreshSeconds };
    }

    useZone(sdk, holds, zone, {
      start(hold) {
        hold.end();
        isFirst.current = true;
        const turn = () => next(hold);
        const rotation = startRotation(host, { turn, refreshSeconds: refresh, isVisible });
        wakers.add(rotation.wake);
        hold.end = () => {
          isFirst.current = false;
          rotation.stop();
          wakers.delete(rotation.wake);
        };
      },
      lost: (failure) => latest.current.onFailed?.(failure),
      mayRestart: () => !isFirst.current,
    });

    return <AdBox all={entries} style={{ width: w, height: h, overflow: "hidden", ...style }} />;
  };
}
