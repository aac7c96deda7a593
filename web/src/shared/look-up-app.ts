import { TEXTS } from "@millrace/contract";
import { ApiError } from "./call-api.ts";

const POLL_MS = 3000;
const GIVE_UP_MS = 30_000;

/** A store's result; if `reachable` is false, the user enters the app manually. */
export interface Lookup<Item> {
  url: string;
  qid: string;
  items: Item[];
  reachable: boolean;
}

interface Answer<Item> {
  qid?: string | undefined;
  items?: Item[] | undefined;
  status?: "working" | "waiting" | "done" | "unreachable" | undefined;
}

/** One call of a search: `url` starts it, `qid` asks how far it is. */
type Ask<Item> = (query: { url: string } | { qid: string }, signal: AbortSignal) => Promise<Answer<Item>>;

/**
 * Looks an app up in its store: asks once, then every 3 seconds while the search is running, and gives up after 30
 * seconds, even if a call hangs. Throws ApiError, or an abort if `signal` is aborted.
 */
export async function lookUpApp<Item>(ask: Ask<Item>, url: string, signal: AbortSignal): Promise<Lookup<Item>> {
  const limit = new AbortController();
  const giveUp = setTimeout(() => limit.abort(new ApiError(0, TEXTS.lookupTimeout)), GIVE_UP_MS);
  const leave = () => limit.abort(signal.reason);
  signal.addEventListener("abort", leave);
  try {
    let reply = await until(ask({ url }, limit.signal), limit.signal);
    const { qid = "" } = reply;
    while (reply.status === "waiting" || reply.status === "working") {
      await until(pause(POLL_MS), limit.signal);
      reply = await until(ask({ qid }, limit.signal), limit.signal);
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
