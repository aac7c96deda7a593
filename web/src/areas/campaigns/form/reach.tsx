import { useDebouncedValue } from "@mantine/hooks";
import { ReachBody, type Reach as Estimate, type Reached, campaignReach, loadingText } from "@millrace/contract";
import { formatCount, formatCountExact, formatMoney } from "@millrace/units";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { callApi } from "../../../shared/call-api.ts";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { type Draft, bodyOf } from "./draft.ts";
import classes from "./reach.module.css";

const PAUSE_MS = 500;
const FULL_DAYS_MS = 60_000;

/** What settings would reach on a day; asks nothing without them. The last estimate stays until the next is there. */
const useReach = (body: ReachBody | undefined) =>
  useQuery({
    queryKey: ["campaign reach", body],
    queryFn: body ? ({ signal }: { signal: AbortSignal }) => callApi(campaignReach, { body, signal }) : skipToken,
    staleTime: FULL_DAYS_MS,
    placeholderData: keepPreviousData,
    // Estimates must never be in the way of saving.
    retry: false,
  });

/** What the campaign would reach on a day with the settings of the form, updated with each pause in typing. */
export function Reach({ draft }: { draft: Draft }) {
  // As text, so that a change elsewhere in the form asks for nothing.
  const text = useMemo(() => JSON.stringify(reachBodyOf(draft)), [draft]);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const body = useMemo(() => {
    const { data } = ReachBody.safeParse(JSON.parse(settled));
    return data && hasPlace(data) ? data : undefined;
  }, [settled]);
  const reach = useReach(body);
  return (
    <Panel title="Reach, a day" aside="With these settings">
      {body === undefined ? (
        <p className={classes.note}>Choose a bid, days, countries and platforms to see what they would reach.</p>
      ) : (
        <Loaded query={reach} loading={loadingText("the reach")} skeleton={<RowsSkeleton rows={4} height={26} />}>
          {(estimate) => <Estimated estimate={estimate} />}
        </Loaded>
      )}
    </Panel>
  );
}

/** The settings that decide about reach: a form with another name or creative text asks for the same. */
function reachBodyOf(draft: Draft): unknown {
  const body = bodyOf(draft);
  const settings = Object.entries(body).filter(([field]) => field in ReachBody.shape);
  const sizes = draft.creatives.filter(({ format }) => format === "banner" && format === body.campaign_format);
  return {
    ...Object.fromEntries(settings),
    sizes: sizes.map(({ image: { width, height } }) => ({ width, height })),
    has_headline: draft.creatives.some(({ format, title }) => format === "image" && title.trim() !== ""),
  };
}

const hasPlace = ({ geo_type, country }: ReachBody): boolean => geo_type === "not_in" || country.length > 0;

function Estimated({ estimate }: { estimate: Estimate }) {
  const { reached, days, auctions, matching, enough, one_in, held_by } = estimate;
  const [own] = reached;
  if (matching === 0 || own === undefined)
    return (
      <p className={classes.note}>
        {auctions === 0
          ? "Nothing is known yet: in the last 7 full days there were no auctions of this format."
          : `None of the ${formatCountExact(auctions)} auctions of this format in the last 7 full days fits the targeting.`}
      </p>
    );
  const most = Math.max(1, ...reached.map(({ impressions }) => impressions.high));
  return (
    <div className={classes.reach}>
      <dl className={classes.figures} aria-live="polite">
        <Figure label="impressions" of={own.impressions} format={formatCount} />
        <Figure label="devices" of={own.devices} format={formatCount} />
        <Figure label="spent" of={own.costs} format={formatMoney} />
      </dl>
      <ul className={classes.bids} aria-label="Impressions a day by bid">
        {reached.map((one, index) => (
          <Bid key={one.bid} one={one} isOwn={index === 0} most={most} />
        ))}
      </ul>
      <p className={classes.note}>
        {`From the quietest to the busiest of the last ${days === 1 ? "full day" : `${days} full days`} on which it would run: `}
        {`${formatCountExact(matching)} of ${formatCountExact(auctions)} auctions of this format fit the targeting. `}
        It wins where its bid reaches the floor and exceeds the price that won, within its caps and daily budget.
        {one_in > 1 ? ` Counted on one in ${formatCountExact(one_in)} devices.` : ""}
      </p>
      {held_by === null ? null : (
        <p className={classes.warn}>
          {held_by === "budget"
            ? "The daily budget holds it back: more would be won."
            : "The frequency caps hold it back: more would be won."}
        </p>
      )}
      {enough ? null : (
        <p className={classes.warn}>Too few auctions are known for a reliable estimate: take it as a hint.</p>
      )}
    </div>
  );
}

interface FigureProps {
  label: string;
  of: { low: number; high: number };
  format: (value: number) => string;
}

function Figure({ label, of: range, format }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{rangeText(range, format)}</dd>
    </div>
  );
}

const rangeText = ({ low, high }: FigureProps["of"], format: FigureProps["format"]): string =>
  low === high ? format(high) : `${format(low)} – ${format(high)}`;

function Bid({ one: bidReach, isOwn, most }: { one: Reached; isOwn: boolean; most: number }) {
  const { low, high } = bidReach.impressions;
  return (
    <li data-own={isOwn ? "" : undefined}>
      <span>{isOwn ? formatMoney(bidReach.bid) : `at ${formatMoney(bidReach.bid)}`}</span>
      <span className={classes.range}>{rangeText(bidReach.impressions, formatCount)}</span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className={classes.track} width="100" height="6" rx="1" />
        <rect
          className={classes.bar}
          x={(100 * low) / most}
          width={Math.max(1, (100 * (high - low)) / most)}
          height="6"
          rx="1"
        />
      </svg>
    </li>
  );
}
