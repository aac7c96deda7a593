import type { Ad, Format } from "@millrace/contract";

/** The publisher's revenue for one shown ad, for the impression-level revenue callback. */
export interface Revenue {
  /** The publisher's share of this impression in micro-dollars. */
  revenueMicros: number;
  provider: string;
  format: Format;
  zone: string;
  /** The auction's id, as shown in the dashboard. */
  auction: string;
}

export type ErrorCode =
  /** An option of init or show is wrong; `message` names it. */
  | "options"
  /** There was no reply from the platform: offline, a timeout, or another server. */
  | "network"
  /** The server refused: an unknown app or an invalid request. */
  | "refused"
  /** An ad could not be shown; the next one is tried. */
  | "render"
  /** A callback of the app threw. */
  | "callback";

export interface SdkError {
  code: ErrorCode;
  message: string;
}

/** What the SDK does, for logs and tests; apps need `onRevenue` and `onError` alone. */
export type SdkEvent =
  | { type: "session"; session: string; latestSdkVersion: string }
  | { type: "request"; zone: string; format: Format }
  | { type: "no_ad"; zone: string; format: Format; reason: string }
  | { type: "impression"; zone: string; auction: string; ad: Ad }
  | { type: "click"; zone: string; auction: string; ad: Ad }
  | { type: "delivery"; outcome: "delivered" | "retrying" | "refused" | "dropped"; url: string };

export interface Listeners {
  onRevenue?: (revenue: Revenue) => void;
  onError?: (error: SdkError) => void;
  onEvent?: (event: SdkEvent) => void;
}

export interface Emitter {
  revenue(revenue: Revenue): void;
  error(code: ErrorCode, cause: unknown): void;
  event(event: SdkEvent): void;
}

/** Calls the app's listeners and catches whatever they throw. */
export function emitter(listeners: Listeners): Emitter {
  const tell = (error: SdkError) => {
    try {
      listeners.onError?.(error);
    } catch {
      // The app's error listener itself failed, so nobody is left to notify.
    }
  };
  const call = <T>(listener: ((value: T) => void) | undefined, value: T) => {
    try {
      listener?.(value);
    } catch (thrown) {
      tell({ code: "callback", message: messageOf(thrown) });
    }
  };
  return {
    revenue: (revenue) => call(listeners.onRevenue, revenue),
    event: (event) => call(listeners.onEvent, event),
    error: (code, cause) => tell({ code, message: messageOf(cause) }),
  };
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
