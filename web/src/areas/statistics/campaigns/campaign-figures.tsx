import { CAMPAIGN_FIGURES, type CampaignFigure, loadingText } from "@millrace/contract";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { TileStripSkeleton } from "../../../ui/tiles/tile-strip.tsx";
import { METRIC_WORDS } from "../metric-words.ts";
import { FigureTiles } from "../parts/figure-tiles.tsx";
import { useCampaignCompared, useCampaignPart } from "./api.ts";
import type { CampaignScope } from "./campaign-address.ts";

const FIGURES = [
  "costs",
  "ecpm",
  "impressions",
  "clicks",
  "ctr",
  "conversions",
  "cvr",
  "cpa",
  "requests",
  "fillrate",
] as const satisfies CampaignFigure[];

/** How a figure is calculated where campaigns differ from apps. */
const MADE_OF = {
  ecpm: "costs / impressions × 1,000",
  requests: "requests that one of your ads answered",
  fillrate: "answered requests whose ad was shown",
} as const;

/** To spend more is neither good nor bad; to pay less for the same is good. */
const GOOD = { costs: "neither", requests: "neither", ecpm: "down", cpa: "down" } as const;

interface CampaignFiguresProps {
  scope: CampaignScope;
  metric: CampaignFigure;
  onMetric: (metric: CampaignFigure) => void;
}

/** The totals with their change from the compared period; choosing one shows it in the chart. */
export function CampaignKeyFigures({ scope, metric, onMetric }: CampaignFiguresProps) {
  const totals = useCampaignPart("totals", scope, { pace: "live" });
  const compared = useCampaignCompared(scope);
  return (
    <Loaded
      query={totals}
      loading={loadingText("key figures")}
      skeleton={<TileStripSkeleton labels={FIGURES.map((id) => METRIC_WORDS[id].label)} />}
    >
      {(data) => (
        <FigureTiles
          figures={FIGURES}
          totals={data}
          compared={compared}
          madeOf={MADE_OF}
          good={GOOD}
          choices={CAMPAIGN_FIGURES}
          chosen={metric}
          onChoose={onMetric}
        />
      )}
    </Loaded>
  );
}
