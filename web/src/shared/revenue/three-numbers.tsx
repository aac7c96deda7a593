import type { PaidCause, ReportedCause, ThreeNumbers as Numbers } from "@millrace/contract";
import { formatMoney, formatMoneyExact, shownParts } from "@millrace/units";
import { Fragment, type ReactNode } from "react";
import { signedPart } from "./signed-money.ts";
import { type CauseWords, PAID_WORDS, REPORTED_WORDS, type Step } from "./cause-words.ts";
import { StepBars } from "./step-bars.tsx";
import classes from "./revenue.module.css";

interface ThreeNumbersProps {
  numbers: Numbers;
  /** What stands under each number. */
  about: Record<"estimated" | "reported" | "paid", ReactNode>;
  /** Turns the name of a step into a link to what it is made of. */
  lead?: (cause: ReportedCause | PaidCause, label: string) => ReactNode;
  /** Other words for a step. */
  words?: Partial<Record<ReportedCause | PaidCause, Partial<CauseWords>>>;
}

const NO_WORDS: NonNullable<ThreeNumbersProps["words"]> = {};
const asText: NonNullable<ThreeNumbersProps["lead"]> = (_, label) => label;

/** What is estimated, reported and paid, and every step between them as bars and in words. The steps add up as they are shown. */
export function ThreeNumbers({ numbers, about, lead = asText, words = NO_WORDS }: ThreeNumbersProps) {
  const { toReported, toPaid, format } = shownNumbers(numbers);
  const reportedSteps = toReported.map((step) => ({ ...step, ...REPORTED_WORDS[step.cause], ...words[step.cause] }));
  const paidSteps = toPaid.map((step) => ({ ...step, ...PAID_WORDS[step.cause], ...words[step.cause] }));
  return (
    <>
      <dl className={classes.three}>
        {NUMBERS.map(({ id, label }) => (
          <div key={id} data-number={id}>
            <dt>{label}</dt>
            <dd title={formatMoneyExact(numbers[id])}>{format(numbers[id])}</dd>
            <dd>{about[id]}</dd>
          </div>
        ))}
      </dl>
      <StepBars numbers={numbers} format={format} toReported={reportedSteps} toPaid={paidSteps} />
      <div className={classes.steps}>
        <StepList title="From estimated to reported" steps={reportedSteps} lead={lead} />
        <StepList title="From reported to paid" steps={paidSteps} lead={lead} />
      </div>
    </>
  );
}

/** The steps with what they come to as they are shown. Where parts of a cent alone cross one, everything has all its digits. */
function shownNumbers({ estimated, to_reported: toReported, reported, to_paid: toPaid }: Numbers) {
  const first = shownParts(estimated, amountsOf(toReported), 2);
  const second = shownParts(reported, amountsOf(toPaid), 2);
  if (first && second) {
    return { format: formatMoney, toReported: withShown(toReported, first), toPaid: withShown(toPaid, second) };
  }
  return { format: formatMoneyExact, toReported: withShown(toReported, []), toPaid: withShown(toPaid, []) };
}

const amountsOf = (steps: readonly { amount: number }[]): number[] => steps.map(({ amount }) => amount);

const withShown = <S extends { amount: number }>(steps: readonly S[], shown: readonly number[]) =>
  steps.map((step, nth) => ({ ...step, shown: shown[nth] ?? 0 }));

const NUMBERS = [
  { id: "estimated", label: "Estimated" },
  { id: "reported", label: "Reported" },
  { id: "paid", label: "Paid" },
] as const;

function StepList({
  title,
  steps,
  lead,
}: {
  title: string;
  steps: readonly Step[];
  lead: NonNullable<ThreeNumbersProps["lead"]>;
}) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {steps.length === 0 ? (
        <p className={classes.none}>Both are the same.</p>
      ) : (
        <dl>
          {steps.map(({ cause, label, about, amount, shown }) => (
            <Fragment key={cause}>
              <dt>
                {lead(cause, label)}
                <small>{about}</small>
              </dt>
              <dd data-back={cause === "given_back" ? "" : undefined} title={formatMoneyExact(amount)}>
                {signedPart(amount, shown)}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  );
}
