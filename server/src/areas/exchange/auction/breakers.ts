import { type Breaker, closedBreaker, nextBreaker, viewOfBreaker } from "./breaker.ts";

export type BreakerView = ReturnType<typeof viewOfBreaker>;

/** The breakers of all partners. `generation` changes whenever the state that auctions see changes. */
export class Breakers {
  generation = 0;
  readonly #byPartner = new Map<string, Breaker>();
  /** When the next breaker changes by time alone. */
  #nextChangeAt = Infinity;

  /** Applies changes due to time; call it before reading. */
  advance(at: number): void {
    if (at < this.#nextChangeAt) return;
    for (const partnerId of this.#byPartner.keys()) this.#apply(partnerId, { type: "time", at });
    this.#nextChangeAt = Math.min(...[...this.#byPartner.values()].map(changesAt));
  }

  /** The number of partners whose breaker is open or half-open. */
  get paused(): number {
    let count = 0;
    for (const { mode } of this.#byPartner.values()) if (mode !== "closed") count++;
    return count;
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

  probed(partnerId: string, at: number): void {
    this.#apply(partnerId, { type: "probed", at });
  }

  #apply(partnerId: string, event: Parameters<typeof nextBreaker>[1]): void {
    const before = this.#byPartner.get(partnerId) ?? closedBreaker(event.at);
    const after = nextBreaker(before, event);
    this.#byPartner.set(partnerId, after);
    if (viewOfBreaker(after) !== viewOfBreaker(before)) this.generation++;
    this.#nextChangeAt = Math.min(this.#nextChangeAt, changesAt(after));
  }
}

function changesAt(breaker: Breaker): number {
  if (breaker.mode === "open") return breaker.until;
  return breaker.mode === "half_open" && breaker.probeUntil !== null ? breaker.probeUntil : Infinity;
}
