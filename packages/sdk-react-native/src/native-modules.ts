import type { ReactNode } from "react";

/**
 * What the SDK uses of the app's own modules, which are passed to `createMillrace`. Components are taken as they are: React Native's
 * have many properties, of which these are set.
 */
export interface NativeModules {
  AppState: {
    currentState: string | null;
    addEventListener(type: "change", listener: (state: string) => void): { remove(): void };
  };
  /** Android's `constants` have its version as `Release`. */
  Platform: { OS: string; Version: string | number; isPad?: boolean; constants?: object };
  Dimensions: { get(dimension: "window"): { width: number; height: number; scale: number } };
  Linking: { openURL(url: string): Promise<unknown> };
  BackHandler: { addEventListener(name: "hardwareBackPress", handler: () => boolean): { remove(): void } };
  View: AnyComponent;
  /** The one of react-native-webview. */
  WebView: AnyComponent;
  /** Without it nothing outlives the app: each start is a new installation. */
  AsyncStorage?: AsyncStorage;
}

/** A component with any properties: a class or a function. */
export type AnyComponent = (new (props: never) => object) | ((props: never) => ReactNode);

/** Strings by key, as in @react-native-async-storage/async-storage. */
export interface AsyncStorage {
  getAllKeys(): Promise<readonly string[]>;
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}
