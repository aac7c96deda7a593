import type { Rect } from "./resized-rect.ts";

export type MraidState = "loading" | "default" | "expanded" | "resized" | "hidden";

/** What the ad is told about itself; all lengths are CSS pixels. */
export interface MraidFacts {
  state: MraidState;
  position: Rect;
  defaultPosition: Rect;
  maxSize: { width: number; height: number };
  screenSize: { width: number; height: number };
  orientation: { orientation: "portrait" | "landscape"; locked: boolean };
  isViewable: boolean;
}

/** From the SDK to the bridge: new facts, then the events that follow from them, as names with their arguments. */
export interface MraidNews {
  facts: MraidFacts;
  events: [name: string, ...args: unknown[]][];
}

/** From the bridge to the SDK: a call of the ad's with its argument. */
export type MraidCall =
  | { call: "close" | "unload" | "expand" }
  | { call: "resize" | "orientation"; properties: unknown };

/** What the bridge knows from the start. */
export interface MraidStart {
  placement: "inline" | "interstitial";
  env: { version: string; sdk: string; sdkVersion: string };
  facts: MraidFacts;
}

/**
 * `window.mraid` and `MRAID_ENV` of an ad (MRAID 3.0). It runs in the ad's frame, where its source text is put, so it must not
 * use anything from outside itself. Custom close buttons do not exist in MRAID 3: the call for one does nothing.
 */
export function mraidBridge({ placement, env, facts: first }: MraidStart): void {
  type Listener = (...args: unknown[]) => void;
  let facts = first;
  let expandProperties: Record<string, unknown> = {};
  let resizeProperties: Record<string, unknown> | null = null;
  let orientationProperties = { allowOrientationChange: true, forceOrientation: "none" };
  const listeners = new Map<string, Set<Listener>>();
  const known = "error ready sizeChange stateChange exposureChange audioVolumeChange viewableChange".split(" ");

  const say = (mraid: MraidCall) => parent.postMessage({ millrace: 1, mraid }, "*");
  const fire = (name: string, ...args: unknown[]) => {
    for (const listener of Array.from(listeners.get(name) ?? [])) {
      try {
        listener(...args);
      } catch (thrown) {
        // One listener's fault is not the next one's.
        setTimeout(() => {
          throw thrown;
        });
      }
    }
  };
  const fail = (message: string, action: string) => fire("error", message, action);
  const copy = <T extends object>(value: T): T => ({ ...value });
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

  addEventListener("message", (event: MessageEvent) => {
    const news = (event.data as { mraid?: MraidNews } | null)?.mraid;
    if (event.source !== parent || !news) return;
    facts = news.facts;
    for (const [name, ...args] of news.events) fire(name, ...args);
  });

  const mraid = {
    getVersion: () => env.version,
    addEventListener(name: string, listener: Listener) {
      if (!known.includes(name) || typeof listener !== "function")
        return fail(`There is no event ${name}`, "addEventListener");
      listeners.set(name, (listeners.get(name) ?? new Set<Listener>()).add(listener));
    },
    removeEventListener(name: string, listener?: Listener) {
      const all = listeners.get(name);
      if (listener === undefined) listeners.delete(name);
      else if (!all?.delete(listener)) fail(`No such listener of ${name}`, "removeEventListener");
    },
    open(url: string) {
      try {
        parent.postMessage({ millrace: 1, open: String(new URL(url, document.baseURI)) }, "*");
      } catch {
        fail("This is no address", "open");
      }
    },
    playVideo: (url: string) => mraid.open(url),
    close: () => say({ call: "close" }),
    unload: () => say({ call: "unload" }),
    expand(url?: string) {
      if (placement === "interstitial") return;
      if (url !== undefined && url !== null) fail("A second document is not supported", "expand");
      else if (facts.state === "default" || facts.state === "resized") say({ call: "expand" });
      else fail(`Not in the state ${facts.state}`, "expand");
    },
    resize() {
      if (placement === "interstitial") fail("An interstitial cannot be resized", "resize");
      else if (resizeProperties === null) fail("Call setResizeProperties first", "resize");
      else if (facts.state === "default" || facts.state === "resized") {
        say({ call: "resize", properties: resizeProperties });
      } else fail(`Not in the state ${facts.state}`, "resize");
    },
    useCustomClose() {},
    getState: () => facts.state,
    isViewable: () => facts.isViewable,
    getPlacementType: () => placement,
    getCurrentPosition: () => copy(facts.position),
    getDefaultPosition: () => copy(facts.defaultPosition),
    getMaxSize: () => copy(facts.maxSize),
    getScreenSize: () => copy(facts.screenSize),
    getCurrentAppOrientation: () => copy(facts.orientation),
    getLocation: () => -1,
    // A page cannot send text messages, call, or store for the ad; its player is the ad's own <video>.
    supports: (feature: string) => feature === "inlineVideo",
    getExpandProperties: () => ({ ...facts.screenSize, ...expandProperties, useCustomClose: false, isModal: true }),
    setExpandProperties(properties: unknown) {
      if (isObject(properties)) expandProperties = { ...expandProperties, ...properties };
      else fail("Expand properties must be an object", "setExpandProperties");
    },
    getResizeProperties: () => (resizeProperties === null ? undefined : copy(resizeProperties)),
    setResizeProperties(properties: unknown) {
      if (isObject(properties)) resizeProperties = copy(properties);
      else fail("Resize properties must be an object", "setResizeProperties");
    },
    getOrientationProperties: () => copy(orientationProperties),
    setOrientationProperties(properties: unknown) {
      if (!isObject(properties)) return fail("Orientation properties must be an object", "setOrientationProperties");
      const { allowOrientationChange: allow, forceOrientation: force } = properties;
      if (force !== undefined && force !== "portrait" && force !== "landscape" && force !== "none") {
        return fail("forceOrientation must be portrait, landscape or none", "setOrientationProperties");
      }
      orientationProperties = {
        allowOrientationChange: typeof allow === "boolean" ? allow : orientationProperties.allowOrientationChange,
        forceOrientation: force ?? orientationProperties.forceOrientation,
      };
      say({ call: "orientation", properties: orientationProperties });
    },
    storePicture: () => fail("Not supported", "storePicture"),
    createCalendarEvent: () => fail("Not supported", "createCalendarEvent"),
  };
  Object.assign(window, { mraid, MRAID_ENV: env });
}
