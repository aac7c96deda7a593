import { startRotation, type Host, type Mediation, type Render } from "../core/index.ts";
import { adFrame, type AdFrame } from "./ad-frame.ts";

export interface BannerOptions {
  /** Your name for the place: 1 to 64 letters, digits or `_.:-`. */
  zone: string;
  /** Width x height in CSS pixels; 320x50 by default. */
  size?: `${number}x${number}`;
  /** Seconds until the next ad, 0 for never; the dashboard's setting by default. */
  refresh?: number;
}

export interface Banner {
  /** Removes the banner and stops refreshing it. */
  destroy(): void;
}

/** Shows a banner in `element` and refreshes it while it is visible. */
export function showBanner(
  mediation: Mediation,
  host: Host,
  element: HTMLElement,
  options: BannerOptions,
  frameUrl?: string,
): Banner & { wake(): void } {
  const [w = 320, h = 50] = (options.size ?? "320x50").split("x").map(Number);
  let current: AdFrame | null = null;
  let destroyed = false;
  // Without an IntersectionObserver the place counts as visible.
  let isInView = true;

  const render: Render = async (ad, onClick) => {
    if (destroyed || ad.markup.type !== "html" || ad.markup.content.trim() === "") return false;
    const size = { w: ad.w ?? w, h: ad.h ?? h };
    const onOpen = (url: string) => {
      onClick();
      window.open(url, "_blank", "noopener");
    };
    const next = adFrame(element, ad.markup.content, size, { onOpen }, frameUrl);
    // The old ad stays until the new one shows, so that there is no flicker and no gap.
    if (current) Object.assign(next.element.style, { position: "absolute", visibility: "hidden" });
    const shows = (await next.shown) && !destroyed;
    if (!shows) {
      next.remove();
      return false;
    }
    current?.remove();
    Object.assign(next.element.style, { position: "", visibility: "" });
    current = next;
    return true;
  };

  const rotation = startRotation(mediation, host, {
    request: { zone: options.zone, format: "banner", w, h },
    render,
    ...(options.refresh === undefined ? {} : { refreshSeconds: options.refresh }),
    isVisible: () => document.visibilityState === "visible" && isInView && element.isConnected,
  });

  const observer =
    typeof IntersectionObserver === "undefined"
      ? null
      : new IntersectionObserver((entries) => {
          // An empty place without height also intersects.
          isInView = entries.at(-1)?.isIntersecting ?? true;
          if (isInView) rotation.wake();
        });
  observer?.observe(element);

  return {
    wake: () => rotation.wake(),
    destroy() {
      destroyed = true;
      rotation.stop();
      observer?.disconnect();
      current?.remove();
    },
  };
}
