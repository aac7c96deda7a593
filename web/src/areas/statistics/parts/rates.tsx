import { loadingText } from "@millrace/contract";
import { HalfGauge } from "../../../ui/gauge/half-gauge.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { GaugeSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import type { Scope } from "../scope.ts";
import classes from "./parts.module.css";
import { PeriodChange } from "./period-change.tsx";

const RATES = {
  fillrate: { made: "impressions / requests", none: "no requests in this period" },
  use_rate: { made: "uniques / sessions", none: "no sessions in this period" },
} as const;

/** Fill rate and use rate as half gauges. */
export function Rates({ scope }: { scope: Scope }) {
  const totals = usePart("totals", scope, { pace: "live" });
  return (
    <LoadedBlock
      title="Rates"
      query={totals}
      loading={loadingText("rates")}
      skeleton={
        <div className={classes.gauges}>
          <GaugeSkeleton />
          <GaugeSkeleton />
        </div>
      }
    >
      {(data) => (
        <div className={classes.gauges}>
          {(["fillrate", "use_rate"] as const).map((id) => {
            const { label, format, exact } = METRIC_WORDS[id];
            const percent = data[id];
            return (
              <div key={id}>
                <HalfGauge
                  label={label}
                  percent={percent}
                  figure={format(percent)}
                  exact={exact(percent)}
                  caption={percent === null ? RATES[id].none : RATES[id].made}
                />
                <p className={classes.gaugeChange}>
                  {percent === null ? null : <PeriodChange scope={scope} figure={id} />}
                </p>
              </div>
            );
          })}
        </div>
      )}
    </LoadedBlock>
  );
}
