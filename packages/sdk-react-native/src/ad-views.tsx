import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { NativeModules } from "./native-modules.ts";
import type { Presentation, Slot } from "./prepare-native.ts";

// The properties of React Native's components that are set here.
interface ViewProps {
  style?: object;
  pointerEvents?: "auto" | "none";
  children?: ReactNode;
}
interface WebViewProps {
  source: { html: string; baseUrl: string };
  originWhitelist: string[];
  onMessage: (event: { nativeEvent: { data: string } }) => void;
  onError: () => void;
  onRenderProcessGone: () => void;
  onContentProcessDidTerminate: () => void;
  onShouldStartLoadWithRequest: (request: { url: string; isTopFrame?: boolean }) => boolean;
  setSupportMultipleWindows: boolean;
  allowsInlineMediaPlayback: boolean;
  mediaPlaybackRequiresUserAction: boolean;
  scrollEnabled: boolean;
  style: object;
}

const FILL = { flex: 1, backgroundColor: "transparent" };
const NO_SIZE = { width: 0, height: 0 };
const OVER_ALL = { position: "absolute", top: 0, right: 0, bottom: 0, left: 0 };

/** The components that show presentations, of these modules. */
export function adViews(modules: Pick<NativeModules, "View" | "WebView" | "BackHandler">) {
  const View = modules.View as unknown as ComponentType<ViewProps>;
  const WebView = modules.WebView as unknown as ComponentType<WebViewProps>;

  function AdWebView({ ad }: { ad: Presentation }) {
    return (
      <WebView
        source={{ html: ad.html, baseUrl: ad.baseUrl }}
        originWhitelist={["*"]}
        onMessage={({ nativeEvent }) => ad.onMessage(nativeEvent.data)}
        onError={ad.onFailed}
        onRenderProcessGone={ad.onFailed}
        onContentProcessDidTerminate={ad.onFailed}
        // An ad's page never becomes another one; what an ad opens, the system opens.
        onShouldStartLoadWithRequest={({ url, isTopFrame = true }) => !isTopFrame || isOwn(url, ad.baseUrl)}
        setSupportMultipleWindows={false}
        allowsInlineMediaPlayback
        mediaPlaybackRequiresUserAction={false}
        scrollEnabled={false}
        style={FILL}
      />
    );
  }

  /** Invisible, and not in the way, until the ad in it has started. */
  function Layer({ shown: { ad, isVisible } }: { shown: SlotEntry }) {
    return (
      <View style={{ ...OVER_ALL, opacity: isVisible ? 1 : 0 }} pointerEvents={isVisible ? "auto" : "none"}>
        <AdWebView ad={ad} />
      </View>
    );
  }

  /** Shows full-screen ads over its earlier siblings, and plays audio ads. `onSlot` gets its slot and returns a cleanup. */
  function AdScreen({ onSlot }: { onSlot: (slot: Slot) => () => void }) {
    const [entries, slot, failAll] = useSlot();
    useEffect(() => {
      const remove = onSlot(slot);
      return () => {
        remove();
        // Their web views are gone with the screen, and nobody could close them any more.
        failAll();
      };
    }, [onSlot, slot, failAll]);
    const isCovered = entries.some(({ ad, isVisible }) => isVisible && !ad.isAudio);
    useEffect(() => {
      if (!isCovered) return undefined;
      // An ad is left by its own button, as its countdown demands.
      const handler = modules.BackHandler.addEventListener("hardwareBackPress", () => true);
      return () => handler.remove();
    }, [isCovered]);
    return entries.map((shown) =>
      shown.ad.isAudio ? (
        <View key={shown.ad.key} style={NO_SIZE}>
          <AdWebView ad={shown.ad} />
        </View>
      ) : (
        <Layer key={shown.ad.key} shown={shown} />
      ),
    );
  }

  /** Shows the ads of one place. */
  function AdBox({ all: entries, style }: { all: readonly SlotEntry[]; style: object }) {
    return (
      <View style={style}>
        {entries.map((shown) => (
          <Layer key={shown.ad.key} shown={shown} />
        ))}
      </View>
    );
  }

  return { AdScreen, AdBox };
}

const isOwn = (url: string, baseUrl: string) =>
  url === "about:blank" || url.startsWith("data:") || url.replace(/\/$/, "") === baseUrl;

interface SlotEntry {
  ad: Presentation;
  isVisible: boolean;
}

/** A slot's entries, the slot itself, and a function that fails all its ads. The last two are stable. */
export function useSlot(): readonly [readonly SlotEntry[], Slot, () => void] {
  const [entries, setEntries] = useState<readonly SlotEntry[]>([]);
  const [{ slot, failAll }] = useState(() => {
    const loaded = new Set<Presentation>();
    const slot: Slot = {
      load(ad) {
        loaded.add(ad);
        setEntries((before) => [...before, { ad, isVisible: false }]);
      },
      reveal: (ad) => setEntries((before) => before.map((each) => (each.ad === ad ? { ad, isVisible: true } : each))),
      hide(ad) {
        loaded.delete(ad);
        setEntries((before) => before.filter((each) => each.ad !== ad));
      },
    };
    return {
      slot,
      failAll() {
        for (const ad of loaded) ad.onFailed();
      },
    };
  });
  return [entries, slot, failAll];
}
