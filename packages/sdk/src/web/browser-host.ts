import {
  fetchTransport,
  type Host,
  type Incoming,
  type Outgoing,
  SdkError,
  strongRandom,
  systemClock,
  type Transport,
  within,
} from "../core/index.ts";
import { browserStorage } from "./browser-storage.ts";

const PROBE_MS = 1_000;
const KEPT_CALLS = 10;

/** A start or a request for ads, for the debugger. */
export interface RecordedCall extends Outgoing {
  /** Epoch milliseconds. */
  at: number;
  /** Missing while it is on its way, and where none came. */
  reply?: Incoming;
}

export interface BrowserHost extends Host {
  /** The last calls, newest first. */
  calls: RecordedCall[];
}

export function browserHost(): BrowserHost {
  const calls: RecordedCall[] = [];
  return {
    clock: systemClock,
    storage: browserStorage(),
    transport: noticingBlockers(calls),
    random: strongRandom,
    calls,
  };
}

/**
 * Browsers do not report that an extension has blocked a request. If the server answers at another of its addresses, the
 * request was blocked. Beacons are not checked, because they are retried anyway.
 */
function noticingBlockers(calls: RecordedCall[]): Transport {
  const send = fetchTransport((...request) => fetch(...request));
  return async (request) => {
    const isCall = request.body !== undefined && /\/sdk\/v1\/(init|ad)$/.test(request.url);
    const call: RecordedCall = { ...request, at: Date.now() };
    if (isCall) calls.length = Math.min(calls.unshift(call), KEPT_CALLS);
    try {
      return (call.reply = await send(request));
    } catch (cause) {
      if (!isCall || cause instanceof SdkError || !navigator.onLine || !(await answers(request.url))) throw cause;
      throw new SdkError("blocked", "blocked, although the server answers");
    }
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const probe = fetch(new URL("/", url), { method: "HEAD", mode: "no-cors", cache: "no-store" });
    await within(systemClock, PROBE_MS, probe, () => new SdkError("timeout", "")).result;
    return true;
  } catch {
    return false;
  }
}
