import {
  type Earning,
  FORMAT_LABELS,
  LATEST_EARNINGS,
  TEXTS,
  UNKNOWN_COUNTRY,
  loadingText,
  notFoundText,
} from "@millrace/contract";
import { formatEarning } from "@millrace/units";
import { Suspense, lazy, useEffect, useState } from "react";
import { Initials } from "../../../ui/initials.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Scope, usePart } from "../api.ts";
import { ageOf } from "../age-of.ts";
import classes from "./parts.module.css";

const AuctionDrawer = lazy(async () => ({ default: (await import("./auction-drawer.tsx")).AuctionDrawer }));

/** The last earnings as they come in, each with its reason a press away. */
export function OnlineRevenue({ scope }: { scope: Scope }) {
  const feed = usePart("online_revenue", scope, { pace: "live" });
  const [asked, setAsked] = useState<Earning | null>(null);
  // The drawer stays once it has been there, so that it can close in its own way.
  const [wasAsked, setWasAsked] = useState(false);
  const explain = (earning: Earning) => {
    setAsked(earning);
    setWasAsked(true);
  };
  return (
    <LoadedBlock
      title="Online revenue"
      aside={`last ${LATEST_EARNINGS}`}
      query={feed}
      loading={loadingText("online revenue")}
      skeleton={<RowsSkeleton rows={LATEST_EARNINGS} height={50} mark />}
      minHeight={LATEST_EARNINGS * 50}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyNote title={notFoundText("earnings")} why="The next paid impression shows up here within seconds." />
      }
    >
      {(rows) => (
        <>
          <Feed rows={rows} onWhy={explain} />
          {wasAsked ? (
            <Suspense>
              <AuctionDrawer earning={asked} onClose={() => setAsked(null)} />
            </Suspense>
          ) : null}
        </>
      )}
    </LoadedBlock>
  );
}

function Feed({ rows, onWhy }: { rows: Earning[]; onWhy: (earning: Earning) => void }) {
  const nowMs = useNow();
  return (
    <ul className={classes.feed}>
      {rows.map((row) => (
        <li key={`${row.auction_id} ${row.at}`}>
          <Initials name={row.provider_name} size={24} />
          <span className={classes.feedWhat}>
            {row.provider_name} · {FORMAT_LABELS[row.format].toLowerCase()}
            <small>
              {row.country === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : row.country} · {ageOf(row.at, nowMs)}
            </small>
          </span>
          <span>{formatEarning(row.earn)}</span>
          <button
            type="button"
            className={classes.why}
            aria-label={`Why ${row.provider_name} for ${formatEarning(row.earn)}?`}
            onClick={() => onWhy(row)}
          >
            why?
          </button>
        </li>
      ))}
    </ul>
  );
}

function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
