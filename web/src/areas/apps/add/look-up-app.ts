import { type LookupItem, TEXTS, type Reply, type addApp } from "@millrace/contract";
import { ApiError } from "../../../shared/call-api.ts";
import type { AddAsked } from "../api.ts";

const POLL_MS = 3000;
const GIVE_UP_MS = 30_000;

/** A store's result; if `reachable` is false, the user enters the app manually. */
export interface Lookup {
  url: string;
  qid: string;
  items: LookupItem[];
  reachable: boolean;
}

type Ask = (body: AddAsked, signal: AbortSignal) => Promise<Reply<typeof addApp>>;

/**
 * Looks an app up in its store: asks once, then every 3 seconds while the search is running, and gives up after 30
 * seconds, even if a call hangs. Throws ApiError, or an abort if `signal` is aborted.
 */
export async function lookUpApp(ask: Ask, url: string, signal: AbortSignal): Promise<Lookup> {
  const limit = new AbortController();
  const giveUp = setTimeout(() => limit.abort(new ApiError(0, TEXTS.lookupTimeout)), GIVE_UP_MS);
  const leave = () => limit.abort(signal.reason);
  signal.addEventListener("abort", leave);
  try {
    let reply = await until(ask({ type: "apps", url }, limit.signal), limit.signal);
    const { qid = "" } = reply;
    while (reply.status === "waiting" || reply.status === "working") {
      await until(pause(POLL_MS), limit.signal);
      reply = await until(ask({ type: "apps", qid }, limit.signal), limit.signal);
    }
    return { url, qid, items: reply.items ?? [], reachable: reply.status !== "unreachable" };
  } finally {
    clearTimeout(giveUp);
    signal.removeEventListener("abort", leave);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Settles as the promise does, or rejects with the signal's reason once that is aborted. */
function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
