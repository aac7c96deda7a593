import type { ProcessBus } from "./process-bus.ts";

const PUBLISH_MS = 200;
/** The largest costs of an interval, beyond which the others would not matter. */
const MOST_KEYS = 5000;

/**
 * What counts against limits, published to the other processes a few times a second: a limit is exceeded by at most what they
 * all admit in between, and no request waits for it.
 */
export class LimitSharing {
  readonly #bus: ProcessBus;
  #counted = new Map<number, number>();
  readonly #taken = new Map<string, Map<string, number>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: ProcessBus) {
    this.#bus = bus;
  }

  counted(key: number): void {
    this.#counted.set(key, (this.#counted.get(key) ?? 0) + 1);
  }

  taken(limit: string, key: string, cost: number): void {
    let costs = this.#taken.get(limit);
    if (!costs) this.#taken.set(limit, (costs = new Map<string, number>()));
    costs.set(key, (costs.get(key) ?? 0) + cost);
  }

  start(): void {
    this.#timer = setInterval(() => this.publish(), PUBLISH_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  publish(): void {
    if (this.#counted.size > 0) this.#bus.publish("counted", largest(this.#counted));
    this.#counted = new Map();
    for (const [limit, costs] of this.#taken) this.#bus.publish("taken", { limit, costs: largest(costs) });
    this.#taken.clear();
  }
}

function largest<K>(costs: ReadonlyMap<K, number>): [K, number][] {
  const all = [...costs];
  if (all.length <= MOST_KEYS) return all;
  return all.toSorted(([, one], [, other]) => other - one).slice(0, MOST_KEYS);
}
