import { startRotation, type Host, type Mediation, type Render } from "../core/index.ts";
import { adFrame, type AdFrame } from "./ad-frame.ts";

export interface BannerOptions {
  /** Your own name of the place: letters, digits and `_.:-`, 64 at most. */
  zone: string;
  /** Width x height in CSS pixels; 320x50 where it is left out. */
  size?: `${number}x${number}`;
  /** Seconds until the next ad, 0 for never; what the dashboard says where it is left out. */
  refresh?: number;
}

export interface Banner {
  /** Takes the banner away and stops its refreshing. */
  destroy(): void;
}

/** Keeps a banner in `element`, asked for anew while it is in sight. */
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
  // Where nothing can tell, the place counts as seen.
  let inSight = true;

  const render: Render = async (ad, onClick) => {
    if (destroyed || ad.markup.type !== "html" || ad.markup.content.trim() === "") return false;
    const size = { w: ad.w ?? w, h: ad.h ?? h };
    const onOpen = (url: string) => {
      onClick();
      window.open(url, "_blank", "noopener");
    };
    const next = adFrame(element, ad.markup.content, size, { onOpen }, frameUrl);
    // The old ad stays until the new one shows: no flicker, and no hole when it fails.
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
    isVisible: () => document.visibilityState === "visible" && inSight && element.isConnected,
  });

  const sight =
    typeof IntersectionObserver === "undefined"
      ? null
      : new IntersectionObserver((entries) => {
          // An empty place has no height of its own and still is where a banner is to come.
          inSight = entries.at(-1)?.isIntersecting ?? true;
          if (inSight) rotation.wake();
        });
  sight?.observe(element);

  return {
    wake: () => rotation.wake(),
    destroy() {
      destroyed = true;
      rotation.stop();
      sight?.disconnect();
      current?.remove();
    },
  };
}
