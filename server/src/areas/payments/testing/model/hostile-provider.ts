import type { Ordered, PayoutOrder, PayoutProvider, Standing } from "../../payouts/provider.ts";
import { type Life, step } from "./mortal-pool.ts";

/** What it does with an order, and with a question. */
export const PAY_ANSWERS = ["accepts", "refuses", "is away", "takes it and says nothing", "never gets it"] as const;
export const ASK_ANSWERS = ["tells", "tells late", "knows nothing", "is away"] as const;
export type PayAnswer = (typeof PAY_ANSWERS)[number];
export type AskAnswer = (typeof ASK_ANSWERS)[number];

interface Payment {
  /** It pays an order as often as it gets it. */
  times: number;
  amount: string;
  standing: "pending" | "paid" | "rejected";
}

/** A provider that takes the same order twice, loses replies, and knows nothing of what it has taken. */
export class HostileProvider {
  /** What it has really taken, by payout. */
  readonly payments = new Map<string, Payment>();
  /** Accounts with details, by their payees' ids. */
  readonly payable = new Set<string>();
  payAnswers: readonly PayAnswer[] = ["accepts"];
  askAnswers: readonly AskAnswer[] = ["tells"];
  #turn = 0;

  as(life: Life): PayoutProvider {
    return {
      id: "sandbox",
      frameOrigin: "https://payouts.test",
      frameAddress: async () => "https://payouts.test",
      methodOf: (payeeId) => step(life, async () => (this.payable.has(payeeId) ? "Bank transfer ending 4417" : null)),
      pay: (order) => step(life, async () => this.#pay(order)),
      ask: (payoutId) => step(life, async () => this.#ask(payoutId)),
    };
  }

  #pay({ payoutId, amountMicros }: PayoutOrder): Ordered {
    const answer = this.payAnswers[this.#turn++ % this.payAnswers.length];
    if (answer === "refuses") return { is: "refused", reason: "No such bank" };
    if (answer === "is away") return { is: "unreached" };
    if (answer === "never gets it") return { is: "unknown" };
    const was = this.payments.get(payoutId);
    this.payments.set(payoutId, {
      times: (was?.times ?? 0) + 1,
      amount: amountMicros.toString(),
      standing: was?.standing ?? "pending",
    });
    return answer === "accepts" ? { is: "accepted", reference: payoutId } : { is: "unknown" };
  }

  #ask(payoutId: string): Standing {
    const answer = this.askAnswers[this.#turn++ % this.askAnswers.length];
    if (answer === "is away") throw new Error("The provider is away");
    const payment = this.payments.get(payoutId);
    if (!payment || answer === "knows nothing") return { is: "unknown" };
    const { standing } = payment;
    if (answer === "tells late") return { is: "pending", reference: payoutId };
    return standing === "rejected" ? { is: "rejected", reason: "Returned" } : { is: standing, reference: payoutId };
  }
}
