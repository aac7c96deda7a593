/** An account as the provider knows it. */
export interface Payee {
  payeeId: string;
  /** The owner's. */
  email: string;
  name: string;
}

export interface PayoutOrder {
  payoutId: string;
  payeeId: string;
  amountMicros: bigint;
  /** The month that is paid: `2026-10`. */
  month: string;
}

/** What became of an order. `unreached` only if the provider certainly never got it; anything in doubt is `unknown`. */
export type Ordered =
  | { is: "accepted"; reference: string }
  | { is: "refused"; reason: string }
  | { is: "unreached" }
  | { is: "unknown" };

/** What the provider says of an order; `unknown` may be an order that it will know in a moment. */
export type Standing =
  | { is: "unknown" }
  | { is: "pending"; reference: string }
  | { is: "paid"; reference: string }
  | { is: "rejected"; reason: string };

/** A company that pays publishers. Nothing here relies on a provider refusing an order it was given twice. */
export interface PayoutProvider {
  id: "sandbox" | "tipalti";
  /** The origin whose frame takes the payee's details, and whose messages are heeded. */
  frameOrigin: string;
  /** A signed address of the frame, valid for a short time. Throws if the provider cannot be reached. */
  frameAddress(payee: Payee): Promise<string>;
  /** How a payee is paid, such as `Bank transfer ending 4417`; null until it can be paid. Throws if unreachable. */
  methodOf(payeeId: string): Promise<string | null>;
  /** Never throws: what is not known is `unknown`. */
  pay(order: PayoutOrder): Promise<Ordered>;
  /** What became of an order; throws if the provider cannot be reached. */
  ask(payoutId: string): Promise<Standing>;
}
