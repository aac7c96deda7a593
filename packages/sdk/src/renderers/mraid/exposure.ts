import type { Rect } from "./resized-rect.ts";

const STEPS = Array.from({ length: 21 }, (_, nth) => nth / 20);

/** How much of an ad is on the screen: a percentage, and the visible part from its own top left; null if nothing is. */
export interface Exposure {
  percentage: number;
  visible: Rect | null;
}

const NOTHING: Exposure = { percentage: 0, visible: null };

/**
 * Reports every change of an ad's exposure (MRAID 3.0, `exposureChange`), in steps of 5 percent. A hidden page exposes nothing.
 * `again` reports it once more, after the ad was resized.
 */
export function watchExposure(element: Element, tell: (exposure: Exposure) => void): { again(): void; stop(): void } {
  let inPage = NOTHING;
  const report = () => tell(document.visibilityState === "hidden" ? NOTHING : inPage);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { intersectionRatio: ratio, intersectionRect: seen, boundingClientRect: whole } of entries) {
        inPage =
          ratio === 0
            ? NOTHING
            : {
                percentage: Math.round(ratio * 1000) / 10,
                visible: { x: seen.x - whole.x, y: seen.y - whole.y, width: seen.width, height: seen.height },
              };
      }
      report();
    },
    { threshold: STEPS },
  );
  observer.observe(element);
  document.addEventListener("visibilitychange", report);
  return {
    again() {
      observer.unobserve(element);
      observer.observe(element);
    },
    stop() {
      observer.disconnect();
      document.removeEventListener("visibilitychange", report);
    },
  };
}
