import {
  formatCount,
  formatCountExact,
  formatDuration,
  formatEcpm,
  formatLtv,
  formatMoney,
  formatMoneyExact,
  formatMoneyShort,
  formatPercent,
  formatPercentExact,
} from "@millrace/units";
import type { ChartMetric } from "../../shared/filters/address.ts";
import type { ColorName } from "../../ui/charts/line-chart.tsx";

type Format = (value: number | null) => string;

interface MetricWords {
  label: string;
  /** For tiles. */
  short: Format;
  /** For axes, which have round figures. */
  axis: Format;
  /** For tables. */
  format: Format;
  /** For tooltips. */
  exact: Format;
}

/** An axis without data runs from 0 to 1 in fractions, which money and counts do not have. */
const whole =
  (format: Format): Format =>
  (value) =>
    value === null || Number.isInteger(value) ? format(value) : "";

/** `$600`, `$0.50`, `$12K`. */
const roundMoney: Format = (micros) =>
  (Math.abs(micros ?? 0) < 10_000_000_000 ? formatMoney(micros) : `$${formatCount((micros ?? 0) / 1_000_000)}`).replace(
    /\.0+(?=\D|$)/,
    "",
  );

/** `150K`, not `150.0K`. */
const roundCount: Format = (count) => formatCount(count).replace(/\.0+(?=\D|$)/, "");

const counted = (label: string): MetricWords => ({
  label,
  short: formatCount,
  axis: whole(roundCount),
  format: formatCount,
  exact: formatCountExact,
});

const percentage = (label: string): MetricWords => ({
  label,
  short: formatPercent,
  axis: formatPercent,
  format: formatPercent,
  exact: formatPercentExact,
});

/** The label and format of each metric on the statistics pages. */
export const METRIC_WORDS = {
  revenue: {
    label: "Revenue",
    short: formatMoneyShort,
    axis: whole(roundMoney),
    format: formatMoney,
    exact: formatMoneyExact,
  },
  ecpm: { label: "eCPM", short: formatEcpm, axis: whole(formatEcpm), format: formatEcpm, exact: formatMoneyExact },
  impressions: counted("Impressions"),
  requests: counted("Requests"),
  fillrate: percentage("Fill rate"),
  clicks: counted("Clicks"),
  ctr: percentage("CTR"),
  use_rate: percentage("Use rate"),
  uniques: counted("Uniques"),
  sessions: counted("Sessions"),
  current_session: {
    label: "Session time",
    short: formatDuration,
    axis: formatDuration,
    format: formatDuration,
    exact: formatDuration,
  },
  ltv: { label: "LTV", short: formatLtv, axis: formatLtv, format: formatLtv, exact: formatMoneyExact },
} as const satisfies Record<ChartMetric | "current_session" | "use_rate" | "ltv", MetricWords>;

/** Every metric with a label. */
export type Figure = keyof typeof METRIC_WORDS;

/** A metric's colour in a chart with several. */
export const METRIC_COLORS = {
  revenue: "chart1",
  ecpm: "chart2",
  impressions: "chart3",
  clicks: "chart4",
  ctr: "chart2",
  fillrate: "chart5",
  requests: "chart6",
  uniques: "chart4",
  sessions: "chart5",
} as const satisfies Record<ChartMetric, ColorName>;
