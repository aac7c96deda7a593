import { type ReactNode, useEffect } from "react";
import type { Ad, Reply, sdkAd, sdkDebug, sdkInit } from "@millrace/contract";
import type { AdRequest, Incoming, Outgoing } from "@millrace/sdk/core";
import { createMillrace, type Millrace } from "./create-millrace.ts";
import type { NativeModules } from "./native-modules.ts";
import type { Presentation, Slot } from "./prepare-native.ts";

/** What a test of the app's does in place of server and user. */
export interface MockControls {
  /** False: nobody buys, and each load fails with `no_ad`. True by default. */
  fills: boolean;
  /** The loads that reached the server, in their order. */
  requests: Pick<AdRequest, "zone" | "format">[];
  /** The user watches the rewarded ad to its end. */
  earnReward(): void;
  /** The user closes the full-screen ad. */
  close(): void;
  /** The user follows the ad that was shown last. */
  press(): void;
}

const ENDPOINT = "https://ads.example.com";

/**
 * The SDK for the tests of an app: its own logic, with its states, codes and events, on a server and a screen of its own. There is
 * no web view and no connection.
 */
export function createMockMillrace(): Millrace & { mock: MockControls } {
  let last: Presentation | null = null;
  const tell = (type: string) => last?.onMessage(JSON.stringify({ nonce: last.key, type }));
  const mock: MockControls = {
    fills: true,
    requests: [],
    earnReward: () => tell("rewarded"),
    close: () => tell("hidden"),
    press: () => tell("clicked"),
  };
  const start = (presentation: Presentation) => {
    last = presentation;
    tell("started");
  };
  const screen: Slot = { load: start, reveal() {}, hide() {} };

  async function transport({ url, body }: Outgoing): Promise<Incoming> {
    const reply = (json: unknown) => ({ status: 200, json, retryAfterMs: null });
    if (url.endsWith("/sdk/v1/init")) return reply(INIT);
    if (url.endsWith("/sdk/v1/debug")) return reply(DEBUG);
    if (!url.endsWith("/sdk/v1/ad")) return reply({});
    const { zone, format } = JSON.parse(body ?? "{}") as Pick<AdRequest, "zone" | "format">;
    mock.requests.push({ zone, format });
    return reply(adReply(mock.fills ? [adOf(format)] : []));
  }

  const millrace = createMillrace(modulesOf(start), { transport, screen });
  return { ...millrace, mock };
}

/** React Native's modules, as far as the SDK uses them. The web view's ad starts when it is mounted. */
function modulesOf(start: (presentation: Presentation) => void): NativeModules {
  const View = ({ children }: { children?: ReactNode }) => children;
  function WebView({ source, onMessage }: MockWebViewProps) {
    useEffect(() => {
      start({
        key: /nonce: "([^"]+)"/.exec(source.html)?.[1] ?? "",
        ...source,
        isAudio: false,
        onMessage: (data) => onMessage({ nativeEvent: { data } }),
        onFailed() {},
      });
      // oxlint-disable-next-line react/exhaustive-deps -- a page is loaded once
    }, []);
    return null;
  }
  return {
    AppState: { currentState: "active", addEventListener: () => ({ remove() {} }) },
    Platform: { OS: "ios", Version: "18.0" },
    Dimensions: { get: () => ({ width: 390, height: 844, scale: 3 }) },
    Linking: { openURL: async () => true },
    BackHandler: { addEventListener: () => ({ remove() {} }) },
    View,
    WebView,
  };
}

interface MockWebViewProps {
  source: { html: string; baseUrl: string };
  onMessage: (event: { nativeEvent: { data: string } }) => void;
}

const INIT: Reply<typeof sdkInit> = {
  session: "mock",
  session_timeout_seconds: 1800,
  latest_sdk_version: "1.0.0",
  formats: ["banner", "interstitial", "rewarded"],
  zones: [],
  ping_seconds: 3600,
};
const DEBUG: Reply<typeof sdkDebug> = {
  app: { uuid: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", name: "Mock", is_live: true, is_switched_off: false },
  token_expires_at: "2030-01-01T00:00:00.000Z",
  latest_sdk_version: "1.0.0",
  app_ads: "found",
  zones: [],
  partners: [],
  adapters: [],
  auctions: [],
};
const adReply = (ads: Ad[]): Reply<typeof sdkAd> => ({
  auction: "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11",
  ads,
  refresh_seconds: 30,
  country: "DE",
  expires_seconds: 1500,
});
const adOf = (format: Ad["format"]): Ad => ({
  provider: "mock",
  format,
  markup: format === "native" ? { type: "native", content: NATIVE } : { type: "html", content: "<b>ad</b>" },
  w: null,
  h: null,
  revenue_micros: 1_000,
  reward: { name: "coins", amount: 5 },
  beacons: {
    impression: `${ENDPOINT}/beacon/impression?t=mock`,
    click: `${ENDPOINT}/beacon/click?t=mock`,
    loss: `${ENDPOINT}/beacon/loss?t=mock`,
  },
});
const NATIVE = JSON.stringify({
  link: { url: "https://shop.example/" },
  assets: [
    { id: 1, title: { text: "An advertised thing" } },
    { id: 5, data: { value: "Open" } },
  ],
});
