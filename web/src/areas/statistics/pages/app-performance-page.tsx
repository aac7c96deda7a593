import { dayOf } from "@millrace/units";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { NoApp, isMissing } from "../../../shared/apps/no-app.tsx";
import { FirstStepsLater } from "../../../shared/first-steps/first-steps-later.tsx";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { type StatsAddress, readStatsAddress } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { askTotals, usePart } from "../api.ts";
import type { Figure } from "../metric-words.ts";
import { APP_COUNTRY_FIGURES, Countries } from "../parts/countries.tsx";
import { EarningsByProviders, Formats } from "../parts/earnings.tsx";
import { KeyFigures } from "../parts/key-figures.tsx";
import { MetricChart } from "../parts/metric-chart.tsx";
import { OnlineRevenue } from "../parts/online-revenue.tsx";
import { StatTableLater } from "../parts/stat-table-later.tsx";
import { StatFilters } from "../parts/stat-filters.tsx";
import { Trends } from "../parts/trends.tsx";
import { WhyNoAd } from "../parts/why-no-ad.tsx";
import { WhatChanged } from "../parts/what-changed.tsx";
import type { AppScope } from "../scope.ts";
import classes from "./pages.module.css";

const FIGURES = [
  "revenue",
  "ecpm",
  "impressions",
  "requests",
  "fillrate",
  "use_rate",
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

export const prefetch: Prefetch = (client, { params, search }) => {
  const address = readStatsAddress(search);
  askTotals(client, scopeOf(params["uuid"] ?? "", address), address.metric);
};

/** One app's statistics. Each block loads its own part. */
export function AppPerformancePage() {
  const { uuid = "" } = useParams({ strict: false });
  const [address, change] = useAddress(readStatsAddress);
  const scope = useMemo(() => scopeOf(uuid, address), [uuid, address]);
  const app = usePart("app", scope);
  const firstDays = useFilterOptions().data?.first_days;
  if (isMissing(app.error)) return <NoApp />;

  return (
    <>
      <AppHead app={app.data} what="Statistics" />
      <StatFilters scope={scope} firstDay={app.data ? firstDays?.[app.data.app_id] : undefined} onChange={change} />
      <div className={classes.page}>
        {app.data ? <FirstStepsLater app={app.data} /> : null}
        <KeyFigures scope={scope} figures={FIGURES} metric={address.metric} onMetric={(metric) => change({ metric })} />
        <div className={classes.wide}>
          <MetricChart scope={scope} metric={address.metric} />
          <WhatChanged scope={scope} />
        </div>
        <div className={classes.thirds}>
          <EarningsByProviders scope={scope} />
          <Formats scope={scope} />
          <WhyNoAd scope={scope} />
        </div>
        <div className={classes.figures}>
          <Countries scope={scope} figures={APP_COUNTRY_FIGURES} />
          <Trends scope={scope} onMetric={(metric) => change({ metric })} />
          <OnlineRevenue scope={scope} />
        </div>
        <StatTableLater scope={scope} title="Statistics" address={address} onChange={change} />
      </div>
    </>
  );
}
