import { VERSION } from "../../core/version.ts";
import { adFrame } from "../ad-frame.ts";
import { closeButton } from "./close-button.ts";
import { mraidBridge, type MraidCall, type MraidFacts, type MraidNews, type MraidState } from "./bridge.ts";
import { type Exposure, watchExposure } from "./exposure.ts";
import { readResizeProperties, type Rect, resizedRect } from "./resized-rect.ts";

export interface ContainerEvents {
  open(url: string): void;
  escape(): void;
  /** The ad closes itself where there is nothing to return to, or asks to be unloaded. */
  closed(): void;
  /** The user has made the ad larger than its place, or it is back. */
  engaged(isEngaged: boolean): void;
}

export interface Container {
  /** What is placed in the page; it has the size of the ad's place, whatever the ad's own size is. */
  slot: HTMLElement;
  shown: Promise<boolean>;
  remove(): void;
}

const sameRect = (a: Rect, b: Rect) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/**
 * An ad with MRAID 3 in its sandboxed frame. The frame never moves in the document, because it would load again: an expanded
 * ad covers the screen as a popover, and a resized one is placed from its slot.
 */
export function mraidContainer(
  into: HTMLElement,
  markup: string,
  size: { w: number | string; h: number | string },
  placement: "inline" | "interstitial",
  on: ContainerEvents,
  frameUrl: string | undefined,
): Container {
  const slot = document.createElement("div");
  const box = document.createElement("div");
  const length = (side: number | string) => (typeof side === "number" ? `${side}px` : side);
  Object.assign(slot.style, { position: "relative", width: length(size.w), height: length(size.h) });
  const atHome = {
    position: "absolute",
    inset: "0",
    width: "100%",
    height: "100%",
    margin: "0",
    padding: "0",
    border: "0",
  };
  Object.assign(box.style, atHome);
  slot.append(box);
  into.append(slot);

  let state: MraidState = "loading";
  let exposure: Exposure = { percentage: 0, visible: null };
  let reportedFacts: MraidFacts = facts();
  let watch: ReturnType<typeof watchExposure> | null = null;
  let isRemoved = false;

  const script = `(${mraidBridge.toString()})(${JSON.stringify({
    placement,
    env: { version: "3.0", sdk: "Millrace", sdkVersion: VERSION },
    facts: reportedFacts,
  }).replaceAll("<", "\\u003c")})`;
  const frame = adFrame(
    box,
    // The bridge is there already; the address of the script does not exist.
    markup.replace(/<script\b[^>]*\bmraid\.js\b[^>]*>\s*<\/script\s*>/gi, ""),
    { w: "100%", h: "100%" },
    { onOpen: on.open, onEscape: escape, onMraid: (call, isPressed) => handle(call as MraidCall, isPressed) },
    frameUrl,
    script,
  );
  const button = closeButton(box, close);
  // Not once its document has loaded: one address that never answers must not keep an ad that counts from its work.
  void frame.shown.then((shows) => {
    if (shows && !isRemoved) getReady();
  });

  function facts(): MraidFacts {
    const rect = (element: Element): Rect => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    };
    const screenSize = { width: window.innerWidth, height: window.innerHeight };
    return {
      state,
      position: rect(box),
      defaultPosition: rect(slot),
      maxSize: screenSize,
      screenSize,
      orientation: { orientation: screenSize.width > screenSize.height ? "landscape" : "portrait", locked: false },
      isViewable: exposure.percentage > 0,
    };
  }

  /** Tells the ad of what has changed, and of more events. */
  function tell(...events: MraidNews["events"]): void {
    const before = reportedFacts;
    reportedFacts = facts();
    const { position } = reportedFacts;
    if (state !== "loading" && !sameRect({ ...before.position, x: 0, y: 0 }, { ...position, x: 0, y: 0 })) {
      events.unshift(["sizeChange", position.width, position.height]);
    }
    if (before.state !== state) events.unshift(["stateChange", state]);
    frame.tell({ facts: reportedFacts, events } satisfies MraidNews);
  }
  const moved = () => {
    tell();
    watch?.again();
  };
  const fail = (message: string, action: string) => tell(["error", message, action]);

  function getReady(): void {
    state = "default";
    tell(["ready"]);
    // The volume of the device is not known to a page.
    tell(["audioVolumeChange", null]);
    let wasViewable = false;
    watch = watchExposure(box, (next) => {
      exposure = next;
      const { percentage, visible } = next;
      const isViewable = percentage > 0;
      const changed: MraidNews["events"] = isViewable === wasViewable ? [] : [["viewableChange", isViewable]];
      wasViewable = isViewable;
      tell(["exposureChange", percentage, visible, null], ...changed);
    });
  }

  /** Everything here comes from the ad. */
  function handle(message: MraidCall, isPressed: boolean): void {
    switch (message.call) {
      case "close":
        return close();
      case "unload":
        return on.closed();
      case "expand":
        return isPressed ? expand() : fail("An ad expands after a press on it", "expand");
      case "resize":
        return isPressed ? resize(message.properties) : fail("An ad is resized after a press on it", "resize");
      case "orientation":
        return;
    }
  }

  function engage(as: "expanded" | "resized"): void {
    if (state === "default") on.engaged(true);
    state = as;
  }

  function expand(): void {
    if (placement === "interstitial" || (state !== "default" && state !== "resized")) return;
    // Native apps give a banner a web view of its own size, in which an expanded ad would be as small, below a close button.
    if (window.innerHeight <= slot.clientHeight) return fail("There is no room around the ad", "expand");
    engage("expanded");
    Object.assign(box.style, { position: "fixed", inset: "0", width: "100vw", height: "100vh", zIndex: "2147483647" });
    // The top layer, where no style of the page's around it can clip or cover it.
    box.popover = "manual";
    box.showPopover?.();
    button.show(true);
    moved();
  }

  function resize(properties: unknown): void {
    if (placement === "interstitial" || (state !== "default" && state !== "resized")) return;
    const resizeProperties = readResizeProperties(properties);
    if (typeof resizeProperties === "string") return fail(resizeProperties, "resize");
    const from = slot.getBoundingClientRect();
    const rect = resizedRect(from, resizeProperties, { width: window.innerWidth, height: window.innerHeight });
    if (typeof rect === "string") return fail(rect, "resize");
    engage("resized");
    const [left, top] = [`${rect.x - from.x}px`, `${rect.y - from.y}px`];
    const [width, height] = [`${rect.width}px`, `${rect.height}px`];
    Object.assign(box.style, { position: "absolute", inset: "auto", left, top, width, height, zIndex: "2147483647" });
    button.show(false);
    moved();
  }

  /** Back to the place, or away. */
  function close(): void {
    if (state !== "expanded" && state !== "resized") {
      if (state === "loading") return;
      state = "hidden";
      tell();
      on.closed();
      return;
    }
    const isPopover = state === "expanded";
    state = "default";
    on.engaged(false);
    button.hide();
    // Not by `:popover-open`: browsers without popovers refuse the selector, too, and the ad would stay on the screen.
    if (isPopover) box.hidePopover?.();
    box.removeAttribute("popover");
    Object.assign(box.style, { ...atHome, zIndex: "" });
    moved();
  }

  function escape(): void {
    if (state === "expanded" || state === "resized") close();
    else on.escape();
  }

  const onResize = () => {
    if (state !== "loading") moved();
  };
  window.addEventListener("resize", onResize);

  return {
    slot,
    shown: frame.shown,
    remove() {
      if (isRemoved) return;
      isRemoved = true;
      on.engaged(false);
      watch?.stop();
      window.removeEventListener("resize", onResize);
      button.hide();
      frame.remove();
      slot.remove();
    },
  };
}
