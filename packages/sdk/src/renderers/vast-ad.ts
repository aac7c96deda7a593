import type { ShowEvents } from "../core/index.ts";
import { randomId, SdkError, strongRandom } from "../core/index.ts";
import type { Place } from "../web/place.ts";
import { overlay, type Overlay } from "./overlay.ts";
import { openLanding, type Renderer } from "./renderer.ts";
import { chooseMedia } from "./vast/choose-media.ts";
import { controlButton, iconsOver } from "./vast/controls.ts";
import { endCardOf } from "./vast/end-card.ts";
import { measure, type Measurement } from "./vast/omid.ts";
import { forget, player, STALL_LIMIT_MS } from "./vast/player.ts";
import { offsetSeconds } from "./vast/read-vast.ts";
import { getDocument, resolveVast } from "./vast/resolve-vast.ts";
import { resourceElement } from "./vast/resource-frame.ts";
import { fillMacros, tracker } from "./vast/tracker.ts";
import { VAST_ERROR, VastError } from "./vast/vast-error.ts";

const SKIP_AFTER_SECONDS = 5;
/** VAST 4.2, section 3.16: verificationNotExecuted. */
const NOT_SUPPORTED = 2;
const NOT_LOADED = 3;

/** Video and audio by VAST 2.0 to 4.2; rewarded ads are videos that give their reward at their end, and cannot be skipped. */
export const vastAd: Renderer["prepare"] = async (ad, { format, budget, frameUrl }) => {
  const { impression, click } = ad.beacons;
  const kind = format === "audio" ? "audio" : "video";
  const media = document.createElement(kind);
  const state = { playhead: () => media.currentTime, asset: () => media.currentSrc };
  const tracked = tracker([impression, click], state);
  /** Tells the Error addresses, and the SDK that this ad is none. */
  const refuse = (cause: unknown): null => {
    if (!(cause instanceof VastError)) throw cause;
    tracked.error(cause.code, cause.urls);
    return null;
  };
  const vast = await resolveVast(ad.markup.content, (url) => getDocument(fillMacros(url, state))).catch(refuse);
  if (!vast) return null;
  const chosen = chooseMedia(
    vast.mediaFiles,
    {
      kind,
      width: window.innerWidth,
      durationSeconds: vast.durationSeconds || 30,
      canPlay: (type) => media.canPlayType(type) !== "",
    },
    budget,
  );
  if (!chosen.file) {
    if (chosen.isOverBudget) throw new SdkError("budget", "No file of this ad fits into the session's download budget");
    return refuse(new VastError(VAST_ERROR.noMedia, "No file can be played", vast.errors));
  }
  media.preload = "auto";
  media.src = chosen.file.url;
  if (media instanceof HTMLVideoElement) media.playsInline = true;
  tracked.once("loaded", vast.tracking.get("loaded"));

  // An ad that is never shown must not go on downloading.
  let stop = () => forget(media);
  return {
    async show(place: Place, on: ShowEvents) {
      const isFull = place.into === undefined && kind === "video";
      // Null, from an app without types: nobody would see it.
      if (kind === "video" && !isFull && !place.into) return false;
      const isRewarded = format === "rewarded";
      const measured: Measurement | null = measure(vast.verifications, randomId(strongRandom), (failed) =>
        tracked.reason(NOT_LOADED, failed.notExecuted),
      );
      for (const each of vast.verifications) if (each.script === null) tracked.reason(NOT_SUPPORTED, each.notExecuted);

      let over: Overlay | null = null;
      let isOver = false;
      const closed = () => {
        if (isOver) return;
        isOver = true;
        playing.skip();
        on.hidden();
      };
      if (isFull) over = overlay(closed, isRewarded ? "Close" : "Skip");
      const box = document.createElement("div");
      Object.assign(box.style, {
        position: "relative",
        width: "100%",
        height: isFull ? "100%" : "auto",
        display: "grid",
        placeItems: "center",
      });
      Object.assign(media.style, { width: "100%", maxHeight: "100%", display: "block" });
      (place.into ?? over?.dialog)?.append(box);
      if (box.parentElement) box.append(media);

      const land = (url: string | null, tracking: readonly string[], through: string | null) => {
        on.clicked();
        tracked.fire(tracking);
        const landingUrl = url ?? through;
        if (landingUrl !== null) openLanding(landingUrl);
      };
      const open = () => land(null, vast.clickTracking, vast.clickThrough);
      const skipAt = isRewarded
        ? null
        : ((vast.skipOffset === null ? null : offsetSeconds(vast.skipOffset, vast.durationSeconds)) ??
          place.skipAfter ??
          SKIP_AFTER_SECONDS);
      // Over the page, the overlay's own button skips.
      const skip = controlButton("Skip", "Skip the ad", { right: "12px", bottom: "64px" });
      skip.addEventListener("click", closed);
      const offerSkip = () => {
        // Once, because a button that moves loses the focus.
        if (kind === "video" && !isFull && !skip.parentElement) box.append(skip);
      };
      const icons = iconsOver(
        box,
        vast.icons,
        {
          viewed: (icon) => tracked.fire(icon.views),
          open: (icon, url) => {
            tracked.fire(icon.clickTracking);
            const landingUrl = url ?? icon.clickThrough;
            if (landingUrl !== null) openLanding(landingUrl);
          },
        },
        frameUrl,
      );

      const showEndCard = (): boolean => {
        const card = endCardOf(vast.companions);
        if (!card || !box.parentElement) return false;
        const size = { w: `min(100%, ${card.w}px)`, h: `min(100%, ${card.h}px)` };
        const resource = resourceElement(
          box,
          card,
          size,
          {
            open: (url) => land(url, card.clickTracking, card.clickThrough),
            escape: () => over?.tryClose(),
          },
          frameUrl,
        );
        if (!resource) return false;
        // Not replaceChildren, which would move the card's frame and so load it again.
        for (const each of Array.from(box.children)) if (each !== resource.element) each.remove();
        tracked.once("end card", card.views);
        return true;
      };

      let settle: (starts: boolean) => void = () => {};
      const starts = new Promise<boolean>((resolve) => (settle = resolve));
      /** A playing ad that breaks must not keep the screen or its place, and without controls it is over. */
      const breakOff = () => {
        over?.count(0);
        offerSkip();
        if (kind === "audio") on.hidden();
      };
      const fail = (code: number) => {
        tracked.error(code, vast.errors);
        measured?.event("sessionError", { errorType: "media", message: String(code) });
        settle(false);
        breakOff();
      };
      const timer = setTimeout(() => fail(VAST_ERROR.mediaTimeout), STALL_LIMIT_MS);
      const playing = player(
        media,
        vast,
        tracked,
        {
          started() {
            clearTimeout(timer);
            tracked.once("impression", vast.impressions);
            tracked.once("creativeView", vast.tracking.get("creativeView"));
            measured?.event("loaded", {
              skippable: skipAt !== null,
              skipOffset: skipAt ?? 0,
              autoPlay: true,
              position: "standalone",
            });
            measured?.event("impression", { mediaType: "video" });
            settle(true);
          },
          progress(seconds) {
            icons(seconds);
            if (skipAt === null) return;
            over?.count(skipAt - seconds);
            if (seconds >= skipAt) offerSkip();
          },
          completed() {
            if (isRewarded) on.rewarded();
            measured?.finish();
            const hasCard = showEndCard();
            over?.relabel("Close");
            over?.count(0);
            skip.remove();
            if (hasCard) return;
            if (over) over.tryClose();
            else if (kind === "audio") closed();
          },
          failed: fail,
          stalled() {
            tracked.error(VAST_ERROR.mediaTimeout, vast.errors);
            breakOff();
          },
          event: (type, data) => measured?.event(type, data),
        },
        VAST_ERROR.notFound,
      );
      stop = () => {
        clearTimeout(timer);
        settle(false);
        playing.stop();
        measured?.finish();
        over?.remove();
        box.remove();
      };

      if (box.parentElement) {
        if (vast.clickThrough !== null) {
          const more = controlButton("Learn more", "Open the advertiser's page", { left: "12px", bottom: "12px" });
          for (const each of [more, media]) each.addEventListener("click", open);
          box.append(more);
        }
        const mute = controlButton("Mute", "Mute the ad", { right: "12px", bottom: "12px" });
        mute.addEventListener("click", () => playing.setMuted(!media.muted));
        media.addEventListener("volumechange", () => {
          mute.textContent = media.muted ? "Unmute" : "Mute";
          mute.setAttribute("aria-label", media.muted ? "Unmute the ad" : "Mute the ad");
        });
        box.append(mute);
      }
      // The media may have failed while it was loaded, before anybody listened.
      if (media.error) fail(VAST_ERROR.notFound);
      else playing.play().catch(() => fail(media.error ? VAST_ERROR.notFound : VAST_ERROR.display));
      const isStarted = await starts;
      if (isStarted) over?.open(null);
      return isStarted;
    },
    destroy: () => stop(),
  };
};
