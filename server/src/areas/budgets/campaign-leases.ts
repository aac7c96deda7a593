import { DAY_MS, dayOf } from "@millrace/units";
import type { LeaseAnswer, LeaseRequest } from "./budget-store.ts";
import { type Hold, ISSUING_MS, type NoHold, type Spent } from "./budgets.ts";
import { Lease } from "./lease.ts";

/** The first lease, in holds of the asked price. */
const FIRST_HOLDS = 8;
/** How much larger than the last one a lease may be. */
const MOST_GROWTH = 16;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/** A campaign in this process's memory: its leases, why there is none, and what it has spent. */
export class CampaignLeases {
  readonly id: number;
  accountId: number | null = null;
  /** Counts the changes of its limits, so that an answer from before a change is known. */
  version = 0;
  isRequested = false;
  usedAtMs = 0;
  #issuing: Lease[] = [];
  #lack: LeaseAnswer["lack"] = null;
  #retryAtMs = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #price = 0;
  /** The size of the last request, when it was answered, and how much of the leases was taken until then. */
  #requestedMicros = 0;
  #answeredAtMs = 0;
  #takenBeforeMicros = 0;
  /** The id of the request that waits for its answer. If the answer is lost, the request is sent again with this id and granted once. */
  #openLeaseId: string | null = null;
  #spent: (Omit<Spent, "isBalanceSpent"> & { day: string; atMs: number }) | undefined;
  #isBalanceSpent = false;

  constructor(id: number) {
    this.id = id;
  }

  hold(micros: number, expiresAtMs: number, now: number): Hold | null {
    this.#price = micros;
    this.usedAtMs = now;
    const lease = this.#issuing.find((one) => one.leftMicros(now) >= micros);
    return lease?.hold(micros, expiresAtMs) ?? null;
  }

  #takenMicros(): number {
    return this.#issuing.reduce((sum, { takenMicros }) => sum + takenMicros, 0);
  }

  get noHold(): NoHold {
    return this.#lack ?? "lease_pending";
  }

  /** Whether it is time to ask for a lease: a quarter of the last one is left, and no pause is on. */
  needsLease(now: number): boolean {
    if (this.isRequested || now < this.#retryAtMs || this.#price === 0) return false;
    const usable = this.#issuing.map((lease) => lease.leftMicros(now)).filter((left) => left >= this.#price);
    const left = usable.reduce((sum, micros) => sum + micros, 0);
    const last = this.#issuing.at(-1)?.micros ?? 0;
    return left < Math.max(this.#price, last / 4);
  }

  /** What to ask for: as much as is held within the life of a lease at the rate since the last answer. */
  leaseRequest(newLeaseId: string, now: number): LeaseRequest {
    const elapsedMs = Math.max(1, now - this.#answeredAtMs);
    const atThisRate = Math.ceil(((this.#takenMicros() - this.#takenBeforeMicros) * ISSUING_MS) / elapsedMs);
    const least = FIRST_HOLDS * this.#price;
    this.#requestedMicros = Math.max(least, Math.min(atThisRate, MOST_GROWTH * this.#requestedMicros));
    this.isRequested = true;
    this.#openLeaseId ??= newLeaseId;
    return { leaseId: this.#openLeaseId, campaignId: this.id, micros: this.#requestedMicros, leastMicros: this.#price };
  }

  /** Takes the store's answer. Returns the lease if there is one. */
  takeAnswer(answer: LeaseAnswer, leaseId: string, sentAtMs: number, now: number): Lease | null {
    this.isRequested = false;
    this.#openLeaseId = null;
    this.accountId = answer.accountId;
    this.#lack = answer.lack;
    this.learn({ ...answer, isBalanceSpent: answer.lack === "balance_spent" }, dayOf(now), now);
    if (answer.lack !== null) {
      this.#pause(now);
      return null;
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#retryAtMs = 0;
    this.#answeredAtMs = now;
    const lease = new Lease(leaseId, this.id, answer.grantedMicros, sentAtMs);
    this.#issuing = [...this.#issuing.filter((one) => one.isIssuing(now)), lease];
    this.#takenBeforeMicros = this.#takenMicros();
    return lease;
  }

  /** The store could not be asked. */
  failed(now: number): void {
    this.isRequested = false;
    this.#pause(now);
  }

  /** The next question comes after a pause that grows, or with the next UTC day. */
  #pause(now: number): void {
    const midnight = now - (now % DAY_MS) + DAY_MS;
    this.#retryAtMs = Math.min(now + this.#pauseMs, midnight);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Its limits are different now: its leases give no more holds, and the next request is sent at once. */
  changed(): void {
    this.version += 1;
    this.#takenBeforeMicros -= this.#takenMicros();
    for (const lease of this.#issuing) lease.close();
    this.#issuing = [];
    this.#lack = null;
    this.#isBalanceSpent = false;
    this.#retryAtMs = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  /** What the store says is spent on a day and in all. */
  learn({ todayMicros, totalMicros, isBalanceSpent }: Spent, day: string, now: number): void {
    if (isBalanceSpent !== undefined) this.#isBalanceSpent = isBalanceSpent;
    // An answer about yesterday says nothing about today.
    if (this.#spent && day < this.#spent.day) this.#spent.totalMicros = totalMicros;
    else this.#spent = { todayMicros, totalMicros, day, atMs: now };
  }

  spentOf(now: number): Spent | undefined {
    if (!this.#spent) return undefined;
    const { day, todayMicros, totalMicros } = this.#spent;
    const spent = { todayMicros: day === dayOf(now) ? todayMicros : 0, totalMicros };
    return this.#isBalanceSpent ? { ...spent, isBalanceSpent: true } : spent;
  }

  /** When it was last heard what is spent. */
  get heardAtMs(): number {
    return this.#spent?.atMs ?? 0;
  }
}
