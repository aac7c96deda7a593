import {
  type Host,
  type Outcome,
  type Rotation,
  type Sdk,
  type ShownAd,
  startRotation,
  turnWithout,
} from "../core/index.ts";
import type { Place } from "./place.ts";

export interface InlinePlace extends Place {
  into: HTMLElement;
  /** Width x height in CSS pixels; 320x50 by default. */
  size?: `${number}x${number}`;
  /** Seconds until the next ad, 0 for never; the dashboard's setting by default. */
  refresh?: number;
}

type ShowResult = Outcome<ShownAd & { refreshSeconds: number }>;

/** The places in the app's page. Each loads an ad if none is ready, and another after its refresh time, while it is visible. */
export interface InlineAds {
  /** Resolves once the first ad is on the screen or could not be loaded or shown. */
  start(zone: string, place: InlinePlace): Promise<ShowResult>;
  stop(zone: string): void;
  wakeAll(isBackOnline?: boolean): void;
  stopAll(): void;
}

export function inlineAds(sdk: Sdk<Place>, host: Host): InlineAds {
  const places = new Map<string, { rotation: Rotation; end: () => void }>();

  function wakeAll(isBackOnline?: boolean): void {
    for (const { rotation } of places.values()) rotation.wake(isBackOnline);
  }
  // A full-screen ad may have left the screen.
  for (const type of ["hidden", "displayFailed"] as const) sdk.addListener(type, () => wakeAll());
  const isSeen = () => document.visibilityState === "visible" && !sdk.isScreenTaken();

  function stop(zone: string): void {
    places.get(zone)?.end();
    places.delete(zone);
  }

  return {
    async start(zone, place) {
      stop(zone);
      const { into, refresh } = place;
      const [w, h] = (place.size ?? "320x50").split("x").map(Number);
      const request = { zone, format: "banner" as const, w: w ?? 0, h: h ?? 0 };
      // Without an IntersectionObserver the place counts as visible.
      let isInView = true;
      return new Promise<ShowResult>((resolve) => {
        let isGivenUp = false;
        // An ad that the user has opened up stays until the user closes it.
        let inPlace: Promise<void> | undefined;
        let back = () => {};
        const onEngaged = (isEngaged: boolean) => {
          if (isEngaged) inPlace = new Promise((resume) => (back = resume));
          else back();
        };
        async function turn() {
          await inPlace;
          const loaded = isGivenUp || sdk.isAdReady(zone) ? null : await sdk.loadAd(request);
          await inPlace;
          // The zone has another place by now, and what was loaded is for that one.
          if (isGivenUp) return null;
          // Nobody sees the page: the ad stays ready. Whether its place is in view is not asked again: an empty one may have no size.
          const result = loaded?.ok === false ? loaded : isSeen() && (await sdk.showAd(zone, { ...place, onEngaged }));
          if (!result) return null;
          resolve(result);
          return result.ok ? { failed: false, refreshSeconds: result.refreshSeconds } : turnWithout(result.code);
        }
        const isVisible = () => isSeen() && isInView && into.isConnected;
        const rotation = startRotation(host, { turn, refreshSeconds: refresh, isVisible });
        const observer =
          typeof IntersectionObserver === "undefined"
            ? null
            : new IntersectionObserver((entries) => {
                // An empty place without height also intersects.
                for (const { isIntersecting } of entries) isInView = isIntersecting;
                if (isInView) rotation.wake();
              });
        observer?.observe(into);
        const end = () => {
          isGivenUp = true;
          rotation.stop();
          observer?.disconnect();
          resolve({ ok: false, code: "destroyed", message: "destroyAd was called" });
        };
        places.set(zone, { rotation, end });
      });
    },
    stop,
    wakeAll,
    stopAll() {
      for (const zone of places.keys()) stop(zone);
    },
  };
}
