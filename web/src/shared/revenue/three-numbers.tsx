import type { PaidCause, ReportedCause, ThreeNumbers as Numbers } from "@millrace/contract";
import { formatMoney, formatMoneyExact } from "@millrace/units";
import { Fragment, type ReactNode } from "react";
import { signedMoney } from "./signed-money.ts";
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

/** What is estimated, reported and paid, and every step between them as bars and in words. */
export function ThreeNumbers({ numbers, about, lead = asText, words = NO_WORDS }: ThreeNumbersProps) {
  const toReported = numbers.to_reported.map((step) => ({
    ...step,
    ...REPORTED_WORDS[step.cause],
    ...words[step.cause],
  }));
  const toPaid = numbers.to_paid.map((step) => ({ ...step, ...PAID_WORDS[step.cause], ...words[step.cause] }));
  return (
    <>
      <dl className={classes.three}>
        {NUMBERS.map(({ id, label }) => (
          <div key={id} data-number={id}>
            <dt>{label}</dt>
            <dd title={formatMoneyExact(numbers[id])}>{formatMoney(numbers[id])}</dd>
            <dd>{about[id]}</dd>
          </div>
        ))}
      </dl>
      <StepBars numbers={numbers} toReported={toReported} toPaid={toPaid} />
      <div className={classes.steps}>
        <StepList title="From estimated to reported" steps={toReported} lead={lead} />
        <StepList title="From reported to paid" steps={toPaid} lead={lead} />
      </div>
    </>
  );
}

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
          {steps.map(({ cause, label, about, amount }) => (
            <Fragment key={cause}>
              <dt>
                {lead(cause, label)}
                <small>{about}</small>
              </dt>
              <dd data-back={cause === "given_back" ? "" : undefined} title={formatMoneyExact(amount)}>
                {signedMoney(amount)}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  );
}
