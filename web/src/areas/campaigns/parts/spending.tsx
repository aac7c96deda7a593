import { Button } from "@mantine/core";
import { CHOSEN_REASONS, type Spending as Answer, campaignSpending, loadingText } from "@millrace/contract";
import { formatCount, formatCountExact, formatDayRange, formatMoney, formatShare } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { SupportText } from "../../../shared/support-text.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { LIVE_MS } from "../api.ts";
import classes from "./spending.module.css";

interface SpendingProps {
  uuid: string;
  /** Yesterday and today without it. */
  days?: { ds: string; de: string };
  /** Takes over a bid that would have won more; left out where no bid can be changed. */
  onBid?: (micros: number) => void;
}

/** Of yesterday and today without days. */
const useSpending = (uuid: string, days: SpendingProps["days"]) =>
  useQuery({
    queryKey: ["campaign spending", uuid, days],
    queryFn: ({ signal }) => callApi(campaignSpending, { params: { id: uuid }, query: days ?? {}, signal }),
    staleTime: LIVE_MS,
  });

/** What became of a campaign's opportunities, and what to do about the largest loss. */
export function Spending({ uuid, days, onBid }: SpendingProps) {
  const spending = useSpending(uuid, days);
  return (
    <Loaded
      query={spending}
      loading={loadingText("where its opportunities went")}
      skeleton={<RowsSkeleton rows={6} height={36} />}
    >
      {(answer) => <Parts answer={answer} onBid={onBid} />}
    </Loaded>
  );
}

const FROZEN = (
  <>
    <b>The campaign is frozen. </b>It takes part in no auction until it is activated.
  </>
);

function Parts({ answer, onBid }: { answer: Answer; onBid: SpendingProps["onBid"] }) {
  const { days, opportunities, parts, main, better_bid: bid, frozen } = answer;
  const stopped = frozen ? <p className={classes.say}>{FROZEN}</p> : null;
  if (opportunities === 0)
    return (
      <>
        {stopped}
        <p className={classes.note}>{`${formatDayRange(days)} (UTC): no auctions of its format are recorded.`}</p>
      </>
    );
  const most = parts.find(({ reason }) => reason === main);
  const isPrice = main === "floor" || main === "outbid";
  return (
    <div className={classes.spending}>
      {stopped}
      {most?.advice ? (
        <p className={classes.say}>
          <b>{`${most.text}. `}</b>
          <SupportText text={most.advice} />
        </p>
      ) : null}
      <p className={classes.note}>
        {`${formatDayRange(days)} (UTC): ${formatCountExact(opportunities)} auctions of its format, each counted once.`}
      </p>
      <ol className={classes.parts} aria-label="Opportunities by reason">
        {parts.map(({ reason, auctions, text, advice }) => (
          <li
            key={reason}
            data-kind={reason === "won" ? "won" : CHOSEN_REASONS.has(reason) ? "chosen" : "lost"}
            title={`${text}: ${formatCountExact(auctions)}`}
          >
            <span className={classes.text}>
              <HelpLink to={`spending#${reason}`}>{text}</HelpLink>
              {advice === null || reason === main ? null : (
                <small>
                  <SupportText text={advice} />
                </small>
              )}
            </span>
            <span className={classes.count}>{formatCount(auctions)}</span>
            <span className={classes.percent}>{formatShare((100 * auctions) / opportunities)}</span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect className={classes.track} width="100" height="4" />
              <rect className={classes.bar} width={Math.max(0.5, (100 * auctions) / opportunities)} height="4" />
            </svg>
          </li>
        ))}
      </ol>
      <p className={classes.note}>Grey is your own targeting. The figures assume the current settings.</p>
      {bid !== null && isPrice && onBid ? (
        <Button variant="default" size="xs" onClick={() => onBid(bid)}>
          {`Bid ${formatMoney(bid)} instead`}
        </Button>
      ) : null}
    </div>
  );
}
