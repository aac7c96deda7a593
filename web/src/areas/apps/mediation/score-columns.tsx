import { type AppMediation, CAMPAIGN_PROVIDER, PARTNER_LIMITS, type PartnerScore } from "@millrace/contract";
import {
  formatChange,
  formatCount,
  formatCountExact,
  formatDay,
  formatMoney,
  formatMoneyExact,
  formatMoneyTo,
  formatPercentExact,
  formatShare,
} from "@millrace/units";
import type { ReactNode } from "react";
import { type RequestsFilter, RequestsLink } from "../../../shared/requests-link.tsx";
import form from "../../../ui/form/form.module.css";
import { Change } from "../../../ui/number/change.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { PartnerName } from "../parts/partner-name.tsx";
import { type MediationAddress, chosenPartners } from "./address.ts";
import { PartnerSwitch } from "./partner-switch.tsx";
import classes from "./scorecard.module.css";
import { SparkLine } from "./spark-line.tsx";

type Figures = AppMediation["total"];

/** A row of the scorecard; the total has no partner. */
export interface ScoreLine {
  partner: PartnerScore | null;
  figures: Figures;
  /** Whether some of the days' requests have no record of what partners did. */
  isUnknown: boolean;
}

export const formatMs = (ms: number | null): string => (ms === null ? "–" : `${Math.round(ms)} ms`);

interface Figure {
  id: string;
  head: string;
  value: (figures: Figures, isUnknown: boolean) => string;
  exact?: (figures: Figures) => string;
  /** Whether the value is over its limit. */
  isOver?: (figures: Figures) => boolean;
}

/** The figures of a scorecard, in the order of the table and of the comparison. */
export const SCORE_FIGURES: readonly Figure[] = [
  {
    id: "asked",
    head: "Asked",
    value: ({ asked }, isUnknown) => (isUnknown && asked === 0 ? "–" : formatCount(asked)),
    exact: ({ asked }) => formatCountExact(asked),
  },
  {
    id: "bid_rate",
    head: "Bid rate",
    value: ({ bid_rate: rate }) => formatShare(rate),
    exact: ({ bids, bid_rate: rate }) => `${formatCountExact(bids)} bids, ${formatPercentExact(rate)}`,
  },
  {
    id: "win_rate",
    head: "Win rate",
    value: ({ win_rate: rate }) => formatShare(rate),
    exact: ({ wins, win_rate: rate }) => `${formatCountExact(wins)} wins, ${formatPercentExact(rate)} of the bids`,
  },
  { id: "median_bid", head: "Median bid", value: ({ median_bid: bid }) => formatMoneyTo(bid, 4) },
  { id: "p50", head: "p50", value: ({ p50_ms: ms }) => formatMs(ms) },
  {
    id: "p95",
    head: "p95",
    value: ({ p95_ms: ms }) => formatMs(ms),
    isOver: ({ p95_ms: ms }) => ms !== null && ms > PARTNER_LIMITS.p95Ms,
  },
  {
    id: "timeouts",
    head: "Timeouts",
    value: ({ timeout_rate: rate }) => formatShare(rate),
    exact: ({ timeouts, errors }) => `${formatCountExact(timeouts)} timeouts, ${formatCountExact(errors)} other errors`,
    isOver: ({ timeout_rate: rate }) => rate !== null && rate > PARTNER_LIMITS.timeoutRate,
  },
];

/** A value, marked if it is over its limit: in colour, and in words for those who do not see it. */
export function Limited({ over, children }: { over: boolean; children: ReactNode }) {
  if (!over) return children;
  return (
    <b className={classes.over}>
      {children}
      <span className="visually-hidden"> over the limit</span>
    </b>
  );
}

interface ScoreParts {
  uuid: string;
  address: MediationAddress;
  /** Describes the compared days. */
  against: string;
  onChange: (change: Partial<MediationAddress>) => void;
}

/** The scorecard's columns. */
export function scoreColumns({ uuid, address, against, onChange }: ScoreParts): Column<ScoreLine>[] {
  const { ds, de, format, country, partner: compared } = address;
  return [
    {
      id: "name",
      head: "Partner",
      cell: ({ partner }) =>
        partner ? (
          <ScoredName
            partner={partner}
            uuid={uuid}
            requests={{ ds, de, format, country, partner: partner.id }}
            chosen={compared.includes(partner.id)}
            onChoose={() => onChange({ partner: chosenPartners(compared, partner.id) })}
          />
        ) : (
          "All partners"
        ),
    },
    {
      id: "revenue",
      head: "Revenue",
      numeric: true,
      leads: true,
      cell: ({ figures: { revenue, last_revenue: last } }) => (
        <span className={classes.money}>
          {formatMoney(revenue)}
          <small>
            {revenue === 0 && last === 0 ? null : <Change text={formatChange(revenue, last)} against={against} />}
          </small>
        </span>
      ),
      exact: ({ figures: { revenue } }) => formatMoneyExact(revenue),
    },
    { id: "spark", head: "14 days", cell: ({ figures }) => <SparkLine values={figures.spark} /> },
    ...SCORE_FIGURES.map(({ id, head, value, exact, isOver }): Column<ScoreLine> => ({
      id,
      head,
      numeric: true,
      cell: ({ partner, figures, isUnknown }) => (
        <Limited over={partner !== null && isOver?.(figures) === true}>{value(figures, isUnknown)}</Limited>
      ),
      ...(exact && { exact: ({ figures }) => exact(figures) }),
    })),
    {
      id: "state",
      head: "Takes part",
      leads: true,
      cell: ({ partner }) => (partner ? <PartnerSwitch uuid={uuid} partner={partner} /> : null),
    },
  ];
}

interface ScoredNameProps {
  partner: PartnerScore;
  uuid: string;
  /** The requests that it was sent. */
  requests: RequestsFilter;
  chosen: boolean;
  onChoose: () => void;
}

/** A partner in the scorecard, with what is wrong with it. */
function ScoredName({ partner, uuid, requests, chosen, onChoose }: ScoredNameProps) {
  const { id, name, enabled, active, keyed, slow, late } = partner;
  const isOff = id !== CAMPAIGN_PROVIDER.id && (!enabled || !active || keyed.length === 0);
  return (
    <span className={classes.name} data-off={isOff ? "" : undefined}>
      <label className={classes.choose}>
        <input
          type="checkbox"
          className={form.box}
          aria-label={`Compare ${name}`}
          checked={chosen}
          onChange={onChoose}
        />
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
