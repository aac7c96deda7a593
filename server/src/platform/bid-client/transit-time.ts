const ROUND_TRIPS = 32;
const ANSWERS = 128;
/** Fewer answers than this tell nothing of the slow ones. */
const FEWEST_ANSWERS = 20;
/** Sorting on every answer would cost more than the estimate is worth. */
const RENEWED_EVERY = 32;

/** The last measurements, as many as fit. */
class Recent {
  readonly #values: Float64Array;
  count = 0;

  constructor(size: number) {
    this.#values = new Float64Array(size);
  }

  add(value: number): void {
    this.#values[this.count++ % this.#values.length] = value;
  }

  quantile(share: number): number {
    const sorted = this.#values.slice(0, this.count).sort();
    return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  }
}

/**
 * The time that calls to one origin spend in transit, as this process measures it: the median round trip, which is what it takes to
 * connect, and the time in which 95% of the answers arrive from their first byte to their last. Excludes the partner's own processing
 * time.
 */
export class TransitTime {
  readonly #roundTrips = new Recent(ROUND_TRIPS);
  readonly #answers = new Recent(ANSWERS);
  #known: number | null = null;

  connected(ms: number): void {
    this.#roundTrips.add(ms);
    this.#renew();
  }

  received(ms: number): void {
    this.#answers.add(ms);
    const { count } = this.#answers;
    if (count === FEWEST_ANSWERS || count % RENEWED_EVERY === 0) this.#renew();
  }

  /** Milliseconds; null until enough was measured. */
  get ms(): number | null {
    return this.#known;
  }

  #renew(): void {
    if (this.#roundTrips.count === 0 || this.#answers.count < FEWEST_ANSWERS) return;
    this.#known = this.#roundTrips.quantile(0.5) + this.#answers.quantile(0.95);
  }
}
