import { createElement, type ReactNode } from "react";
import type { Transport } from "@millrace/sdk/core";
import { createMillrace } from "../create-millrace.ts";
import type { AsyncStorage, NativeModules } from "../native-modules.ts";
import type { Presentation, Slot } from "../prepare-native.ts";

interface WebViewProps {
  source: { html: string; baseUrl: string };
  onMessage: (event: { nativeEvent: { data: string } }) => void;
  onError: () => void;
  onShouldStartLoadWithRequest: (request: { url: string; isTopFrame?: boolean }) => boolean;
}

/** React Native's modules as a device that the test moves; views are elements of the page, and web views are kept. */
export function nativeDouble(AsyncStorage?: AsyncStorage) {
  const opened: string[] = [];
  const webViews: WebViewProps[] = [];
  const backHandlers = new Set<() => boolean>();
  const stateListeners = new Set<(state: string) => void>();
  const AppState = {
    currentState: "active" as string | null,
    addEventListener(_: "change", listener: (state: string) => void) {
      stateListeners.add(listener);
      return { remove: () => stateListeners.delete(listener) };
    },
  };
  function View({ style, pointerEvents, children }: { style?: object; pointerEvents?: string; children?: ReactNode }) {
    return createElement("div", { style, "data-events": pointerEvents }, children);
  }
  function WebView(props: WebViewProps) {
    if (!webViews.some(({ source }) => source.html === props.source.html)) webViews.push(props);
    return createElement("p", null, `page of ${props.source.baseUrl}`);
  }
  const modules: NativeModules = {
    AppState,
    Platform: { OS: "android", Version: 35, constants: { Release: "15" } },
    Dimensions: { get: () => ({ width: 411.4, height: 914.3, scale: 2.625 }) },
    Linking: { openURL: async (url) => opened.push(url) },
    BackHandler: {
      addEventListener(_, handler) {
        backHandlers.add(handler);
        return { remove: () => backHandlers.delete(handler) };
      },
    },
    View,
    WebView,
    ...(AsyncStorage && { AsyncStorage }),
  };
  return {
    modules,
    opened,
    webViews,
    backHandlers,
    /** The page in the newest web view says something. */
    say(message: object) {
      const view = webViews.at(-1);
      const nonce = /nonce: "([^"]+)"/.exec(view?.source.html ?? "")?.[1];
      view?.onMessage({ nativeEvent: { data: JSON.stringify({ nonce, ...message }) } });
    },
    moveTo(state: "active" | "background") {
      AppState.currentState = state;
      for (const listener of stateListeners) listener(state);
    },
  };
}

/** The SDK with a screen on which each ad starts, gives its reward and is closed at once. */
export function openHasty(transport: Transport) {
  const say = (ad: Presentation, type: string) => ad.onMessage(JSON.stringify({ nonce: ad.key, type }));
  const screen: Slot = {
    load(ad) {
      for (const type of ["started", "rewarded", "hidden"]) say(ad, type);
    },
    reveal() {},
    hide() {},
  };
  return createMillrace(nativeDouble().modules, { transport, screen });
}

/** As @react-native-async-storage/async-storage, in memory. */
export function asyncStorage(entries = new Map<string, string>()): AsyncStorage & { entries: Map<string, string> } {
  return {
    entries,
    getAllKeys: async () => [...entries.keys()],
    getItem: async (key) => entries.get(key) ?? null,
    setItem: async (key, value) => void entries.set(key, value),
    removeItem: async (key) => void entries.delete(key),
  };
}
