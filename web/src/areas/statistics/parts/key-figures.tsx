import { TEXTS, loadingText } from "@millrace/contract";
import { CHART_METRICS, type ChartMetric } from "../../../shared/filters/address.ts";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { TileStripSkeleton } from "../../../ui/tiles/tile-strip.tsx";
import { usePart } from "../api.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import type { PublisherScope, Scope } from "../scope.ts";
import { type ComparedFigure, useCompared } from "../use-compared.ts";
import { FigureTiles } from "./figure-tiles.tsx";
import { NotCounted } from "./not-counted.tsx";
import classes from "./parts.module.css";

interface KeyFiguresProps {
  scope: Scope;
  figures: readonly (ComparedFigure | "ltv")[];
  metric: ChartMetric;
  onMetric: (metric: ChartMetric) => void;
}

/** The totals with their change from the compared period; choosing one shows it in the chart. */
export function KeyFigures({ scope, figures, metric, onMetric }: KeyFiguresProps) {
  const totals = usePart("totals", scope, { pace: "live" });
  const compared = useCompared(scope);
  return (
    <Loaded
      query={totals}
      loading={loadingText("key figures")}
      skeleton={<TileStripSkeleton labels={figures.map((id) => METRIC_WORDS[id].label)} />}
    >
      {(data) => (
        <div>
          {scope.uuid === null ? <SampleNote scope={scope} /> : null}
          <FigureTiles
            figures={figures}
            totals={data}
            compared={(id) => (id === "ltv" ? undefined : compared?.(id))}
            choices={CHART_METRICS}
            chosen={metric}
            onChoose={onMetric}
          />
          <NotCounted scope={scope} />
        </div>
      )}
    </Loaded>
  );
}

/** Sample apps stand beside others, so it is said that they are among the totals. */
function SampleNote({ scope }: { scope: PublisherScope }) {
  const hasSamples = usePart("top_apps", scope).data?.some((app) => app.is_sample === 1) ?? false;
  if (!hasSamples) return null;
  return (
    <p className={classes.sampleNote} role="note">
      {TEXTS.sampleFigures}
    </p>
  );
}
