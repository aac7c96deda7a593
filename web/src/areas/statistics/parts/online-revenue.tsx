import {
  type Earning,
  FORMAT_LABELS,
  LATEST_EARNINGS,
  TEXTS,
  UNKNOWN_COUNTRY,
  appLabel,
  loadingText,
} from "@millrace/contract";
import { formatAge, formatEarning } from "@millrace/units";
import { Suspense, lazy, useState } from "react";
import type { DrawerSubject } from "../../../shared/auctions/auction-drawer.tsx";
import { Initials } from "../../../ui/initials.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { usePart } from "../api.ts";
import type { Scope } from "../scope.ts";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./feed.module.css";

const AuctionDrawer = lazy(async () => ({
  default: (await import("../../../shared/auctions/auction-drawer.tsx")).AuctionDrawer,
}));

/** The latest earnings as they arrive, each with a button that explains it; auctions of deleted apps cannot be opened. */
export function OnlineRevenue({ scope }: { scope: Scope }) {
  const feed = usePart("online_revenue", scope, { pace: "live" });
  const [subject, setSubject] = useState<DrawerSubject | null>(null);
  // Once opened, the drawer stays mounted, so that it can animate its closing.
  const [wasOpened, setWasOpened] = useState(false);
  const explain = ({ auction_id: id, provider, provider_name, earn }: Earning) => {
    setSubject({ id, provider, title: `Why ${provider_name} for ${formatEarning(earn)}?` });
    setWasOpened(true);
  };
  return (
    <LoadedBlock
      title="Online revenue"
      aside={`last ${LATEST_EARNINGS}`}
      query={feed}
      loading={loadingText("online revenue")}
      skeleton={<RowsSkeleton rows={LATEST_EARNINGS} height={37} mark />}
      minHeight={LATEST_EARNINGS * 37}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <NothingCounted
          what="earnings"
          why={
            scope.live
              ? "Nothing was earned in this period. The next paid impression shows up here within seconds."
              : "Nothing was earned in this period."
          }
        />
      }
    >
      {(rows) => (
        <>
          <Feed rows={rows} ofOneApp={scope.uuid !== null} onWhy={explain} />
          {wasOpened ? (
            <Suspense>
              <AuctionDrawer subject={subject} onClose={() => setSubject(null)} />
            </Suspense>
          ) : null}
        </>
      )}
    </LoadedBlock>
  );
}

interface FeedProps {
  rows: Earning[];
  /** Rows of one app show only who paid; otherwise they also show the app. */
  ofOneApp: boolean;
  onWhy: (earning: Earning) => void;
}

function Feed({ rows, ofOneApp, onWhy }: FeedProps) {
  const nowMs = useNow();
  return (
    <ul className={classes.feed}>
      {rows.map((row) => {
        const payer = `${row.provider_name} · ${FORMAT_LABELS[row.format].toLowerCase()}`;
        const where = row.country === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : row.country;
        const title = appLabel({ name: row.title, deleted: row.deleted });
        const age = formatAge((nowMs - Date.parse(row.at)) / 1000);
        return (
          <li key={`${row.auction_id} ${row.at}`}>
            {ofOneApp ? (
              <Initials name={row.provider_name} size={24} />
            ) : (
              <Initials name={row.title} image={row.icon} size={24} />
            )}
            <span className={classes.feedWhat} title={ofOneApp ? payer : `${title}, ${payer}`}>
              {ofOneApp ? row.provider_name : title}
              <small>{ofOneApp ? `${FORMAT_LABELS[row.format].toLowerCase()} · ${where} · ${age}` : payer}</small>
            </span>
            <span className={classes.feedEarn}>
              {formatEarning(row.earn)}
              {ofOneApp ? null : <small>{`${where} · ${age}`}</small>}
            </span>
            {row.deleted ? null : (
              <button
                type="button"
                className={classes.why}
                aria-label={`Why ${row.provider_name} for ${formatEarning(row.earn)}${ofOneApp ? "" : ` in ${title}`}?`}
                onClick={() => onWhy(row)}
              >
                why?
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
