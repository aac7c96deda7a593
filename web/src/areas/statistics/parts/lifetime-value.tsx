import { type Ltv, appNames, loadingText } from "@millrace/contract";
import { daysIn, formatCount, formatCountExact, formatLtv, formatMoneyExact } from "@millrace/units";
import { useState } from "react";
import { comparisonText } from "../../../shared/filters/comparison-filter.tsx";
import { stableColor } from "../../../ui/charts/stable-color.ts";
import { RankRows } from "../../../ui/ranks/rank-rows.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { SkeletonBar, ChartSkeleton, RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { type PublisherScope, comparedScope } from "../scope.ts";
import { AppLink } from "./app-link.tsx";
import { COHORT_HEIGHT, CohortCurve } from "./cohort-curve.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./parts.module.css";

const SHOWN_APPS = 8;
/** A curve of fewer days says little. */
const FEW_DAYS = 3;

/**
 * Lifetime value: of all apps, of each app, and by age for the devices that were new in this period.
 */
export function LifetimeValue({ scope }: { scope: PublisherScope }) {
  const ltv = usePart("ltv", scope);
  const compared = comparedScope(scope);
  const earlier = usePart("ltv", compared ?? scope, { enabled: compared !== null, page: scope }).data;
  return (
    <LoadedBlock
      title="Lifetime value"
      aside="revenue per device, without filters"
      query={ltv}
      loading={loadingText("lifetime value")}
      skeleton={
        <div className={classes.ltv}>
          <div>
            <SkeletonBar width="110px" height="28px" />
            <ChartSkeleton height={COHORT_HEIGHT} />
          </div>
          <RowsSkeleton rows={7} height={33} />
        </div>
      }
      isEmpty={(data) => data.total === null}
      empty={
        <EmptyNote
          title="No devices found"
          why="These apps have not seen a device yet. The first one appears when an app with the SDK is started."
        />
      }
    >
      {(data) => (
        <div className={classes.ltv}>
          <div>
            <p className={classes.ltvTotal}>
              <b title={formatMoneyExact(data.total)}>{formatLtv(data.total)}</b>
              <span title={exactDevices(data.devices)}>across {devicesText(data.devices)}</span>
            </p>
            <Cohort
              data={data}
              earlier={compared === null ? undefined : earlier}
              before={comparisonText(scope.filter.compare, daysIn(scope.filter))}
              isRunning={scope.live}
            />
          </div>
          <ByApp data={data} scope={scope} />
        </div>
      )}
    </LoadedBlock>
  );
}

interface CohortProps {
  data: Ltv;
  earlier: Ltv | undefined;
  /** The compared period in words. */
  before: string;
  /** The period includes today, which is the first day of some. */
  isRunning: boolean;
}

/** The new devices of this period compared with those of the compared period at the same age. */
function Cohort({ data, earlier, before, isRunning }: CohortProps) {
  if (data.curve.length === 0) {
    return (
      <NothingCounted
        what="new devices"
        follows={["app_id"]}
        why="The curve follows devices from their first day, and these apps had no new devices in this period."
      />
    );
  }
  const reached = data.curve.length - 1;
  const [first] = data.curve;
  const exact = exactDevices(data.cohort_devices);
  const devices = devicesText(data.cohort_devices, "new device");
  const previews = earlier !== undefined && earlier.curve.length >= 2;
  // One point is no curve, and a first day that is not over does not compare with whole ones.
  if (isRunning || (reached === 0 && !previews)) {
    return (
      <>
        <p className={classes.note} title={exact}>
          {devices} in this period earned {formatLtv(first?.value ?? null)}
          {data.cohort_devices === 1 ? " on its" : " each on their"} first day{isRunning ? " so far" : ""}.
          {previews ? null : " Choose an earlier period to see how this grows."}
        </p>
        {previews ? <CohortCurve curve={[]} earlier={earlier.curve} before={before} /> : null}
      </>
    );
  }
  return (
    <>
      <p className={classes.note} title={exact}>
        {devices} in this period, by age. {data.cohort_devices === 1 ? "It has" : "All have"} reached day {reached}.
        {reached < FEW_DAYS ? " Choose an earlier period to see more." : null}
      </p>
      <CohortCurve curve={data.curve} earlier={earlier?.curve ?? []} before={before} />
    </>
  );
}

const several = (count: number, one: string) => (count === 1 ? one : `${one}s`);
const devicesText = (count: number, one = "device") => `${formatCount(count)} ${several(count, one)}`;
const exactDevices = (count: number) => `${formatCountExact(count)} ${several(count, "device")}`;

function ByApp({ data, scope }: { data: Ltv; scope: PublisherScope }) {
  const names = appNames(data.by_app);
  const [open, setOpen] = useState(false);
  const folded = data.by_app.length > SHOWN_APPS + 1;
  const shown = folded && !open ? data.by_app.slice(0, SHOWN_APPS) : data.by_app;
  const most = Math.max(0, ...data.by_app.map(({ ltv }) => ltv ?? 0));
  return (
    <>
      <RankRows
        label="Lifetime value by app"
        rows={shown.map(({ app_id: id, uuid, name: plain, deleted, ltv, devices }) => {
          const name = names.get(id) ?? plain;
          return {
            id: String(id),
            name: deleted ? name : <AppLink uuid={uuid} name={name} scope={scope} />,
            figure: formatLtv(ltv),
            exact: `${name}: ${formatMoneyExact(ltv)} per device, ${exactDevices(devices)}`,
            percent: most > 0 ? (100 * (ltv ?? 0)) / most : 0,
            color: stableColor(uuid),
          };
        })}
      />
      {folded ? (
        <button type="button" className={classes.others} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show fewer" : `${data.by_app.length - SHOWN_APPS} more apps`}
        </button>
      ) : null}
    </>
  );
}
