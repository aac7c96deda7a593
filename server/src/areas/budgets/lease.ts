import { GRACE_MS, type Hold, ISSUING_MS } from "./budgets.ts";

/** Holds end together by slots of this length. */
const SLOT_MS = 10_000;

class OpenHold implements Hold {
  readonly campaignId: number;
  readonly leaseId: string;
  readonly micros: number;
  readonly #lease: Lease;
  readonly #slot: number;
  #isOpen = true;

  constructor(lease: Lease, micros: number, slot: number) {
    this.campaignId = lease.campaignId;
    this.leaseId = lease.id;
    this.micros = micros;
    this.#lease = lease;
    this.#slot = slot;
  }

  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#lease.takeBack(this.micros, this.#slot);
  }
}

export function releaseHold(hold: Hold): void {
  if (hold instanceof OpenHold) hold.release();
}

/** A part of a budget in this process's memory. */
export class Lease {
  readonly id: string;
  readonly campaignId: number;
  readonly micros: number;
  /** What the store believes to be held; more is never held. */
  #toldMicros: number;
  #issuesUntilMs: number;
  /** What can still be held. */
  #leftMicros: number;
  /** What is held, by the slot in which it ends. */
  readonly #held = new Map<number, number>();

  constructor(id: string, campaignId: number, micros: number, sentAtMs: number) {
    this.id = id;
    this.campaignId = campaignId;
    this.micros = micros;
    this.#toldMicros = micros;
    this.#leftMicros = micros;
    this.#issuesUntilMs = sentAtMs + ISSUING_MS;
  }

  /** What it can still give at a moment. */
  leftMicros(now: number): number {
    return this.isIssuing(now) ? this.#leftMicros : 0;
  }

  isIssuing(now: number): boolean {
    return now < this.#issuesUntilMs;
  }

  /** What holds were taken and not given back. */
  get takenMicros(): number {
    return this.micros - this.#leftMicros;
  }

  /** No hold is taken from it any more. */
  close(): void {
    this.#issuesUntilMs = 0;
  }

  /** The caller has checked `leftMicros`. */
  hold(micros: number, expiresAtMs: number): Hold {
    this.#leftMicros -= micros;
    return new OpenHold(this, micros, this.heldAgain(micros, expiresAtMs));
  }

  /** Counts money that the lease gave out before as held again. Returns its slot. */
  heldAgain(micros: number, expiresAtMs: number): number {
    const slot = Math.ceil((expiresAtMs + GRACE_MS) / SLOT_MS);
    this.#held.set(slot, (this.#held.get(slot) ?? 0) + micros);
    return slot;
  }

  /** A hold is given back and can be given again, unless it has ended already. */
  takeBack(micros: number, slot: number): void {
    if (!this.#held.has(slot)) return;
    this.#drop(micros, slot);
    this.#leftMicros += micros;
  }

  /** A hold has become an impression. Beacons do not tell which one, so that the one that ends first counts as it. */
  spent(micros: number): void {
    this.#drop(micros, 0);
  }

  #drop(micros: number, fromSlot: number): void {
    let open = micros;
    for (const slot of [...this.#held.keys()].toSorted((a, b) => a - b)) {
      if (open === 0) return;
      const held = this.#held.get(slot) ?? 0;
      const part = slot < fromSlot ? 0 : Math.min(held, open);
      open -= part;
      if (part === held) this.#held.delete(slot);
      else if (part > 0) this.#held.set(slot, held - part);
    }
  }

  /** What is held at a moment. */
  heldMicros(now: number): number {
    let held = 0;
    for (const [slot, micros] of this.#held) {
      if (slot * SLOT_MS <= now) this.#held.delete(slot);
      else held += micros;
    }
    return held;
  }

  /**
   * The held amount to report to the store; null while a report is not worth it. It is worth one when the lease stops giving
   * holds, and whenever half of what was held then has ended.
   */
  newsOfHeld(now: number): number | null {
    if (this.isIssuing(now)) return null;
    const held = this.heldMicros(now);
    const isFirst = this.#toldMicros === this.micros && held < this.micros;
    return isFirst || held <= this.#toldMicros / 2 ? held : null;
  }

  noteReported(heldMicros: number): void {
    this.#toldMicros = heldMicros;
  }
}
