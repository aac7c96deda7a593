import type { Format } from "@millrace/contract";
import { type Failure, messageOf } from "./failure.ts";

/** A loaded or shown ad. */
export interface AdInfo {
  zone: string;
  format: Format;
  /** The id of whoever sold it: a partner, `campaigns` or `inhouse`. */
  network: string;
  /** The auction's id, as shown in the dashboard. */
  auction: string;
}

/** The publisher's revenue for one impression. */
export interface Revenue extends AdInfo {
  /** The publisher's share of this impression in micro-dollars. */
  priceMicros: number;
  /** `exact`: the auction's price. `estimated`: the price that was set for a network without bidding. */
  precision: "exact" | "estimated";
  /** ISO 3166-1 alpha-2; `XX` if it is unknown. */
  country: string;
}

/** What a user earns, from the app's settings. */
export interface Reward {
  name: string;
  amount: number;
}

type Request = Pick<AdInfo, "zone" | "format">;

/** The events by name. Each `loadAd` ends with `loaded` or `loadFailed`, each `showAd` with `displayed` or `displayFailed`. */
export interface EventMap {
  initialized: { latestSdkVersion: string };
  initializeFailed: Failure;
  loaded: AdInfo;
  loadFailed: Request & Failure;
  displayed: AdInfo;
  displayFailed: Pick<AdInfo, "zone"> & Failure;
  clicked: AdInfo;
  /** A full-screen ad was closed, or an ad in the page was removed or replaced. */
  hidden: AdInfo;
  /** The user has earned the reward of a rewarded ad. Comes before `hidden`. */
  rewardReceived: AdInfo & { reward: Reward };
  revenuePaid: Revenue;
  /** For logs: a request leaves for the server. */
  requested: Request;
  /** For logs: what became of a beacon or ping. */
  delivery: { outcome: "delivered" | "retrying" | "refused" | "dropped"; url: string };
  /** A callback of the app threw. */
  callbackFailed: Failure;
}
export type EventName = keyof EventMap;
export type SdkEvent = { [Name in EventName]: { type: Name } & EventMap[Name] }[EventName];

export const LOG_LEVELS = ["none", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
/** Writes a line to the log, with the data that explains it. */
export type Log = (level: Exclude<LogLevel, "none">, text: string, data: unknown) => void;

const LEVELS: { [Name in EventName]?: Exclude<LogLevel, "none"> } = {
  initializeFailed: "error",
  loadFailed: "warn",
  displayFailed: "warn",
  callbackFailed: "error",
  requested: "debug",
  delivery: "debug",
};

export interface Emitter {
  emit<Name extends EventName>(type: Name, about: EventMap[Name]): void;
  /** Returns a function that removes the listener. */
  add<Name extends EventName>(type: Name, listener: (about: EventMap[Name]) => void): () => void;
}

/** Tells the app's listeners, and catches whatever they throw. */
export function emitter(options: { onEvent?: (event: SdkEvent) => void; log: Log }): Emitter {
  const listeners = new Map<EventName, readonly ((about: never) => void)[]>();

  function call(listener: () => void, type: EventName): void {
    try {
      listener();
    } catch (thrown) {
      // A listener of this very event that fails would be called for ever.
      if (type !== "callbackFailed") emit("callbackFailed", { code: "callback", message: messageOf(thrown) });
    }
  }

  function emit<Name extends EventName>(type: Name, about: EventMap[Name]): void {
    call(() => options.log(LEVELS[type] ?? "info", type, about), "callbackFailed");
    call(() => options.onEvent?.({ type, ...about } as SdkEvent), type);
    for (const listener of listeners.get(type) ?? []) {
      call(() => (listener as (about: EventMap[Name]) => void)(about), type);
    }
  }

  return {
    emit,
    // A new list each time, because a listener may add or remove others while the list is gone through.
    add(type, listener) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
      return () => {
        listeners.set(
          type,
          (listeners.get(type) ?? []).filter((each) => each !== listener),
        );
      };
    },
  };
}
