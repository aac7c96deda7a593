import { notFoundText } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { ApiError } from "../../../shared/call-api.ts";
import type { AskFirst } from "../../../shared/ask-first.ts";
import { type StatsAddress, readStatsAddress } from "../../../shared/filters/address.ts";
import { FilterBar } from "../../../shared/filters/filter-bar.tsx";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { askTotals, usePart } from "../api.ts";
import type { Figure } from "../metric-words.ts";
import { AppHeading } from "../parts/app-heading.tsx";
import { AppCountries } from "../parts/countries.tsx";
import { KeyFigures } from "../parts/key-figures.tsx";
import { LiveState } from "../parts/live-state.tsx";
import { MetricChart } from "../parts/metric-chart.tsx";
import { OnlineRevenue } from "../parts/online-revenue.tsx";
import { Rates } from "../parts/rates.tsx";
import { SdkVersions } from "../parts/sdk-versions.tsx";
import { EarningsByFormats, EarningsByProviders, ImpressionsByFormats } from "../parts/shares.tsx";
import { StatTableLater } from "../parts/stat-table-later.tsx";
import { Trends } from "../parts/trends.tsx";
import { WhyNoAd } from "../parts/why-no-ad.tsx";
import type { AppScope } from "../scope.ts";
import classes from "./pages.module.css";

const FIGURES = [
  "revenue",
  "ecpm",
  "impressions",
  "requests",
  "fillrate",
  "uniques",
  "sessions",
  "current_session",
  "ltv",
] as const satisfies Figure[];

const scopeOf = (uuid: string, filter: StatsAddress): AppScope => ({
  uuid,
  filter,
  live: filter.de === dayOf(Date.now()),
});

export const askFirst: AskFirst = (client, { params, search }) => {
  const address = readStatsAddress(search);
  askTotals(client, scopeOf(params["uuid"] ?? "", address), address.metric);
};

/** One app's statistics. Every block asks for its own part. */
export function AppPerformancePage() {
  const { uuid = "" } = useParams({ strict: false });
  const [address, change] = useAddress(readStatsAddress);
  const scope = useMemo(() => scopeOf(uuid, address), [uuid, address]);
  const app = usePart("app", scope);
  const missing = app.error instanceof ApiError && (app.error.status === 404 || app.error.status === 400);
  if (missing) return <NoApp />;

  return (
    <>
      <AppHeading app={app.data} />
      <FilterBar filter={address} onChange={change} aside={<LiveState scope={scope} />} />
      <div className={classes.page}>
        <KeyFigures scope={scope} figures={FIGURES} metric={address.metric} onMetric={(metric) => change({ metric })} />
        <div className={classes.wide}>
          <MetricChart scope={scope} metric={address.metric} />
          <OnlineRevenue scope={scope} />
        </div>
        <div className={classes.quarters}>
          <Rates scope={scope} />
          <EarningsByProviders scope={scope} />
          <EarningsByFormats scope={scope} />
          <ImpressionsByFormats scope={scope} />
        </div>
        <AppCountries scope={scope} />
        <div className={classes.halves}>
          <Trends scope={scope} />
          <div className={classes.stack}>
            <WhyNoAd scope={scope} />
            <SdkVersions scope={scope} />
          </div>
        </div>
        <StatTableLater scope={scope} title="Statistics" address={address} onChange={change} />
      </div>
    </>
  );
}

function NoApp() {
  return (
    <>
      <PageTitle text="No app">
        <h1 className={classes.title} tabIndex={-1}>
          Statistics
        </h1>
      </PageTitle>
      <EmptyNote
        title={notFoundText("app")}
        why="It does not exist, or it belongs to another account."
        action={
          <Link to={PATHS.apps} search={{}}>
            Show my apps
          </Link>
        }
      />
    </>
  );
}
