import type { addListener, AdInfo, destroyAd, Failure, InlinePlace, showAd } from "@millrace/sdk";
import { type CSSProperties, useRef } from "react";
import { type Hold, type Holds, useLatest, useZone } from "./hooks/index.ts";

export interface BannerProps extends Pick<InlinePlace, "size" | "refresh"> {
  zone: string;
  className?: string;
  style?: CSSProperties;
  /** The first ad is on the screen. */
  onDisplayed?: (ad: AdInfo) => void;
  /** The first ad could not be loaded or shown. The place goes on asking, at longer intervals. */
  onFailed?: (failure: Failure) => void;
}

export interface BannerSdk {
  showAd: typeof showAd;
  destroyAd: typeof destroyAd;
  addListener: typeof addListener;
}

/** The `Banner` of one SDK. */
export function bannerOf(sdk: BannerSdk, holds: Holds) {
  /**
   * A banner that loads its ads itself, and refreshes them while it is visible. It has its size from the start, so that nothing
   * moves when an ad comes. Another `size` or `refresh` needs another `key`.
   */
  return function Banner(props: BannerProps) {
    const { zone, size = "320x50", className, style } = props;
    const box = useRef<HTMLDivElement>(null);
    const latest = useLatest(props);
    const isStarting = useRef(false);

    async function start(hold: Hold) {
      if (!box.current) return;
      const { refresh } = props;
      isStarting.current = true;
      const shown = await sdk.showAd(zone, { into: box.current, size, ...(refresh !== undefined && { refresh }) });
      isStarting.current = false;
      if (!hold.isCurrent) return;
      if (shown.ok) latest.current.onDisplayed?.(shown);
      else latest.current.onFailed?.({ code: shown.code, message: shown.message });
    }

    useZone(sdk, holds, zone, {
      start: (hold) => void start(hold),
      lost: (failure) => props.onFailed?.(failure),
      mayRestart: () => !isStarting.current,
    });

    const [width, height] = size.split("x").map((side) => `${side}px`);
    return <div ref={box} className={className} style={{ minWidth: width, minHeight: height, ...style }} />;
  };
}
