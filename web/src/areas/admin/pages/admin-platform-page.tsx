import { type PlatformFigures, loadingText, notFoundText } from "@millrace/contract";
import {
  fillRate,
  formatChange,
  formatCount,
  formatCountExact,
  formatMoney,
  formatMoneyExact,
  formatPercent,
  formatPointChange,
} from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { formatMoment } from "../../../shared/day-text.ts";
import { Change } from "../../../ui/number/change.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded, LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton, TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Tile, TileStrip, TileStripSkeleton } from "../../../ui/tiles/tile-strip.tsx";
import { platformQuery } from "../api.ts";
import { AdminTabs } from "../parts/admin-tabs.tsx";
import classes from "../parts/parts.module.css";
import { PartnersToday } from "../parts/partners-today.tsx";
import { SinceStart } from "../parts/since-start.tsx";
import { WaitingWork } from "../parts/waiting-work.tsx";

const LABELS = ["Requests", "Impressions", "Fill rate", "Publishers' revenue", "Our fee", "Not counted"] as const;

/** How the whole platform does today, who buys, what waits, and what went wrong. */
export function AdminPlatformPage() {
  const platform = useQuery(platformQuery);
  return (
    <>
      <PageTitle text="Admin" />
      <div className={classes.bar}>
        <AdminTabs />
        {platform.data ? <p className={classes.until}>{untilWords(platform.data)}</p> : null}
      </div>
      <div className={classes.blocks}>
        <Loaded
          query={platform}
          loading={loadingText("platform figures")}
          skeleton={<TileStripSkeleton labels={LABELS} />}
        >
          {(data) => (
            <TileStrip
              label="Figures of all accounts"
              tiles={tilesOf(data)}
              choices={[]}
              chosen=""
              onChoose={() => undefined}
            />
          )}
        </Loaded>
        <div className={classes.halves}>
          <LoadedBlock
            title="Waiting"
            query={platform}
            loading={loadingText("waiting work")}
            skeleton={<RowsSkeleton rows={4} />}
          >
            {({ waiting, at }) => <WaitingWork waiting={waiting} nowMs={Date.parse(at)} />}
          </LoadedBlock>
          <LoadedBlock
            title="Accounts and auctions"
            query={platform}
            loading={loadingText("accounts")}
            skeleton={<RowsSkeleton rows={4} />}
          >
            {(data) => <Facts data={data} />}
          </LoadedBlock>
        </div>
        <LoadedBlock
          title="Partners today"
          query={platform}
          loading={loadingText("partners")}
          skeleton={<TableSkeleton rows={6} columns={10} />}
          isEmpty={({ partners }) => partners.length === 0}
          empty={<EmptyNote title={notFoundText("partners")} why="Switch the first one on under Partners." />}
        >
          {({ partners }) => <PartnersToday partners={partners} />}
        </LoadedBlock>
        <LoadedBlock
          title="Since the exchange started"
          aside={(data) => (data?.since_start ? startWords(data.since_start) : undefined)}
          query={platform}
          loading={loadingText("counters")}
          skeleton={<RowsSkeleton rows={4} />}
          isEmpty={(data) => data.since_start === null}
          empty={
            <EmptyNote
              title="The exchange does not answer"
              why="None of its processes was heard of in the last seconds."
            />
          }
        >
          {({ since_start: counted }) => counted && <SinceStart counted={counted} />}
        </LoadedBlock>
      </div>
    </>
  );
}

const startWords = ({ started_at, processes }: NonNullable<PlatformFigures["since_start"]>): string =>
  `${formatMoment(started_at)} UTC${processes > 1 ? `, ${processes} processes` : ""}`;

const untilWords = ({ at, compared_until }: PlatformFigures): string =>
  `Today until ${at.slice(11, 16)} UTC, compared with ${formatMoment(compared_until).replace(/, \d\d:\d\d$/, "")} until the same time`;

type SoFar = PlatformFigures["figures"]["requests"];
const AGAINST = "yesterday until the same time";

function tilesOf({ figures }: PlatformFigures): Tile<string>[] {
  const { requests, impressions, revenue, fee, invalid } = figures;
  const fill = {
    now: fillRate(impressions.today, requests.today),
    before: fillRate(impressions.yesterday, requests.yesterday),
  };
  return [
    countTile("Requests", requests),
    countTile("Impressions", impressions),
    {
      id: "Fill rate",
      label: "Fill rate",
      figure: formatPercent(fill.now),
      exact:
        fill.now === null ? "No requests today" : `Impressions of requests. Yesterday ${formatPercent(fill.before)}`,
      below: <Change text={formatPointChange(fill.now, fill.before)} against={AGAINST} />,
    },
    moneyTile("Publishers' revenue", revenue, "What the publishers earn."),
    moneyTile("Our fee", fee, "What is left of the cleared prices after the publishers' parts."),
    countTile("Not counted", invalid, "neither"),
  ];
}

const countTile = (label: string, { today, yesterday }: SoFar, good: "up" | "neither" = "up"): Tile<string> => ({
  id: label,
  label,
  figure: formatCount(today),
  exact: `${formatCountExact(today)}. Yesterday ${formatCountExact(yesterday)}`,
  below: (
    <Change
      text={formatChange(today, yesterday)}
      against={AGAINST}
      good={good}
      none={today === 0 ? "as yesterday" : "none yesterday"}
    />
  ),
});

const moneyTile = (label: string, { today, yesterday }: SoFar, about: string): Tile<string> => ({
  id: label,
  label,
  figure: formatMoney(today),
  exact: `${about} ${formatMoneyExact(today)}. Yesterday ${formatMoneyExact(yesterday)}`,
  below: <Change text={formatChange(today, yesterday)} against={AGAINST} />,
});

function Facts({ data: { accounts, auctions } }: { data: PlatformFigures }) {
  return (
    <dl className={classes.figures}>
      <div>
        <dt>Users</dt>
        <dd>
          <small>{accounts.new_users} new in 24 hours</small> {formatCountExact(accounts.users)}
        </dd>
      </div>
      <div>
        <dt>Apps</dt>
        <dd>
          <small>{accounts.new_apps} new in 24 hours</small> {formatCountExact(accounts.apps)}
        </dd>
      </div>
      <div>
        <dt>Auctions of the last hour</dt>
        <dd>{auctions ? formatCountExact(auctions.count) : "none"}</dd>
      </div>
      {auctions ? (
        <>
          <div>
            <dt>Half of them took at most</dt>
            <dd>{auctions.p50_ms.toFixed(1)} ms</dd>
          </div>
          <div>
            <dt>95% of them took at most</dt>
            <dd>{auctions.p95_ms.toFixed(1)} ms</dd>
          </div>
        </>
      ) : null}
    </dl>
  );
}
