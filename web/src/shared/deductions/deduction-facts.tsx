import { DEDUCTION_REASON_LABELS, type Deduction } from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/link-button.tsx";
import { formatMoment } from "../day-text.ts";
import { stateWords } from "./deduction-words.ts";
import classes from "./deduction-facts.module.css";

interface DeductionFactsProps {
  deduction: Deduction;
  /** Explains a sample auction, which only its publisher may read. */
  onAuction?: (id: string) => void;
  children?: ReactNode;
}

/** Everything about a deduction: what for, its samples, the dispute and the answer. `children` are more facts. */
export function DeductionFacts({ deduction, onAuction, children }: DeductionFactsProps) {
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
                  <li key={id}>{onAuction ? <LinkButton onClick={() => onAuction(id)}>{id}</LinkButton> : id}</li>
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
