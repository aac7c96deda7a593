import type { PartnerScore } from "@millrace/contract";
import { formatDay } from "@millrace/units";
import { type RequestsFilter, RequestsLink } from "../../../shared/requests-link.tsx";
import { PartnerName } from "../parts/partner-name.tsx";
import classes from "./scorecard.module.css";

interface ScoredNameProps {
  partner: PartnerScore;
  uuid: string;
  /** The requests that it was sent. */
  requests: RequestsFilter;
  chosen: boolean;
  onChoose: () => void;
}

/** A partner in the scorecard, with what is wrong with it. */
export function ScoredName({ partner, uuid, requests, chosen, onChoose }: ScoredNameProps) {
  const { name, enabled, active, keyed, slow, late } = partner;
  const isOff = !enabled || !active || keyed.length === 0;
  return (
    <span className={classes.name} data-off={isOff ? "" : undefined}>
      <label className={classes.choose}>
        <input type="checkbox" aria-label={`Compare ${name}`} checked={chosen} onChange={onChoose} />
      </label>
      <span>
        <RequestsLink uuid={uuid} filter={requests} className={classes.requests}>
          <PartnerName name={name} />
          <span className="visually-hidden">: requests</span>
        </RequestsLink>
        {slow ? <small className={classes.warned}>slow {sinceText(slow)}</small> : null}
        {late ? <small className={classes.warned}>timeouts {sinceText(late)}</small> : null}
      </span>
    </span>
  );
}

/** `since Nov 19th`; the days looked at may not have its beginning. */
const sinceText = ({ since, or_before: isOlder }: NonNullable<PartnerScore["slow"]>): string =>
  `since ${isOlder ? "before " : ""}${formatDay(since).replace(/, \d+$/, "")}`;
