import { notFoundText } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { CHART_METRICS, type PublisherAddress, readPublisherAddress } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { PATHS } from "../../../shared/paths.ts";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { askTotals } from "../api.ts";
import type { Figure } from "../metric-words.ts";
import { Countries, PUBLISHER_COUNTRY_FIGURES } from "../parts/countries.tsx";
import { EarningsByApps, EarningsByFormats } from "../parts/earnings.tsx";
import { KeyFigures } from "../parts/key-figures.tsx";
import { LifetimeValue } from "../parts/lifetime-value.tsx";
import { MetricChart } from "../parts/metric-chart.tsx";
import { OnlineRevenue } from "../parts/online-revenue.tsx";
import { StatFilters } from "../parts/stat-filters.tsx";
import { StatTableLater } from "../parts/stat-table-later.tsx";
import { WhatChanged } from "../parts/what-changed.tsx";
import type { PublisherScope } from "../scope.ts";
import classes from "./pages.module.css";

const FIGURES = [...CHART_METRICS, "ltv"] as const satisfies Figure[];

const scopeOf = (filter: PublisherAddress): PublisherScope => ({
  uuid: null,
  filter,
  live: filter.de === dayOf(Date.now()),
});

export const prefetch: Prefetch = (client, { search }) => {
  const address = readPublisherAddress(search);
  askTotals(client, scopeOf(address), address.metric);
};

/** The statistics of all apps together. Each block loads its own part. */
export function PublisherPerformancePage() {
  const [address, change] = useAddress(readPublisherAddress);
  const scope = useMemo(() => scopeOf(address), [address]);
  const { apps, first_day: firstDay } = useFilterOptions().data ?? {};

  return (
    <>
      <PageTitle text="Performance" />
      {/* Deleted apps are no choice, but keep their figures. */}
      {apps && Object.keys(apps).length === 0 && firstDay === null ? (
        <NoApps />
      ) : (
        <>
          <StatFilters scope={scope} onChange={change}>
            <ChoiceFilter
              what="apps"
              options={apps ?? {}}
              chosen={address.app_id}
              onChange={(app_id) => change({ app_id })}
            />
          </StatFilters>
          <div className={classes.page}>
            <KeyFigures
              scope={scope}
              figures={FIGURES}
              metric={address.metric}
              onMetric={(metric) => change({ metric })}
            />
            <div className={classes.wide}>
              <MetricChart scope={scope} metric={address.metric} />
              <WhatChanged scope={scope} />
            </div>
            <div className={classes.halves}>
              <EarningsByApps scope={scope} />
              <EarningsByFormats scope={scope} />
            </div>
            <div className={classes.half}>
              <div className={classes.column}>
                <Countries scope={scope} figures={PUBLISHER_COUNTRY_FIGURES} />
                <OnlineRevenue scope={scope} />
              </div>
              <LifetimeValue scope={scope} />
            </div>
            <StatTableLater scope={scope} title="Overall statistics" address={address} onChange={change} />
          </div>
        </>
      )}
    </>
  );
}

function NoApps() {
  return (
    <EmptyNote
      title={notFoundText("apps")}
      why="Statistics start with the first app of this account."
      action={
        <Link to={PATHS.apps} search={{}}>
          Go to apps
        </Link>
      }
    />
  );
}
