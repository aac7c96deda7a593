import { type Container, mraidContainer } from "./mraid/container.ts";
import { type Overlay, overlay } from "./overlay.ts";
import { openLanding, type Renderer } from "./renderer.ts";

const SKIP_AFTER_SECONDS = 5;

/** An ad of HTML with MRAID 3.0: in the app's page, where it may expand and resize, or over it. */
export const mraidAd: Renderer["prepare"] = async ({ markup: { content }, w, h }, { frameUrl }) => {
  if (content.trim() === "") return null;
  let container: Container | null = null;
  let over: Overlay | null = null;

  return {
    async show(place, on) {
      const open = (url: string) => {
        on.clicked();
        openLanding(url);
      };
      if (place.into) {
        const engaged = (isEngaged: boolean) => place.onEngaged?.(isEngaged);
        const events = { open, escape() {}, closed: on.hidden, engaged };
        container = mraidContainer(place.into, content, { w: w ?? 320, h: h ?? 50 }, "inline", events, frameUrl);
        const { slot, shown } = container;
        // The ad before stays until this one shows, so that there is no flicker and no gap.
        if (place.into.childElementCount > 1) Object.assign(slot.style, { position: "absolute", visibility: "hidden" });
        const shows = await shown;
        Object.assign(slot.style, { position: "relative", visibility: "" });
        return shows;
      }
      const opened = overlay(on.hidden);
      over = opened;
      const closed = () => {
        // An ad that closes itself does not wait for the user's countdown.
        opened.count(0);
        opened.tryClose();
      };
      const events = { open, escape: () => opened.tryClose(), closed, engaged() {} };
      const screen = { w: "100%", h: "100%" };
      container = mraidContainer(opened.dialog, content, screen, "interstitial", events, frameUrl);
      const shows = await container.shown;
      if (shows) opened.open(place.skipAfter ?? SKIP_AFTER_SECONDS);
      return shows;
    },
    destroy() {
      container?.remove();
      over?.remove();
    },
  };
};
