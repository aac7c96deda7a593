import type { PartnerScore } from "@millrace/contract";
import { formatChange, formatMoney } from "@millrace/units";
import { useEffect, useRef } from "react";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Change } from "../../../ui/number/change.tsx";
import { PartnerName } from "../parts/partner-name.tsx";
import { Limited, SCORE_FIGURES } from "./score-columns.tsx";
import classes from "./scorecard.module.css";
import { SparkLine } from "./spark-line.tsx";

interface ComparedPartnersProps {
  /** One or two partners. */
  pair: readonly PartnerScore[];
  /** Describes the compared days. */
  against: string;
  /** Whether some of the days' requests have no record of what partners did. */
  isUnknown: boolean;
  onClose: () => void;
}

/** Two partners side by side, a row for each figure. */
export function ComparedPartners({ pair, against, isUnknown, onClose }: ComparedPartnersProps) {
  const block = useRef<HTMLElement>(null);
  const isPair = pair.length === 2;
  useEffect(() => {
    if (isPair) block.current?.scrollIntoView({ block: "nearest" });
  }, [isPair]);
  return (
    <section ref={block} className={classes.compared} aria-label="Side by side">
      <div className={classes.comparedHead}>
        <b>Side by side</b>
        <LinkButton onClick={onClose}>Close</LinkButton>
      </div>
      {isPair ? (
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Figure</span>
              </th>
              {pair.map((partner) => (
                <th key={partner.id} scope="col">
                  <PartnerName name={partner.name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Revenue</th>
              {pair.map(({ id, revenue, last_revenue: last }) => (
                <td key={id}>
                  {formatMoney(revenue)} <Change text={formatChange(revenue, last)} against={against} />
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">Revenue of 14 days</th>
              {pair.map(({ id, spark }) => (
                <td key={id}>
                  <SparkLine values={spark} />
                </td>
              ))}
            </tr>
            {SCORE_FIGURES.map(({ id, head, value, isOver }) => (
              <tr key={id}>
                <th scope="row">{head}</th>
                {pair.map((partner) => (
                  <td key={partner.id}>
                    <Limited over={isOver?.(partner) === true}>{value(partner, isUnknown)}</Limited>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p className={classes.faint}>Choose a second partner in the list.</p>
      )}
    </section>
  );
}
