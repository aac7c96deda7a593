import {
  PAID_CAUSES,
  type PaidCause,
  REPORTED_CAUSES,
  type ReportedCause,
  type ThreeNumbers,
} from "@millrace/contract";

/** What our events say, and the named steps from it to what partners report, and from there to what is paid, in micro-dollars. */
export interface Steps {
  estimated: bigint;
  toReported: ReadonlyMap<ReportedCause, bigint>;
  toPaid: ReadonlyMap<PaidCause, bigint>;
}

const sumOf = (steps: ReadonlyMap<string, bigint>): bigint =>
  [...steps.values()].reduce((sum, micros) => sum + micros, 0n);

export const reportedOf = ({ estimated, toReported }: Pick<Steps, "estimated" | "toReported">): bigint =>
  estimated + sumOf(toReported);

function added<C extends string>(one: ReadonlyMap<C, bigint>, other: ReadonlyMap<C, bigint>): Map<C, bigint> {
  const sums = new Map(one);
  for (const [cause, micros] of other) sums.set(cause, (sums.get(cause) ?? 0n) + micros);
  return sums;
}

const NOTHING: Steps = { estimated: 0n, toReported: new Map(), toPaid: new Map() };

export const addSteps = (all: readonly Steps[]): Steps =>
  all.reduce(
    (sum, one) => ({
      estimated: sum.estimated + one.estimated,
      toReported: added(sum.toReported, one.toReported),
      toPaid: added(sum.toPaid, one.toPaid),
    }),
    NOTHING,
  );

/** The numbers with their steps in order, without those of nothing. */
export function threeNumbers(steps: Steps): ThreeNumbers {
  const reported = reportedOf(steps);
  const listed = <C extends string>(causes: readonly C[], amounts: ReadonlyMap<C, bigint>) =>
    causes.map((cause) => ({ cause, amount: Number(amounts.get(cause) ?? 0n) })).filter(({ amount }) => amount !== 0);
  return {
    estimated: Number(steps.estimated),
    to_reported: listed(REPORTED_CAUSES, steps.toReported),
    reported: Number(reported),
    to_paid: listed(PAID_CAUSES, steps.toPaid),
    paid: Number(reported + sumOf(steps.toPaid)),
  };
}
