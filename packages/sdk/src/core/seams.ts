/** What the core needs of its host. A browser, Node and a simulated device each bring their own. */

export interface Clock {
  /** Epoch milliseconds; may jump when the device's clock is set. */
  now(): number;
  /** Milliseconds of a clock that only runs forward; durations are measured on it. */
  ticks(): number;
  /** Runs once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

/** Text by key. Every method may throw (private mode, a full disk); callers then live on memory alone. */
export interface Storage {
  keys(): string[];
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

export interface Outgoing {
  url: string;
  /** JSON text: sent by POST. Left out: a GET. */
  body?: string;
  timeoutMs: number;
}

export interface Incoming {
  status: number;
  /** The parsed JSON, `undefined` where the reply holds none. */
  json: unknown;
  /** From Retry-After, where the server sent one. */
  retryAfterMs: number | null;
}

/** Sends one request without following redirects; rejects when no reply came. */
export type Transport = (request: Outgoing) => Promise<Incoming>;

export interface Host {
  clock: Clock;
  storage: Storage;
  transport: Transport;
  /** In [0, 1); jitter and ids come from it. */
  random: () => number;
}
