import type { Deduction } from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";

/** What became of a deduction. */
export function stateWords({ state, can_dispute }: Pick<Deduction, "state" | "can_dispute">): string {
  if (state === "noted") return can_dispute ? "Can be disputed" : "Stands, not disputed";
  return { disputed: "Disputed, waits for an answer", upheld: "Upheld, stands", reversed: "Reversed, given back" }[
    state
  ];
}

/** Names a deduction among others, for screen readers. */
export const deductionName = ({ amount, app, day }: Pick<Deduction, "amount" | "app" | "day">): string =>
  `the deduction of ${formatMoneyExact(amount)} from ${app.name} on ${formatDay(day)}`;
