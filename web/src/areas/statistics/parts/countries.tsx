import { type CountryValue, TEXTS, UNKNOWN_COUNTRY, loadingText, notFoundText } from "@millrace/contract";
import { Suspense, useState } from "react";
import { LazyWorldMap } from "../../../ui/map/lazy-world-map.ts";
import { Panel } from "../../../ui/panel.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import { type BlockQuery, Loaded } from "../../../ui/states/loaded-block.tsx";
import { MapSkeleton, RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import type { AppScope, PublisherScope, Scope } from "../scope.ts";
import classes from "./countries.module.css";
import parts from "./parts.module.css";

const MAP_HEIGHT = 250;
type ListId = "impressions" | "revenue" | "sessions" | "uniques";
type Lists = readonly { id: ListId; query: BlockQuery<CountryValue[]> }[];

/** The name of a country; `XX` is none. */
const nameOf = (code: string, name: string): string => (code === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : name);

/** Where an app's numbers come from, by four figures. */
export function AppCountries({ scope }: { scope: AppScope }) {
  const lists: Lists = [
    { id: "impressions", query: usePart("top_countries_impressions", scope) },
    { id: "revenue", query: usePart("top_countries_revenue", scope) },
    { id: "sessions", query: usePart("top_countries_sessions", scope) },
    { id: "uniques", query: usePart("top_countries_uniques", scope) },
  ];
  return <Countries scope={scope} lists={lists} />;
}

/** Where the numbers of all apps come from. */
export function PublisherCountries({ scope }: { scope: PublisherScope }) {
  const lists: Lists = [
    { id: "impressions", query: usePart("top_countries_impressions", scope) },
    { id: "revenue", query: usePart("top_countries_revenue", scope) },
  ];
  return <Countries scope={scope} lists={lists} />;
}

/** A map of the chosen figure, and the top five countries by each figure. */
function Countries({ scope, lists }: { scope: Scope; lists: Lists }) {
  const [shown, setShown] = useState<ListId>("impressions");
  return (
    <Panel
      title="Countries"
      aside={
        <Segments
          label="The map shows"
          options={lists.map(({ id }) => ({ id, label: METRIC_WORDS[id].label }))}
          chosen={shown}
          onChoose={setShown}
        />
      }
    >
      <div className={classes.countries}>
        <CountryMap scope={scope} metric={shown} />
        <div className={classes.countryLists}>
          {lists.map(({ id, query }) => (
            <TopCountries key={id} metric={id} query={query} />
          ))}
        </div>
      </div>
    </Panel>
  );
}

function CountryMap({ scope, metric }: { scope: Scope; metric: ListId }) {
  const table = usePart("stats", scope, { view: "country" });
  const { label, exact } = METRIC_WORDS[metric];
  const skeleton = <MapSkeleton height={MAP_HEIGHT} />;
  return (
    <Loaded query={table} loading={loadingText("map")} skeleton={skeleton}>
      {({ stats }) => {
        const names = new Map(stats.map((row) => [row.id, row.name]));
        return (
          <WhenSeen fallback={skeleton}>
            <Suspense fallback={skeleton}>
              <LazyWorldMap
                label={`World map of ${label.toLowerCase()}; the figures are in the lists beside it and in the table by country`}
                values={new Map(stats.map((row) => [row.id, row[metric] ?? 0]))}
                nameOf={(code) => names.get(code) ?? regionName(code)}
                format={exact}
              />
            </Suspense>
          </WhenSeen>
        );
      }}
    </Loaded>
  );
}

const REGIONS = new Intl.DisplayNames(["en"], { type: "region" });
const regionName = (code: string): string => (code === "" ? "" : (REGIONS.of(code) ?? code));

function TopCountries({ metric, query }: { metric: ListId; query: BlockQuery<CountryValue[]> }) {
  const { label, format, exact } = METRIC_WORDS[metric];
  return (
    <section className={classes.countryList} aria-label={`Top 5 countries by ${label.toLowerCase()}`}>
      <h3>Top 5 by {metric}</h3>
      <Loaded
        query={query}
        loading={loadingText(`countries by ${label.toLowerCase()}`)}
        skeleton={<RowsSkeleton rows={5} height={27} />}
        isEmpty={(rows) => rows.length === 0}
        empty={<p className={parts.note}>{notFoundText("countries")}</p>}
      >
        {(rows) => {
          const most = Math.max(...rows.map((row) => row.value));
          return (
            <ol>
              {rows.map((row) => (
                <li key={row.country} title={exact(row.value)}>
                  <span className={classes.countryName}>{nameOf(row.country, row.name)}</span>
                  <span>{format(row.value)}</span>
                  <span
                    className={classes.countryBar}
                    style={{ width: `${most > 0 ? (100 * row.value) / most : 0}%` }}
                  />
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
    </section>
  );
}
