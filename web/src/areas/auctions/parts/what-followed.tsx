import { formatDay, formatEarning } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import type { Explained, ExplainedImp } from "../../../shared/auctions/use-auction.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import classes from "./what-followed.module.css";

type Followed = Explained["followed"][number];

/** The impressions, clicks and player events after the auction, with the reason of those that do not count. */
export function WhatFollowed({ auction, imp }: { auction: Explained; imp: ExplainedImp }) {
  const own = auction.followed.filter(
    ({ zone, format }) => auction.imps.length === 1 || (zone === imp.zone && format === imp.format),
  );
  const notCounted = own.find(({ counted }) => counted === false);
  return (
    <Panel
      title="What followed"
      aside={own.length === 0 ? undefined : `${own.length} ${own.length === 1 ? "event" : "events"}`}
    >
      {own.length === 0 ? (
        <EmptyNote
          title="No events found"
          why="No impression, click or player event of this auction has been reported."
        />
      ) : (
        <ol className={classes.events}>
          {own.map((event) => (
            <Event key={`${event.at} ${event.kind} ${event.provider} ${event.why_not?.code ?? ""}`} event={event} />
          ))}
        </ol>
      )}
      {notCounted ? (
        <Link
          to={PATHS.appPerformance}
          params={{ uuid: auction.app.uuid }}
          search={{ ds: notCounted.at.slice(0, 10), de: notCounted.at.slice(0, 10) }}
          className={classes.lead}
        >
          All that was not counted on {formatDay(notCounted.at.slice(0, 10))}, by reason
        </Link>
      ) : null}
    </Panel>
  );
}

function Event({ event }: { event: Followed }) {
  const { after_ms: afterMs, label, name, counted, why_not: whyNot, revenue } = event;
  return (
    <li data-counted={counted === null ? undefined : String(counted)}>
      <span className={classes.after}>{(afterMs / 1000).toFixed(2)} s</span>
      <span>
        {label}
        <small>
          {name}
          {whyNot ? (
            <>
              . <HelpLink to={`not-counted#${whyNot.code}`}>{whyNot.text}</HelpLink>
            </>
          ) : null}
        </small>
      </span>
      <span className={classes.mark}>
        {revenue === null
          ? counted === null
            ? ""
            : counted
              ? "counted"
              : "not counted"
          : `+${formatEarning(revenue)}`}
      </span>
    </li>
  );
}
