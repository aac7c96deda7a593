import { frameDocument } from "./frame-document.ts";

const LOAD_TIMEOUT_MS = 10_000;

export interface FrameEvents {
  /** The user followed a link in the ad. Only http(s) and store addresses get here. */
  onOpen: (url: string) => void;
  onEscape?: () => void;
  /** A message of the ad's MRAID bridge; `isPressed` is true after a press on the ad itself. */
  onMraid?: (message: unknown, isPressed: boolean) => void;
}

export interface AdFrame {
  element: HTMLIFrameElement;
  /** True once the ad starts to render; false if it does not within ten seconds. */
  shown: Promise<boolean>;
  /** Sends a message to the ad's MRAID bridge. */
  tell(mraid: object): void;
  remove(): void;
}

/**
 * Renders markup in a frame without an origin: its scripts run, but have no access to the app's page, cookies or storage. An
 * intermediate frame distinguishes a press on the ad from one on the page.
 * `script` runs in the ad's frame before its own. `frameUrl` is the address of our frame page, for apps whose Content-Security-Policy would also apply to a `srcdoc`.
 */
export function adFrame(
  into: HTMLElement,
  markup: string,
  size: { w: number | string; h: number | string },
  events: FrameEvents,
  frameUrl?: string,
  script = "",
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
    // Every frame without an origin has the origin "null"; only `source` identifies this one.
    if (event.source !== element.contentWindow || event.origin !== "null") return;
    const message = event.data as {
      millrace?: unknown;
      open?: unknown;
      escape?: unknown;
      shown?: unknown;
      ready?: unknown;
      mraid?: unknown;
      pressed?: unknown;
    };
    if (typeof message !== "object" || message?.millrace !== 1) return;
    if (message.ready) element.contentWindow?.postMessage({ millrace: 1, markup: frameDocument(markup, script) }, "*");
    if (message.shown) settle(true);
    if (message.escape) events.onEscape?.();
    if (message.mraid) events.onMraid?.(message.mraid, message.pressed === true && isUserActive());
    if (typeof message.open === "string" && isLanding(message.open) && isUserActive()) events.onOpen(message.open);
  }
  window.addEventListener("message", onMessage);

  if (frameUrl === undefined) {
    element.srcdoc = frameDocument(markup, script);
    element.addEventListener("load", () => settle(true));
  } else {
    element.src = frameUrl;
  }
  into.append(element);

  return {
    element,
    shown: shown.finally(() => clearTimeout(timer)),
    tell: (mraid) => element.contentWindow?.postMessage({ millrace: 1, mraid }, "*"),
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

/** A press on the ad also activates the page around it, and opening a page consumes that: one press opens one page. */
function isUserActive(): boolean {
  return (navigator as { userActivation?: { isActive: boolean } }).userActivation?.isActive ?? true;
}
