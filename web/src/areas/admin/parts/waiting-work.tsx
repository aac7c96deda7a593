import type { PlatformFigures } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { durationSince } from "../duration-since.ts";
import classes from "./parts.module.css";

/** What waits for an admin, and what waits inside the platform. */
export function WaitingWork({ waiting, nowMs }: { waiting: PlatformFigures["waiting"]; nowMs: number }) {
  const { moderation, creatives, support, disputes, payouts, drifts, excesses, jobs, failed_jobs, journal } = waiting;
  const since = (from: string | null) => (from === null ? "" : `the oldest for ${durationSince(from, nowMs)}`);
  return (
    <dl className={classes.figures}>
      <Line
        name={<Link to={PATHS.adminModeration}>Apps to review</Link>}
        count={moderation.count}
        note={since(moderation.since)}
      />
      <Line
        name={<Link to={PATHS.adminCreatives}>Creatives to review</Link>}
        count={creatives.count}
        note={since(creatives.since)}
      />
      <Line
        name={<Link to={PATHS.adminSupport}>Messages to answer</Link>}
        count={support.count}
        note={since(support.since)}
      />
      <Line
        name={
          <Link to={PATHS.adminDeductions} search={{ state: "disputed" }}>
            Disputes to answer
          </Link>
        }
        count={disputes.count}
        note={since(disputes.since)}
      />
      <Line
        name={<Link to={PATHS.adminPayouts}>Payouts to make by hand</Link>}
        count={payouts.count}
        note={since(payouts.since)}
      />
      {drifts ? (
        <Line
          name={<Link to={PATHS.adminBooks}>Differences between books and events</Link>}
          count={drifts.count}
          note={since(drifts.since)}
          isWrong={drifts.count > 0}
        />
      ) : null}
      {excesses ? (
        <Line
          name={<Link to={PATHS.adminStatements}>Days with too much deducted</Link>}
          count={excesses.count}
          note=""
          isWrong={excesses.count > 0}
        />
      ) : null}
      <Line name="Jobs that are due" count={jobs.waiting} note={since(jobs.since)} />
      <Line name="Jobs that failed and are tried again" count={jobs.retrying} note="" isWrong={jobs.retrying > 0} />
      {failed_jobs ? (
        <Line
          name="Jobs given up in the last 7 days"
          count={failed_jobs.count}
          note={failed_jobs.count === 0 ? "" : "the log says why"}
          isWrong={failed_jobs.count > 0}
        />
      ) : null}
      <Line
        name="Journal segments on their way to the store"
        count={journal.segments}
        note={journal.segments === 0 ? "" : sizeText(journal.bytes)}
      />
    </dl>
  );
}

function Line(props: { name: ReactNode; count: number; note: string; isWrong?: boolean }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd data-wrong={props.isWrong === true ? "" : undefined}>
        {props.note === "" ? null : <small>{props.note}</small>} {props.count}
      </dd>
    </div>
  );
}

const KIB = 1024;
const sizeText = (bytes: number): string =>
  bytes < KIB * KIB ? `${Math.ceil(bytes / KIB)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`;
