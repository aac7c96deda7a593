import fc from "fast-check";
import { BOOKING, beginBooks } from "./booking-commands.ts";
import { checkBooks } from "./check-books.ts";
import { DEDUCTING } from "./deduction-commands.ts";
import { PAYING } from "./payout-commands.ts";
import type { RealBooks } from "./real-books.ts";
import { STATING } from "./statement-commands.ts";

/** Everything that may happen. */
const STEPS = { ...BOOKING, ...DEDUCTING, ...PAYING, ...STATING };
export type Step = keyof typeof STEPS;
const ALL = Object.keys(STEPS) as Step[];
/** These happen more often than others. */
const OFTEN: readonly Step[] = ["days", "days", "traffic", "ads", "note", "pay", "bank", "nightly", "kill"];

export interface ModelRun {
  sequences: number;
  seed?: number;
  /** Does not look for the shortest sequence that fails. */
  isQuick?: boolean;
  /** Only these happen. */
  among?: readonly Step[];
}

/** Steps of a sequence at most. */
const MOST_STEPS = 30;

interface Failure {
  error: unknown;
  /** With the seed, and the steps that led to it. */
  report: string | undefined;
}

/** Runs random sequences of commands. Resolves with the first failure, or null. */
export async function runModel(
  real: RealBooks,
  { sequences, seed, isQuick = false, among = [...ALL, ...OFTEN] }: ModelRun,
): Promise<Failure | null> {
  const commands = fc.commands(
    among.map((step) => STEPS[step]),
    { maxCommands: MOST_STEPS, size: "max" },
  );
  const property = fc.asyncProperty(commands, async (steps) => {
    await real.reset();
    await beginBooks(real);
    await checkBooks(real, null);
    await fc.asyncModelRun(() => ({ model: real.expected, real }), steps);
  });
  const result = await fc.check(property, {
    numRuns: sequences,
    endOnFailure: isQuick,
    ...(seed !== undefined && { seed }),
  });
  if (!result.failed) return null;
  return { error: result.errorInstance, report: fc.defaultReportMessage(result) };
}
