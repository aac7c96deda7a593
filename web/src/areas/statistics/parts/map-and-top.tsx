import { type StatRow, TEXTS, UNKNOWN_COUNTRY, notFoundText } from "@millrace/contract";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Search } from "../../../shared/filters/address.ts";
import { LazyWorldMap } from "../../../ui/map/lazy-world-map.ts";
import { Change } from "../../../ui/number/change.tsx";
import { MapSkeleton, RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import { METRIC_WORDS, columnFormat } from "../metric-words.ts";
import { beforeOf as beforeIn, topCountries } from "../top-countries.ts";
import { changeOf } from "../use-compared.ts";
import classes from "./countries.module.css";
import { FilterLink } from "./filter-link.tsx";

export const MAP_HEIGHT = 180;
const TOP = 5;

export type CountryFigure = "revenue" | "impressions" | "sessions" | "uniques";

export const CountriesSkeleton = () => (
  <div className={classes.countries}>
    <MapSkeleton height={MAP_HEIGHT} />
    <RowsSkeleton rows={7} height={26} />
  </div>
);

type MapAndTopProps = Omit<TopCountriesProps, "beforeOf"> & Partial<Pick<TopCountriesProps, "beforeOf">>;

/** Countries on a map, and the top five by a figure. */
export function MapAndTop({ beforeOf, ...shown }: MapAndTopProps) {
  const map = <MapSkeleton height={MAP_HEIGHT} />;
  return (
    <div className={classes.place}>
      <div className={classes.countries}>
        <WhenSeen fallback={map}>
          <CountryMap {...shown} fallback={map} />
        </WhenSeen>
        <TopCountries {...shown} beforeOf={beforeOf ?? ((row) => beforeIn(row, shown.figure))} />
      </div>
    </div>
  );
}

interface CountriesShown {
  rows: readonly StatRow[];
  figure: CountryFigure;
  /** The figure's label, if the rows hold a different figure than `figure` names. */
  label?: string;
  /** The direction of the figure that is good; `up` by default. */
  good?: "up" | "neither";
  /** The noun for the "not found" sentence, if no country has a value. */
  missing?: string;
}

/** A click on a country narrows the page down to it. By keyboard, the links of the list and of the table do. */
function CountryMap({
  rows,
  figure,
  label = METRIC_WORDS[figure].label,
  fallback,
}: CountriesShown & { fallback: ReactNode }) {
  const navigate = useNavigate();
  const { exact } = METRIC_WORDS[figure];
  const names = new Map(rows.map((row) => [row.id, row.name]));
  return (
    <LazyWorldMap
      fallback={fallback}
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

interface TopCountriesProps extends CountriesShown {
  /** The compared period in words; null without a comparison. */
  against: string | null;
  /** A country's figure in the compared period. */
  beforeOf: (row: StatRow) => number | null;
}

function TopCountries({
  rows,
  figure,
  label = METRIC_WORDS[figure].label,
  good = "up",
  missing = "countries",
  against,
  beforeOf: before,
}: TopCountriesProps) {
  const { exact } = METRIC_WORDS[figure];
  const { top, others } = topCountries(rows, figure, TOP);
  const format = columnFormat(figure, [...top.map((row) => row[figure]), others?.value ?? null]);
  const ecpm = columnFormat(
    "ecpm",
    [...top, others].map((row) => row?.ecpm ?? null),
  );
  const changes = against === null ? null : { against };
  const name = `Top ${TOP} countries by ${label.toLowerCase()}`;
  if (top.length === 0) {
    return <p className={classes.none}>{notFoundText(missing)}</p>;
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
                <Change
                  text={changeOf(figure, row[figure], before(row))}
                  against={changes.against}
                  none="new"
                  good={good}
                />
              </td>
            ) : null}
            <td className={classes.ecpm} title={METRIC_WORDS.ecpm.exact(row.ecpm)}>
              {ecpm(row.ecpm)}
            </td>
          </tr>
        ))}
        {others === null ? null : (
          <tr className={classes.others}>
            <th scope="row">{others.count === 1 ? "1 other" : `${others.count} others`}</th>
            <td title={exact(others.value)}>{format(others.value)}</td>
            {changes ? (
              <td>
                <Change
                  text={changeOf(figure, others.value, others.before)}
                  against={changes.against}
                  none="new"
                  good={good}
                />
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
