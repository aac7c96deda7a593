import { frameDocument } from "./frame-document.ts";

const LOAD_TIMEOUT_MS = 10_000;

export interface FrameEvents {
  /** The person followed a link of the ad; http(s) and store addresses only. */
  onOpen: (url: string) => void;
  onEscape?: () => void;
}

export interface AdFrame {
  element: HTMLIFrameElement;
  /** True once the ad begins to render; false when it did not within ten seconds. */
  shown: Promise<boolean>;
  remove(): void;
}

/**
 * Puts markup into a frame that has no origin: its scripts run, but see neither the app's page nor cookies or storage. A frame
 * of ours stands between, which tells a person's press on the ad from one on the page.
 * A `frameUrl` names our own frame page, for apps whose Content-Security-Policy would reach into a `srcdoc`.
 */
export function adFrame(
  into: HTMLElement,
  markup: string,
  size: { w: number | string; h: number | string },
  events: FrameEvents,
  frameUrl?: string,
): AdFrame {
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts allow-popups");
  element.setAttribute("scrolling", "no");
  element.title = "Advertisement";
  element.referrerPolicy = "origin";
  Object.assign(element.style, { border: "0", display: "block", width: pixels(size.w), height: pixels(size.h) });

  let settle: (shown: boolean) => void = () => {};
  const shown = new Promise<boolean>((resolve) => (settle = resolve));
  const timer = setTimeout(() => settle(false), LOAD_TIMEOUT_MS);

  function onMessage(event: MessageEvent): void {
    // A frame without an origin says "null"; which frame it is, only `source` tells.
    if (event.source !== element.contentWindow || event.origin !== "null") return;
    const message = event.data as {
      millrace?: unknown;
      open?: unknown;
      escape?: unknown;
      shown?: unknown;
      ready?: unknown;
    };
    if (typeof message !== "object" || message?.millrace !== 1) return;
    if (message.ready) element.contentWindow?.postMessage({ millrace: 1, markup: frameDocument(markup) }, "*");
    if (message.shown) settle(true);
    if (message.escape) events.onEscape?.();
    if (typeof message.open === "string" && isLanding(message.open) && personActs()) events.onOpen(message.open);
  }
  window.addEventListener("message", onMessage);

  if (frameUrl === undefined) {
    element.srcdoc = frameDocument(markup);
    element.addEventListener("load", () => settle(true));
  } else {
    element.src = frameUrl;
  }
  into.append(element);

  return {
    element,
    shown: shown.finally(() => clearTimeout(timer)),
    remove() {
      settle(false);
      window.removeEventListener("message", onMessage);
      element.remove();
    },
  };
}

const pixels = (length: number | string) => (typeof length === "number" ? `${length}px` : length);

/** Web and store addresses of at most 8,192 characters; never `javascript:`, `data:` or `file:`. */
function isLanding(url: string): boolean {
  return url.length <= 8192 && /^(https?|market|itms-apps|itms-appss):/i.test(url);
}

/** A press on the ad also activates the page around it, and opening a page uses that up: one press opens one page. */
function personActs(): boolean {
  return (navigator as { userActivation?: { isActive: boolean } }).userActivation?.isActive ?? true;
}
