import { type StatRow, TEXTS, UNKNOWN_COUNTRY, loadingText, notFoundText } from "@millrace/contract";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { Search } from "../../../shared/filters/address.ts";
import { LazyWorldMap } from "../../../ui/map/lazy-world-map.ts";
import { Segments } from "../../../ui/segments.tsx";
import { Change } from "../../../ui/number/change.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { MapSkeleton, RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { METRIC_WORDS, columnFormat } from "../metric-words.ts";
import { comparedPeriod } from "../../../shared/filters/compared-period.ts";
import type { AppScope, Scope } from "../scope.ts";
import { beforeOf, topCountries } from "../top-countries.ts";
import { changeOf, useAgainst } from "../use-compared.ts";
import classes from "./countries.module.css";
import { FilterLink } from "./filter-link.tsx";
import { NothingCounted } from "./nothing-counted.tsx";

const MAP_HEIGHT = 180;
const TOP = 5;

/** What an app's countries are ranked by, and what those of all apps are. */
export const APP_COUNTRY_FIGURES = ["revenue", "impressions", "sessions", "uniques"] as const;
export const PUBLISHER_COUNTRY_FIGURES = ["revenue", "impressions"] as const;
type CountryFigure = (typeof APP_COUNTRY_FIGURES)[number];

/** The countries on a map, and the top five: one switch chooses the figure of both. */
export function Countries({ scope, figures }: { scope: Scope; figures: readonly CountryFigure[] }) {
  const [figure, choose] = useState<CountryFigure>("revenue");
  const table = usePart("stats", scope, { view: "country" });
  const [map, list] = [<MapSkeleton key="map" height={MAP_HEIGHT} />, <RowsSkeleton key="list" rows={7} height={26} />];
  return (
    <LoadedBlock
      title="Countries"
      aside={
        <Segments
          small
          label="Map and top 5 by"
          options={figures.map((id) => ({ id, label: METRIC_WORDS[id].label }))}
          chosen={figure}
          onChoose={choose}
        />
      }
      query={table}
      loading={loadingText("countries")}
      skeleton={
        <div className={classes.countries}>
          {map}
          {list}
        </div>
      }
      minHeight={MAP_HEIGHT}
      isEmpty={({ stats }) => stats.length === 0}
      empty={<NothingCounted what="countries" />}
    >
      {({ stats, compared_until }) => (
        <div className={classes.place}>
          <div className={classes.countries}>
            <WhenSeen fallback={map}>
              <Suspense fallback={map}>
                <CountryMap rows={stats} figure={figure} />
              </Suspense>
            </WhenSeen>
            {figure === "uniques" && scope.uuid !== null ? (
              <TopByUniques rows={stats} scope={scope} />
            ) : (
              <TopCountries
                rows={stats}
                figure={figure}
                against={comparedPeriod(scope.filter, compared_until)}
                beforeOf={(row) => beforeOf(row, figure)}
              />
            )}
          </div>
        </div>
      )}
    </LoadedBlock>
  );
}

interface CountriesShown {
  rows: readonly StatRow[];
  figure: CountryFigure;
}

/** A click on a country narrows the page down to it. By keyboard, the links of the list and of the table do. */
function CountryMap({ rows, figure }: CountriesShown) {
  const navigate = useNavigate();
  const { label, exact } = METRIC_WORDS[figure];
  const names = new Map(rows.map((row) => [row.id, row.name]));
  return (
    <LazyWorldMap
      label={`World map of ${label.toLowerCase()}; the figures are in the list beside it and in the table by country`}
      values={new Map(rows.map((row) => [row.id, row[figure] ?? 0]))}
      nameOf={(code) => names.get(code) ?? regionName(code)}
      format={exact}
      onChoose={(code) =>
        void navigate({ to: ".", search: (before: Search) => ({ ...before, country: [code] }), resetScroll: false })
      }
    />
  );
}

const REGIONS = new Intl.DisplayNames(["en"], { type: "region" });
const regionName = (code: string): string => (code === "" ? "" : (REGIONS.of(code) ?? code));

/** The name of a country; `XX` is none. */
const nameOf = ({ id, name }: StatRow): string => (id === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : name);

/** The table has no devices of the compared period, which are counted for the top countries only. */
function TopByUniques({ rows, scope }: { rows: readonly StatRow[]; scope: AppScope }) {
  const top = usePart("top_countries_uniques", scope).data;
  const against = useAgainst(scope);
  const before = new Map(top?.map(({ country, last_value: last }) => [country, last]));
  return (
    <TopCountries
      rows={rows}
      figure="uniques"
      against={top === undefined ? null : against}
      beforeOf={({ id }) => before.get(id) ?? null}
    />
  );
}

interface TopCountriesProps extends CountriesShown {
  against: string | null;
  /** A country's figure in the compared period. */
  beforeOf: (row: StatRow) => number | null;
}

function TopCountries({ rows, figure, against, beforeOf: before }: TopCountriesProps) {
  const { label, exact } = METRIC_WORDS[figure];
  const { top, others } = topCountries(rows, figure, TOP);
  const format = columnFormat(figure, [...top.map((row) => row[figure]), others?.value ?? null]);
  const ecpm = columnFormat(
    "ecpm",
    [...top, others].map((row) => row?.ecpm ?? null),
  );
  const changes = against === null ? null : { against };
  const name = `Top ${TOP} countries by ${label.toLowerCase()}`;
  if (top.length === 0) {
    return (
      <p className={classes.none}>
        {notFoundText(figure === "sessions" ? "sessions with these filters" : "countries")}
      </p>
    );
  }
  return (
    <table className={classes.top} aria-label={name}>
      <thead>
        <tr>
          <th scope="col">Top {TOP}</th>
          <th scope="col">{label}</th>
          {changes ? <th scope="col">Change</th> : null}
          <th scope="col" className={classes.ecpm}>
            eCPM
          </th>
        </tr>
      </thead>
      <tbody>
        {top.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <FilterLink filter={{ country: [row.id] }}>{nameOf(row)}</FilterLink>
            </th>
            <td title={exact(row[figure])}>{format(row[figure])}</td>
            {changes ? (
              <td>
                <Change text={changeOf(figure, row[figure], before(row))} against={changes.against} none="new" />
              </td>
            ) : null}
            <td className={classes.ecpm} title={METRIC_WORDS.ecpm.exact(row.ecpm)}>
              {ecpm(row.ecpm)}
            </td>
          </tr>
        ))}
        {others === null ? null : (
          <tr className={classes.others}>
            <th scope="row">{`${others.count} others`}</th>
            <td title={exact(others.value)}>{format(others.value)}</td>
            {changes ? (
              <td>
                <Change text={changeOf(figure, others.value, others.before)} against={changes.against} none="new" />
              </td>
            ) : null}
            <td className={classes.ecpm} title={METRIC_WORDS.ecpm.exact(others.ecpm)}>
              {ecpm(others.ecpm)}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
