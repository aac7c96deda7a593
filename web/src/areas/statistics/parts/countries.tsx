import { type StatRow, loadingText } from "@millrace/contract";
import { useState } from "react";
import { comparedPeriod } from "../../../shared/filters/compared-period.ts";
import { Segments } from "../../../ui/segments.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { usePart } from "../api.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import type { AppScope, Scope } from "../scope.ts";
import { useAgainst } from "../use-compared.ts";
import { CountriesSkeleton, type CountryFigure, MAP_HEIGHT, MapAndTop } from "./map-and-top.tsx";
import { NothingCounted } from "./nothing-counted.tsx";

/** What an app's countries are ranked by, and what those of all apps are. */
export const APP_COUNTRY_FIGURES = ["revenue", "impressions", "sessions", "uniques"] as const;
export const PUBLISHER_COUNTRY_FIGURES = ["revenue", "impressions"] as const;

/** The countries on a map, and the top five: one switch chooses the figure of both. */
export function Countries({ scope, figures }: { scope: Scope; figures: readonly CountryFigure[] }) {
  const [figure, choose] = useState<CountryFigure>("revenue");
  const table = usePart("stats", scope, { view: "country" });
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
      skeleton={<CountriesSkeleton />}
      minHeight={MAP_HEIGHT}
      isEmpty={({ stats }) => stats.length === 0}
      empty={<NothingCounted what="countries" />}
    >
      {({ stats, compared_until }) =>
        figure === "uniques" && scope.uuid !== null ? (
          <ByUniques rows={stats} scope={scope} />
        ) : (
          <MapAndTop
            rows={stats}
            figure={figure}
            missing={missingIn(figure, scope)}
            against={comparedPeriod(scope.filter, compared_until)}
          />
        )
      }
    </LoadedBlock>
  );
}

/** Countries are listed for their requests; those of an app without the SDK have no sessions. */
function missingIn(figure: CountryFigure, { filter: { provider, format, country } }: Scope): string {
  if (figure !== "sessions") return "countries";
  return [provider, format, country].some((chosen) => chosen.length > 0) ? "sessions with these filters" : "sessions";
}

/** The table has no devices of the compared period, which are counted for the top countries only. */
function ByUniques({ rows, scope }: { rows: readonly StatRow[]; scope: AppScope }) {
  const top = usePart("top_countries_uniques", scope).data;
  const against = useAgainst(scope);
  const before = new Map(top?.map(({ country, last_value: last }) => [country, last]));
  return (
    <MapAndTop
      rows={rows}
      figure="uniques"
      against={top === undefined ? null : against}
      beforeOf={({ id }) => before.get(id) ?? null}
    />
  );
}
