import { fetchTransport, type Host, SdkError, strongRandom, systemClock, type Transport } from "../core/index.ts";
import { browserStorage } from "./browser-storage.ts";

const PROBE_MS = 1_000;

export function browserHost(): Host {
  return { clock: systemClock, storage: browserStorage(), transport: noticingBlockers(), random: strongRandom };
}

/**
 * Browsers do not say that an extension has blocked a request. If the server answers at another address of its, it was
 * blocked. Beacons are not looked at, because they are repeated anyway.
 */
function noticingBlockers(): Transport {
  const send = fetchTransport((...request) => fetch(...request));
  return async (request) => {
    try {
      return await send(request);
    } catch (cause) {
      const isCall = request.body !== undefined && /\/sdk\/v1\/(init|ad)$/.test(request.url);
      if (!isCall || cause instanceof SdkError || !navigator.onLine || !(await answers(request.url))) throw cause;
      throw new SdkError("blocked", "blocked on this device, although the server answers");
    }
  };
}

async function answers(url: string): Promise<boolean> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PROBE_MS);
  try {
    await fetch(new URL("/", url), { method: "HEAD", mode: "no-cors", cache: "no-store", signal: stop.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
