import { lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import { isPublicAddress } from "../outbound/public-address.ts";
import { publicLookup } from "../outbound/public-lookup.ts";
import { cachedLookup } from "./cached-lookup.ts";
import { OriginPool } from "./origin-pool.ts";
import type { PoolLimits } from "./origin-pool.ts";
import type { CallOutcome } from "./outcome.ts";
import { payloadOf } from "./outgoing-call.ts";
import type { AddressedCall } from "./outgoing-call.ts";
import { finish } from "./pending-call.ts";
import type { PendingCall } from "./pending-call.ts";
import { targetOf } from "./request-head.ts";
import type { Target } from "./request-head.ts";

export type BidClientLimits = PoolLimits;
const DEFAULT_LIMITS: BidClientLimits = {
  maxHeadBytes: 16 * 1024,
  maxBodyBytes: 512 * 1024,
  maxInflatedBytes: 512 * 1024,
  maxConnections: 256,
  maxWaiting: 256,
  maxDraining: 8,
  drainMs: 1000,
  idleMs: 30_000,
  connectMs: 3000,
};

const SWEEP_EVERY_MS = 250;
const LOOKUP_KEEP_MS = 30_000;
const MAX_TARGETS = 10_000;

/** A target with the sockets to it. */
interface Destination {
  target: Target;
  pool: OriginPool;
}

/**
 * A minimal HTTP/1.1 client for the auction: raw kept-alive sockets, one write per request, one timer for all calls of an
 * auction. It follows no redirects, keeps no cookies and knows no proxies.
 */
export class BidClient {
  readonly #limits: BidClientLimits;
  /** Trusted receivers have separate sockets, so that a connection into our network serves nobody else. */
  readonly #trusted = newPools();
  readonly #public = newPools();
  readonly #lookup = cachedLookup(LOOKUP_KEEP_MS, systemLookup);
  readonly #publicLookup = cachedLookup(LOOKUP_KEEP_MS, publicLookup);
  readonly #sweeper: NodeJS.Timeout;

  constructor(limits: Partial<BidClientLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    this.#sweeper.unref();
  }

  /** Open sockets, those being made included. */
  get connections(): number {
    let sum = 0;
    for (const pool of this.#allPools()) sum += pool.size;
    return sum;
  }

  /** Milliseconds that a call to this origin spends on the way, of those that are trusted; null until it is known. */
  transitMs(origin: string): number | null {
    return this.#trusted.byOrigin.get(origin)?.transit.ms ?? null;
  }

  /**
   * Sends all calls at once and resolves with their outcomes, in order, when the last has ended or `deadlineAt`
   * (`performance.now()` time) is reached. Never rejects. `retryStale`: a call may be sent again if a kept connection
   * died before the first byte of the answer, which is safe for a bid request: it buys nothing and is identified by its
   * id.
   */
  sendAll(calls: readonly AddressedCall[], deadlineAt: number, retryStale: boolean): Promise<CallOutcome[]> {
    if (calls.length === 0) return Promise.resolve([]);
    return new Promise((resolve) => {
      const outcomes = Array.from<CallOutcome>({ length: calls.length });
      const started: PendingCall[] = [];
      let open = calls.length;
      let timer: NodeJS.Timeout | undefined = undefined;
      const end = (index: number, outcome: CallOutcome) => {
        outcomes[index] = outcome;
        if (--open > 0) return;
        clearTimeout(timer);
        resolve(outcomes);
      };
      for (let index = 0; index < calls.length; index++) {
        const call = this.#start(calls[index] as AddressedCall, retryStale, index, end);
        if (call) started.push(call);
      }
      if (open === 0) return;
      // One timer for the whole auction: 40 of them would cost more than the answers.
      timer = setTimeout(() => giveUp(started), Math.max(0, Math.floor(deadlineAt - performance.now())));
    });
  }

  /** Closes every socket; calls in flight end as `connection_failed` or at their deadline. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const pool of this.#allPools()) pool.close();
    for (const { byOrigin, byUrl } of [this.#trusted, this.#public]) {
      byOrigin.clear();
      byUrl.clear();
    }
  }

  #start(
    { call, trustedOrigin }: AddressedCall,
    retryStale: boolean,
    index: number,
    onDone: (index: number, outcome: CallOutcome) => void,
  ): PendingCall | null {
    const destination = this.#destinationOf(call.url, trustedOrigin);
    const payload = destination && payloadOf(call, destination.target);
    if (!destination || !payload) {
      onDone(index, { ok: false, failure: "not_sendable", latencyMs: 0 });
      return null;
    }
    const pending: PendingCall = {
      payload: payload.payload,
      encoding: payload.encoding,
      startedAt: performance.now(),
      retryStale,
      pool: destination.pool,
      connection: null,
      settled: false,
      index,
      onDone,
    };
    destination.pool.call(pending);
    return pending;
  }

  #destinationOf(url: string, trustedOrigin: string | null): Destination | null {
    // An address trusted for one receiver may be another's: the origin has to match.
    const trusted = trustedOrigin === null ? undefined : this.#trusted.byUrl.get(url);
    if (trusted?.target.origin === trustedOrigin && trusted) return trusted;
    const known = this.#public.byUrl.get(url);
    if (known && known.target.origin !== trustedOrigin) return known;
    const target = targetOf(url);
    if (!target) return null;
    const isTrusted = target.origin === trustedOrigin;
    // An IP address is connected to without a look-up.
    if (!isTrusted && isIP(target.host) !== 0 && !isPublicAddress(target.host)) return null;
    const { byOrigin, byUrl } = isTrusted ? this.#trusted : this.#public;
    // Addresses that differ per request would fill the memory.
    if (byUrl.size >= MAX_TARGETS) {
      byUrl.clear();
      for (const [origin, pool] of byOrigin) if (pool.size === 0) byOrigin.delete(origin);
    }
    let pool = byOrigin.get(target.origin);
    if (!pool) {
      pool = new OriginPool(target, this.#limits, isTrusted ? this.#lookup : this.#publicLookup);
      byOrigin.set(target.origin, pool);
    }
    const made = { target, pool };
    byUrl.set(url, made);
    return made;
  }

  *#allPools(): Generator<OriginPool> {
    yield* this.#trusted.byOrigin.values();
    yield* this.#public.byOrigin.values();
  }

  #sweep(): void {
    const now = performance.now();
    for (const pool of this.#allPools()) pool.sweep(now);
  }
}

interface Pools {
  byOrigin: Map<string, OriginPool>;
  byUrl: Map<string, Destination>;
}

const newPools = (): Pools => ({ byOrigin: new Map(), byUrl: new Map() });

function giveUp(started: readonly PendingCall[]): void {
  const now = performance.now();
  const late = started.filter(({ settled }) => !settled);
  for (const call of late) finish(call, { ok: false, failure: "timeout", latencyMs: now - call.startedAt });
  // Closing sockets takes longer than answering, so due calls go first.
  setImmediate(() => {
    for (const call of late) call.pool.abandon(call);
  });
}
