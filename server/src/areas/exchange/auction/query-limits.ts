import type { BiddingParticipant } from "@millrace/auction";
import type { PartnerConfig } from "../config/snapshot.ts";

const WINDOW_MS = 1000;

/** When a partner's last queries were sent, as many as it may get within a second. */
class QueryLimit {
  readonly most: number;
  readonly #sentAt: Float64Array;
  #oldest = 0;

  constructor(most: number) {
    this.most = most;
    this.#sentAt = new Float64Array(most).fill(-Infinity);
  }

  /** Whether `allowed` of at most `most` queries were sent within the last second. */
  isReached(now: number, allowed: number): boolean {
    if (allowed === 0) return true;
    const nth = (this.#oldest + this.most - allowed) % this.most;
    return now - (this.#sentAt[nth] ?? 0) < WINDOW_MS;
  }

  take(now: number): void {
    this.#sentAt[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % this.most;
  }
}

/** The partners' limits of queries per second: never more, whichever second one looks at. Times are of one monotonic clock. */
export class QueryLimits {
  readonly #byPartner = new Map<string, QueryLimit>();
  readonly #partOf: (most: number) => number;

  /** `partOf` says how many of all processes' queries this one may send. */
  constructor(partOf = (most: number) => most) {
    this.#partOf = partOf;
  }

  /** The participants, marked if their limit is reached. Returns the same list if none is. */
  marked(
    participants: BiddingParticipant[],
    partner: (id: string) => PartnerConfig | undefined,
    now: number,
  ): BiddingParticipant[] {
    let isChanged = false;
    const marked = participants.map((participant) => {
      const limit = this.#limitOf(partner(participant.id));
      if (!limit?.isReached(now, this.#partOf(limit.most))) return participant;
      isChanged = true;
      return { ...participant, isRateLimited: true as const };
    });
    return isChanged ? marked : participants;
  }

  /** Counts a query; false if it may not be sent. */
  take(partner: PartnerConfig, now: number): boolean {
    const limit = this.#limitOf(partner);
    if (!limit) return true;
    if (limit.isReached(now, this.#partOf(limit.most))) return false;
    limit.take(now);
    return true;
  }

  #limitOf(partner: PartnerConfig | undefined): QueryLimit | undefined {
    if (partner?.qpsLimit === undefined) return undefined;
    const known = this.#byPartner.get(partner.id);
    if (known?.most === partner.qpsLimit) return known;
    const limit = new QueryLimit(partner.qpsLimit);
    this.#byPartner.set(partner.id, limit);
    return limit;
  }
}
