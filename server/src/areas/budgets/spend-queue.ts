import { dayOf } from "@millrace/units";
import { retryOnConnectionLoss } from "../../platform/retry-on-connection-loss.ts";
import { sleep } from "../../platform/waiting.ts";
import type { BudgetStore, SpendAnswer, SpendGroup } from "./budget-store.ts";
import type { Spend } from "./budgets.ts";

/** Impressions that arrive within this time share a transaction. */
const GROUPING_MS = 3;
const LARGEST_BATCH = 5000;
/** A lost connection is tried again for this long; then the callers hear of it. */
const PATIENCE_MS = 3000;

interface Entry extends Spend {
  day: string;
  sign: 1 | -1;
  settle(isBilled: boolean): void;
  fail(error: unknown): void;
}

/** Sends impressions to the store in batches, one at a time, each of one UTC day. */
export class SpendQueue {
  readonly #store: Pick<BudgetStore, "spend">;
  readonly #onAnswer: (group: SpendGroup, answer: SpendAnswer, day: string) => void;
  #waiting: Entry[] = [];
  #batch = 0;
  #sending: Promise<void> | undefined;

  constructor(
    store: Pick<BudgetStore, "spend">,
    /** Hears of each group that the store has answered. */
    onAnswer: (group: SpendGroup, answer: SpendAnswer, day: string) => void,
  ) {
    this.#store = store;
    this.#onAnswer = onAnswer;
  }

  /** One boolean each: whether it was billed, or taken back with the sign -1. */
  add(spends: readonly Spend[], sign: 1 | -1): Promise<boolean[]> {
    for (const { micros, campaignId, atMs } of spends) {
      if (!Number.isSafeInteger(micros) || micros <= 0) throw new RangeError("micros must be a positive integer");
      if (!Number.isInteger(campaignId)) throw new RangeError("campaignId must be an integer");
      if (!Number.isFinite(atMs)) throw new RangeError("atMs must be a moment");
    }
    if (spends.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const results: boolean[] = spends.map(() => false);
      let open = spends.length;
      for (const [index, spend] of spends.entries())
        this.#waiting.push({
          ...spend,
          day: dayOf(spend.atMs),
          sign,
          settle(isBilled) {
            results[index] = isBilled;
            open -= 1;
            if (open === 0) resolve(results);
          },
          fail: reject,
        });
      this.#sending ??= this.#send();
    });
  }

  /** Waits until nothing waits. */
  async drain(): Promise<void> {
    while (this.#sending) await this.#sending;
  }

  async #send(): Promise<void> {
    await sleep(GROUPING_MS);
    while (this.#waiting.length > 0) await this.#sendBatch(this.#takeBatch());
    this.#sending = undefined;
  }

  /** The first ones, as long as they have the same day. */
  #takeBatch(): Entry[] {
    const day = this.#waiting[0]?.day;
    const other = this.#waiting.findIndex((entry) => entry.day !== day);
    return this.#waiting.splice(0, Math.min(LARGEST_BATCH, other === -1 ? this.#waiting.length : other));
  }

  async #sendBatch(entries: readonly Entry[]): Promise<void> {
    const groups = groupsOf(entries);
    const batch = (this.#batch += 1);
    const day = entries[0]?.day ?? "";
    try {
      const names = groups.map(({ group }) => group);
      const answers = await retryOnConnectionLoss(() => this.#store.spend(batch, day, names), {
        deadlineMs: PATIENCE_MS,
      });
      for (const [index, { group, entries: members }] of groups.entries()) {
        const answer = answers[index] ?? { billed: 0, todayMicros: 0, totalMicros: 0 };
        this.#onAnswer(group, answer, day);
        for (const [nth, entry] of members.entries()) entry.settle(nth < Math.abs(answer.billed));
      }
    } catch (error) {
      for (const entry of entries) entry.fail(error);
    }
  }
}

/** By campaign, lease, price and sign, in the order of their first impression. */
function groupsOf(entries: readonly Entry[]): { group: SpendGroup; entries: Entry[] }[] {
  const groups = new Map<string, { group: SpendGroup; entries: Entry[] }>();
  for (const entry of entries) {
    const { campaignId, leaseId, micros, sign } = entry;
    const key = `${campaignId} ${micros} ${sign} ${leaseId}`;
    const known = groups.get(key);
    if (known) {
      known.group.count += sign;
      known.entries.push(entry);
    } else {
      groups.set(key, { group: { campaignId, leaseId, micros, count: sign }, entries: [entry] });
    }
  }
  return [...groups.values()];
}
