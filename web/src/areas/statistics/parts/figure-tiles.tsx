import type { ComponentProps, ReactNode } from "react";
import { HalfGauge } from "../../../ui/gauge/half-gauge.tsx";
import { Change } from "../../../ui/number/change.tsx";
import { Rolling } from "../../../ui/number/rolling.tsx";
import { type Tile, TileStrip } from "../../../ui/tiles/tile-strip.tsx";
import { type Figure, METRIC_WORDS } from "../metric-words.ts";
import type { Compared } from "../use-compared.ts";
import classes from "./parts.module.css";

interface FigureTilesProps<Id extends Figure, Choice extends Id> {
  figures: readonly Id[];
  totals: Readonly<Record<Id, number | null>>;
  /** A total with its change; undefined without a comparison. */
  compared: ((id: Id) => Compared | undefined) | undefined;
  /** How a figure is calculated, where its name does not say it. */
  madeOf?: Partial<Record<Figure, string>>;
  /** Which direction of a figure is good: more, unless it is said. */
  good?: Partial<Record<Figure, Good>>;
  choices: readonly Choice[];
  chosen: Choice;
  onChoose: (id: Choice) => void;
}

type Good = NonNullable<ComponentProps<typeof Change>["good"]>;
const NO_WORDS: Partial<Record<Figure, string>> = {};
const MORE_IS_GOOD: Partial<Record<Figure, Good>> = {};

/** Totals in a strip with their change from the compared period; some can be chosen for a chart. */
export function FigureTiles<Id extends Figure, Choice extends Id>(props: FigureTilesProps<Id, Choice>) {
  const { figures, totals, compared, madeOf = NO_WORDS, good = MORE_IS_GOOD, choices, chosen, onChoose } = props;
  return (
    <TileStrip
      label="Key figures"
      tiles={figures.map((id) =>
        tileOf(id, totals[id], compared?.(id), { made: madeOf[id] ?? MADE_OF[id], good: good[id] }),
      )}
      choices={choices}
      chosen={chosen}
      onChoose={(id) => {
        const choice = choices.find((candidate) => candidate === id);
        if (choice) onChoose(choice);
      }}
    />
  );
}

function tileOf<Id extends Figure>(
  id: Id,
  value: number | null,
  compared: Compared | undefined,
  { made, good }: { made: string | undefined; good: Good | undefined },
): Tile<Id> {
  const { label, short } = METRIC_WORDS[id];
  return {
    id,
    label,
    figure: <Rolling value={value} format={short} />,
    exact: <Exact id={id} value={value} compared={compared} made={made} />,
    // A missing figure shows no change, whatever its earlier value.
    below: value === null && id !== "ltv" ? null : below(id, compared, good),
    ...(isRate(id) ? { beside: <HalfGauge label={label} percent={value} figure={short(value)} /> } : {}),
  };
}

interface ExactProps {
  id: Figure;
  value: number | null;
  compared: Compared | undefined;
  made: string | undefined;
}

/** All digits, and the figure it is compared with. */
function Exact({ id, value, compared, made }: ExactProps) {
  const { label, exact } = METRIC_WORDS[id];
  return (
    <>
      {value === null ? `${label}: ${WHY_NONE[id] ?? "no data in this period"}` : `${label} ${exact(value)}`}
      {made === undefined ? null : (
        <>
          <br />
          {made}
        </>
      )}
      {compared && compared.before !== null ? (
        <>
          <br />
          {`${compared.against}: ${exact(compared.before)}`}
        </>
      ) : null}
    </>
  );
}

/** The rates with a gauge. */
const isRate = (id: Figure): boolean => id === "fillrate" || id === "use_rate";

/** How a figure is calculated, where its name does not say it. */
const MADE_OF: Partial<Record<Figure, string>> = {
  ecpm: "revenue / impressions × 1,000",
  fillrate: "impressions / requests",
  use_rate: "uniques / sessions",
  ctr: "clicks / impressions",
  conversions: "after a click",
  view_conversions: "conversions after an impression without a click",
  cvr: "conversions / clicks",
  cpa: "costs / conversions",
  current_session: "per session",
  ltv: "per device, all time",
};

/** Why a figure can be missing. */
const WHY_NONE: Partial<Record<Figure, string>> = {
  fillrate: "no requests in this period",
  ecpm: "no impressions in this period",
  ctr: "no impressions in this period",
  cvr: "no clicks in this period",
  cpa: "no conversions in this period",
  sessions: "sessions have no network or format",
  use_rate: "no sessions in this period",
  current_session: "no sessions in this period",
  ltv: "no devices seen yet",
};

function below(id: Figure, compared: Compared | undefined, good: Good | undefined): ReactNode {
  if (id === "ltv") return <span className={classes.note}>all time</span>;
  if (!compared) return null;
  return <Change text={compared.change} against={compared.against} {...(good && { good })} />;
}
