// What the core needs from its host: a browser, Node.js or a simulated device.

export interface Clock {
  /** Epoch milliseconds. Jumps if the device's clock is set. */
  now(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  ticks(): number;
  /** Runs a function once after `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/** Strings by key. Every method may throw (private mode, a full disk); callers then use memory only. */
export interface Storage {
  keys(): string[];
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

export interface Outgoing {
  url: string;
  /** JSON to send by POST; without it the request is a GET. */
  body?: string;
  timeoutMs: number;
}

export interface Incoming {
  status: number;
  /** The parsed JSON body; `undefined` if there is none. */
  json: unknown;
  /** From the Retry-After header, if there is one. */
  retryAfterMs: number | null;
}

/** Sends one request without following redirects. Rejects if there is no reply. */
export type Transport = (request: Outgoing) => Promise<Incoming>;

export interface Host {
  clock: Clock;
  storage: Storage;
  transport: Transport;
  /** In [0, 1); used for jitter and ids. */
  random: () => number;
}
