import type * as Sdk from "@millrace/sdk";
import type { Page } from "playwright-core";
import type { AdServer } from "./ad-server.ts";

/** The globals of the pages under test: the SDK, and its events. */
declare global {
  interface Window {
    Millrace: typeof Sdk;
    events: Sdk.SdkEvent[];
    /** What the last `showAd` has resolved to. */
    outcome: Sdk.ShowOutcome | null;
  }
}

/** Opens the app's page and starts the SDK in it. */
export async function startSdk(page: Page, server: AdServer, { framePage = false } = {}): Promise<void> {
  await page.goto(server.pageOrigin);
  await page.evaluate(
    ({ endpoint, frameUrl }) => {
      window.events = [];
      void window.Millrace.initialize({
        app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
        platform: "android",
        endpoint,
        onEvent: (event) => window.events.push(event),
        ...(frameUrl === null ? {} : { frameUrl }),
      });
    },
    { endpoint: server.endpoint, frameUrl: framePage ? `${server.endpoint}/sdk/frame.html` : null },
  );
}

/** The events of these types so far, in their order. */
export const eventsOf = (page: Page, ...types: Sdk.SdkEvent["type"][]) =>
  page.evaluate((wanted) => window.events.filter(({ type }) => wanted.includes(type)), types);

/** Loads an ad and, if there is one, shows it full-screen. Resolves once it is loaded; `window.outcome` is set at its end. */
export const loadAndShow = (page: Page, format: "interstitial" | "video" | "rewarded" | "audio", skipAfter?: number) =>
  page.evaluate(
    async ({ format, place }) => {
      window.outcome = null;
      const loaded = await window.Millrace.loadAd({ zone: "level-end", format });
      if (loaded.ok) void window.Millrace.showAd("level-end", place).then((outcome) => (window.outcome = outcome));
      return loaded;
    },
    { format, place: skipAfter === undefined ? {} : { skipAfter } },
  );
