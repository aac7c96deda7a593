import { type CampaignStatRow, type StatRow, loadingText } from "@millrace/contract";
import { useMemo, useState } from "react";
import { comparedPeriod } from "../../../shared/filters/compared-period.ts";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { METRIC_WORDS } from "../metric-words.ts";
import { CountriesSkeleton, MAP_HEIGHT, MapAndTop } from "../parts/map-and-top.tsx";
import { useCampaignPart } from "./api.ts";
import type { CampaignScope } from "./campaign-address.ts";
import { NothingBought } from "./nothing-bought.tsx";

const FIGURES = ["costs", "impressions"] as const;

/** The countries on a map, and the top five: one switch chooses the figure of both. */
export function CampaignCountries({ scope }: { scope: CampaignScope }) {
  const [figure, choose] = useState<(typeof FIGURES)[number]>("costs");
  const table = useCampaignPart("stats", scope, { view: "country" });
  return (
    <LoadedBlock
      title="Countries"
      aside={
        <Segments
          small
          label="Map and top 5 by"
          options={FIGURES.map((id) => ({ id, label: METRIC_WORDS[id].label }))}
          chosen={figure}
          onChoose={choose}
        />
      }
      query={table}
      loading={loadingText("countries")}
      skeleton={<CountriesSkeleton />}
      minHeight={MAP_HEIGHT}
      isEmpty={({ stats }) => stats.length === 0}
      empty={<NothingBought what="countries" />}
    >
      {({ stats, compared_until }) => (
        <CountryFigures rows={stats} figure={figure} against={comparedPeriod(scope, compared_until)} />
      )}
    </LoadedBlock>
  );
}

interface ShownProps {
  rows: readonly CampaignStatRow[];
  figure: (typeof FIGURES)[number];
  against: string | null;
}

function CountryFigures({ rows, figure, against }: ShownProps) {
  const asEarned = useMemo(() => rows.map(earned), [rows]);
  return (
    <MapAndTop
      rows={asEarned}
      figure={figure === "costs" ? "revenue" : figure}
      label={METRIC_WORDS[figure].label}
      good={figure === "costs" ? "neither" : "up"}
      against={against}
    />
  );
}

/** What campaigns cost stands where the block has what apps earn. */
const earned = ({ costs, last_costs, image_url: _image, ...row }: CampaignStatRow): StatRow => ({
  ...row,
  revenue: costs,
  last_revenue: last_costs,
  uniques: 0,
  sessions: null,
  last_sessions: null,
});
