import type { Ad } from "@millrace/contract";
import type { Mediation } from "../core/index.ts";
import { adFrame } from "./ad-frame.ts";

export interface InterstitialOptions {
  /** Your name for the place: 1 to 64 letters, digits or `_.:-`. */
  zone: string;
  /** Seconds until it can be closed; 5 by default. */
  skipAfter?: number;
}

export interface InterstitialResult {
  shown: boolean;
}

/** Shows a full-screen ad. Resolves once it is closed, or with `shown: false` if there was none. */
export async function showInterstitial(
  mediation: Mediation,
  options: InterstitialOptions,
  frameUrl?: string,
): Promise<InterstitialResult> {
  const skipAfter = options.skipAfter ?? 5;
  let closed: Promise<void> = Promise.resolve();
  const size = { w: Math.max(1, window.innerWidth), h: Math.max(1, window.innerHeight) };
  const request = { zone: options.zone, format: "interstitial" as const, ...size };
  const { shown } = await mediation.show(request, async (ad, onClick) => {
    if (ad.markup.type !== "html" || ad.markup.content.trim() === "") return false;
    const overlay = openOverlay(ad, skipAfter, onClick, frameUrl);
    closed = overlay.closed;
    return overlay.shown;
  });
  await closed;
  return { shown };
}

/** A modal dialog: the browser traps focus inside, makes the app behind it inert, and restores focus on close. */
function openOverlay(ad: Ad, skipAfter: number, onClick: () => void, frameUrl?: string) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", "Advertisement");
  Object.assign(dialog.style, {
    position: "fixed",
    inset: "0",
    width: "100vw",
    height: "100vh",
    maxWidth: "100vw",
    maxHeight: "100vh",
    margin: "0",
    padding: "0",
    border: "0",
    background: "#0b1416",
    display: "grid",
    placeItems: "center",
    overflow: "hidden",
  });

  const button = document.createElement("button");
  button.type = "button";
  Object.assign(button.style, {
    position: "absolute",
    top: "max(12px, env(safe-area-inset-top))",
    right: "12px",
    minWidth: "44px",
    minHeight: "44px",
    padding: "0 14px",
    border: "0",
    borderRadius: "22px",
    background: "rgba(0, 0, 0, 0.75)",
    color: "#fff",
    font: "600 15px system-ui, sans-serif",
    zIndex: "1",
  });

  let left = Math.ceil(skipAfter);
  const updateButton = () => {
    button.textContent = left > 0 ? `Close in ${left}` : "✕";
    button.setAttribute("aria-label", left > 0 ? `Close ad, possible in ${left} seconds` : "Close ad");
    // Not `disabled`, which would remove keyboard focus.
    button.setAttribute("aria-disabled", String(left > 0));
    button.style.cursor = left > 0 ? "default" : "pointer";
  };
  updateButton();

  const close = () => {
    if (left <= 0) dialog.close();
  };
  const frame = adFrame(
    dialog,
    ad.markup.content,
    { w: ad.w === null ? "100%" : `min(100%, ${ad.w}px)`, h: ad.h === null ? "100%" : `min(100%, ${ad.h}px)` },
    {
      onEscape: close,
      onOpen(url) {
        onClick();
        window.open(url, "_blank", "noopener");
      },
    },
    frameUrl,
  );
  button.addEventListener("click", close);
  dialog.addEventListener("cancel", (event) => {
    if (left > 0) event.preventDefault();
  });
  dialog.append(button);

  let countdown: ReturnType<typeof setInterval> | undefined;
  const closed = new Promise<void>((resolve) => {
    dialog.addEventListener("close", () => {
      clearInterval(countdown);
      frame.remove();
      dialog.remove();
      resolve();
    });
  });

  // Hidden until the ad starts to render, so that nobody sees an empty, locked screen.
  dialog.style.visibility = "hidden";
  document.body.append(dialog);
  const shown = frame.shown.then((shows) => {
    if (!shows) {
      dialog.dispatchEvent(new Event("close"));
      return false;
    }
    dialog.style.visibility = "";
    dialog.showModal();
    button.focus();
    countdown = setInterval(() => {
      left -= 1;
      if (left <= 0) clearInterval(countdown);
      updateButton();
    }, 1000);
    return true;
  });
  return { shown, closed };
}
