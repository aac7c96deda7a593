import { loadingText } from "@millrace/contract";
import { formatPercent, formatPercentExact } from "@millrace/units";
import { HalfGauge } from "../../../ui/gauge/half-gauge.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { GaugeSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Scope, usePart } from "../api.ts";
import classes from "./parts.module.css";

/** Fill rate and use rate, each on half a circle. */
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
      {({ fillrate, use_rate: useRate }) => (
        <div className={classes.gauges}>
          <HalfGauge
            label="Fill rate"
            percent={fillrate}
            figure={formatPercent(fillrate)}
            exact={formatPercentExact(fillrate)}
            caption={fillrate === null ? "no requests in these days" : "impressions of requests"}
          />
          <HalfGauge
            label="Use rate"
            percent={useRate}
            figure={formatPercent(useRate)}
            exact={formatPercentExact(useRate)}
            caption={useRate === null ? "no sessions in these days" : "uniques of sessions"}
          />
        </div>
      )}
    </LoadedBlock>
  );
}
