import type { FinanceReport } from "@millrace/contract";

/** The parts of a report that movements of the balance belong to. */
export type ReportPart = "credit" | "cash_out" | HintedPart;
type HintedPart = (typeof HINTED)[number];
const HINTED = ["bonuses", "corrections", "provider_corrections"] as const;

/** What moved the balance on a day, for one reason. */
export interface Movement {
  /** The UTC day on which it counts. */
  date: string;
  part: ReportPart;
  /** Of a provider correction: the provider and the day of its traffic. */
  provider: string;
  day: string | null;
  reason: string;
  /** Negative for what was taken. */
  micros: bigint;
}

interface Sides {
  credit: bigint;
  debet: bigint;
}

const sidesOf = (movements: readonly Movement[]): Sides => ({
  credit: movements.reduce((sum, { micros }) => (micros > 0n ? sum + micros : sum), 0n),
  debet: movements.reduce((sum, { micros }) => (micros < 0n ? sum - micros : sum), 0n),
});
const numbersOf = ({ credit, debet }: Sides) => ({ credit: Number(credit), debet: Number(debet) });
const sumOf = (movements: readonly Movement[]): bigint => movements.reduce((sum, { micros }) => sum + micros, 0n);

/** Movements by day, with the balances around them. Without an opening balance, there is no closing one. */
export function reportOf(
  movements: readonly Movement[],
  opening: bigint | null,
  nameOf: (provider: string) => string,
): Omit<FinanceReport, "ds" | "de" | "providers" | "adtoapp_apps" | "booked_until"> {
  const byDay = new Map<string, Movement[]>();
  for (const movement of movements) {
    const day = byDay.get(movement.date);
    if (day) day.push(movement);
    else byDay.set(movement.date, [movement]);
  }
  const parted = (part: HintedPart) =>
    [...byDay].flatMap(([date, all]) => {
      const own = all.filter((movement) => movement.part === part);
      return own.length === 0 ? [] : [{ date, own, ...numbersOf(sidesOf(own)) }];
    });
  const hinted = (part: HintedPart) =>
    parted(part).map(({ own, ...day }) => ({
      ...day,
      hints: own.map(({ reason, micros }) => ({ reason, amount: Number(micros) })),
    }));
  const sum = sumOf(movements);
  const numbersOfPart = (part: HintedPart) =>
    numbersOf(sidesOf(movements.filter((movement) => movement.part === part)));
  return {
    bonuses: hinted("bonuses"),
    corrections: hinted("corrections"),
    provider_corrections: parted("provider_corrections").map(({ own, ...day }) => ({
      ...day,
      hints: own.map(({ reason, micros, provider, day: traffic }) => ({
        reason,
        amount: Number(micros),
        provider,
        name: nameOf(provider),
        day: traffic,
      })),
    })),
    trans: [...byDay].map(([date, all]) => ({ date, ...figuresOf(all) })),
    totals: {
      ...figuresOf(movements),
      bonuses: numbersOfPart("bonuses"),
      corrections: numbersOfPart("corrections"),
      provider_corrections: numbersOfPart("provider_corrections"),
    },
    opening: opening === null ? null : Number(opening),
    closing: opening === null ? null : Number(opening + sum),
  };
}

function figuresOf(movements: readonly Movement[]): Omit<FinanceReport["trans"][number], "date"> {
  const hinted = movements.filter(({ part }) => HINTED.some((one) => one === part));
  return {
    credit: Number(sumOf(movements.filter(({ part }) => part === "credit"))),
    referral_amount: 0,
    // Not the negative zero of a negated sum.
    cash_out: Number(-sumOf(movements.filter(({ part }) => part === "cash_out"))),
    debet: Number(sidesOf(hinted).debet),
    amount: Number(sumOf(movements)),
  };
}
