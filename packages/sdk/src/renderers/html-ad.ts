import type { Ad } from "@millrace/contract";
import { adFrame, type AdFrame } from "./ad-frame.ts";
import { type Overlay, overlay } from "./overlay.ts";
import { openLanding, type Renderer } from "./renderer.ts";

const SKIP_AFTER_SECONDS = 5;

/** An ad of HTML, in its sandboxed frame: in the app's page, or over it. */
export const htmlAd: Renderer["prepare"] = async (ad, { frameUrl }) => {
  if (ad.markup.content.trim() === "") return null;
  let frame: AdFrame | null = null;
  let over: Overlay | null = null;

  return {
    async show(place, on) {
      const onOpen = (url: string) => {
        on.clicked();
        openLanding(url);
      };
      if (place.into) {
        frame = adFrame(place.into, ad.markup.content, { w: ad.w ?? 320, h: ad.h ?? 50 }, { onOpen }, frameUrl);
        // The ad before stays until this one shows, so that there is no flicker and no gap.
        if (place.into.childElementCount > 1) {
          Object.assign(frame.element.style, { position: "absolute", visibility: "hidden" });
        }
        const shows = await frame.shown;
        Object.assign(frame.element.style, { position: "", visibility: "" });
        return shows;
      }
      const opened = overlay(on.hidden);
      over = opened;
      const onEscape = () => opened.tryClose();
      frame = adFrame(opened.dialog, ad.markup.content, fitted(ad), { onOpen, onEscape }, frameUrl);
      const shows = await frame.shown;
      if (shows) opened.open(place.skipAfter ?? SKIP_AFTER_SECONDS);
      return shows;
    },
    destroy() {
      frame?.remove();
      over?.remove();
    },
  };
};

const fitted = ({ w, h }: Ad) => ({
  w: w === null ? "100%" : `min(100%, ${w}px)`,
  h: h === null ? "100%" : `min(100%, ${h}px)`,
});
