import { type Breaker, closedBreaker, nextBreaker, viewOfBreaker } from "./breaker.ts";

export type BreakerView = ReturnType<typeof viewOfBreaker>;

/** The other processes, which learn from this one's calls. */
export interface BreakerSharing {
  /** Whether this process may make the probing calls; another one may be making them. */
  mayProbe(partnerId: string): Promise<boolean>;
  onPaused(partnerId: string, forMs: number, openings: number): void;
  onResumed(partnerId: string): void;
}

/** While another process probes, its result is awaited for so long. */
const AWAITING_MS = 500;

/** The breakers of all partners. `generation` changes whenever the state that auctions see changes. */
export class Breakers {
  generation = 0;
  readonly #sharing: BreakerSharing | undefined;
  readonly #byPartner = new Map<string, Breaker>();
  /** When the next breaker changes by time alone. */
  #nextChangeAt = Infinity;

  constructor(sharing?: BreakerSharing) {
    this.#sharing = sharing;
  }

  /** Applies changes due to time; call it before reading. */
  advance(at: number): void {
    if (at < this.#nextChangeAt) return;
    for (const partnerId of this.#byPartner.keys()) this.#apply(partnerId, { type: "time", at });
    this.#nextChangeAt = Math.min(...[...this.#byPartner.values()].map(changesAt));
  }

  /** The partners whose breaker is not closed. */
  paused(): { id: string; breaker: "open" | "half_open" }[] {
    this.advance(performance.now());
    return [...this.#byPartner].flatMap(([id, { mode }]) => (mode === "closed" ? [] : [{ id, breaker: mode }]));
  }

  view(partnerId: string): BreakerView {
    const breaker = this.#byPartner.get(partnerId);
    return breaker ? viewOfBreaker(breaker) : "closed";
  }

  answered(partnerId: string, ok: boolean, at: number): void {
    const breaker = this.#byPartner.get(partnerId);
    // Almost every call: there is nothing to count.
    if (ok && breaker === undefined) return;
    this.#apply(partnerId, { type: "answered", ok, at });
  }

  /** A call is over and says nothing about the partner. If it was the probing one, another may probe. */
  untold(partnerId: string, at: number): void {
    if (this.#byPartner.has(partnerId)) this.#apply(partnerId, { type: "untold", at });
  }

  probed(partnerId: string, at: number): void {
    this.#apply(partnerId, { type: "probed", at });
  }

  /** Another process has stopped asking a partner. */
  pausedElsewhere(partnerId: string, forMs: number, openings: number, at: number): void {
    if (forMs > 0) this.#set(partnerId, { mode: "open", until: at + forMs, openings }, at);
  }

  /** Another process got answers to its probing calls. */
  resumedElsewhere(partnerId: string, at: number): void {
    if (this.#byPartner.has(partnerId)) this.#set(partnerId, closedBreaker(at), at);
  }

  #apply(partnerId: string, event: Parameters<typeof nextBreaker>[1]): void {
    const { at } = event;
    const before = this.#byPartner.get(partnerId) ?? closedBreaker(at);
    const after = nextBreaker(before, event);
    if (this.#sharing && before.mode === "open" && after.mode === "half_open") {
      this.#set(partnerId, { ...before, until: at + AWAITING_MS }, at);
      void this.#probe(this.#sharing, partnerId, at);
      return;
    }
    this.#set(partnerId, after, at);
    if (after.mode === "open" && before.mode !== "open")
      this.#sharing?.onPaused(partnerId, after.until - at, after.openings);
    if (after.mode === "closed" && before.mode !== "closed") this.#sharing?.onResumed(partnerId);
  }

  async #probe(sharing: BreakerSharing, partnerId: string, at: number): Promise<void> {
    // Without an answer, each process probes for itself.
    const mayProbe = await sharing.mayProbe(partnerId).catch(() => true);
    const breaker = this.#byPartner.get(partnerId);
    if (!mayProbe || breaker?.mode !== "open") return;
    this.#set(partnerId, { mode: "half_open", openings: breaker.openings, successes: 0, probeUntil: null }, at);
  }

  #set(partnerId: string, after: Breaker, at: number): void {
    const before = this.#byPartner.get(partnerId) ?? closedBreaker(at);
    this.#byPartner.set(partnerId, after);
    if (viewOfBreaker(after) !== viewOfBreaker(before)) this.generation++;
    this.#nextChangeAt = Math.min(this.#nextChangeAt, changesAt(after));
  }
}

function changesAt(breaker: Breaker): number {
  if (breaker.mode === "open") return breaker.until;
  return breaker.mode === "half_open" && breaker.probeUntil !== null ? breaker.probeUntil : Infinity;
}
