import { DEDUCTION_REASON_LABELS, type Deduction } from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatMoment } from "../day-text.ts";
import { PATHS } from "../paths.ts";
import { stateWords } from "./deduction-words.ts";
import classes from "./deduction-facts.module.css";

interface DeductionFactsProps {
  deduction: Deduction;
  /** Whether the sample auctions open: they do for their publisher. */
  opensAuctions: boolean;
  children?: ReactNode;
}

/** Everything about a deduction: what for, its samples, the dispute and the answer. `children` are more facts. */
export function DeductionFacts({ deduction, opensAuctions, children }: DeductionFactsProps) {
  const { amount, day, app, provider_name, reason, explanation, noted_at, auctions, dispute, answer } = deduction;
  return (
    <>
      <dl className={classes.facts}>
        {children}
        <dt>Amount</dt>
        <dd>{formatMoneyExact(amount)}</dd>
        <dt>Traffic</dt>
        <dd>
          {app.name} on {formatDay(day)} (UTC){provider_name === null ? "" : `, ${provider_name}`}
        </dd>
        <dt>What for</dt>
        <dd>
          {DEDUCTION_REASON_LABELS[reason]}: {explanation}
        </dd>
        <dt>Noted</dt>
        <dd>{formatMoment(noted_at)} UTC</dd>
        <dt>State</dt>
        <dd>{stateWords(deduction)}</dd>
        {auctions.length === 0 ? null : (
          <>
            <dt>Sample auctions</dt>
            <dd>
              <ul className={classes.samples}>
                {auctions.map((id) => (
                  <li key={id}>
                    {opensAuctions ? (
                      <Link to={PATHS.auction} params={{ id }} search={{}}>
                        {id}
                      </Link>
                    ) : (
                      id
                    )}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
      {dispute === null ? null : <Written what="Dispute" {...dispute} />}
      {answer === null ? null : <Written what="Answer" {...answer} />}
    </>
  );
}

function Written({ what, at, text }: { what: string; at: string; text: string | null }) {
  return (
    <>
      <p className={classes.when}>
        {what}, {formatMoment(at)} UTC:
      </p>
      <p className={classes.quote}>{text ?? "The text was deleted with the person who wrote it."}</p>
    </>
  );
}
