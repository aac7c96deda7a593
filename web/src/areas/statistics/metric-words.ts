import {
  formatCount,
  formatCountExact,
  formatDuration,
  formatLtv,
  formatMoney,
  formatMoneyExact,
  formatMoneyShort,
  formatMoneyTo,
  formatPercent,
  formatPercentExact,
  formatRate,
  moneyDecimals,
} from "@millrace/units";
import type { CampaignFigure } from "@millrace/contract";
import type { ChartMetric } from "../../shared/filters/address.ts";

type Format = (value: number | null) => string;

interface MetricWords {
  label: string;
  /** For tiles. */
  short: Format;
  /** For axes, which have round figures. */
  axis: Format;
  /** For tables. */
  format: Format;
  /** For tips. */
  exact: Format;
}

/** `$600`, `$0.50`, `$12K`, `$0.005`. */
const roundMoney: Format = (micros) => {
  const size = Math.abs(micros ?? 0);
  // Steps of an axis below a dollar may be finer than cents.
  if (size < 1_000_000) return formatMoneyExact(micros).replace("$0.00", size === 0 ? "$0" : "$0.00");
  const text = size < 10_000_000_000 ? formatMoney(micros) : `$${formatCount((micros ?? 0) / 1_000_000)}`;
  return text.replace(/\.0+(?=\D|$)/, "");
};

/** An amount by itself, which keeps its digits below a cent. */
const money: Format = (micros) => formatMoneyTo(micros, moneyDecimals([micros]));

const isSmall = (micros: number | null): boolean => micros !== null && Math.abs(micros) < 10_000;

/** `150K`, not `150.0K`. */
const roundCount: Format = (count) => formatCount(count).replace(/\.0+(?=\D|$)/, "");

const counted = (label: string): MetricWords => ({
  label,
  short: formatCount,
  axis: roundCount,
  format: formatCount,
  exact: formatCountExact,
});

const percentage = (label: string): MetricWords => ({
  label,
  short: formatRate,
  axis: formatPercent,
  format: formatRate,
  exact: formatPercentExact,
});

const moneyWords: Omit<MetricWords, "label"> = {
  short: (micros) => (isSmall(micros) ? money(micros) : formatMoneyShort(micros)),
  axis: roundMoney,
  format: money,
  exact: formatMoneyExact,
};

/** The label and format of each metric on the statistics pages. */
export const METRIC_WORDS = {
  revenue: { ...moneyWords, label: "Revenue" },
  costs: { ...moneyWords, label: "Costs" },
  ecpm: { label: "eCPM", short: money, axis: roundMoney, format: money, exact: formatMoneyExact },
  impressions: counted("Impressions"),
  requests: counted("Requests"),
  fillrate: percentage("Fill rate"),
  clicks: counted("Clicks"),
  ctr: percentage("CTR"),
  conversions: counted("Conversions"),
  view_conversions: counted("View-through"),
  cvr: percentage("Conversion rate"),
  cpa: { label: "Cost per conversion", short: money, axis: roundMoney, format: money, exact: formatMoneyExact },
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
} as const satisfies Record<
  ChartMetric | "costs" | "current_session" | "use_rate" | "ltv" | CampaignFigure,
  MetricWords
>;

/** Every metric with a label. */
export type Figure = keyof typeof METRIC_WORDS;

const MONEY: ReadonlySet<Figure> = new Set(["revenue", "costs", "ecpm", "cpa"]);

/** The format of a column: one number of decimals for all of its figures. */
export function columnFormat(figure: Figure, values: readonly (number | null)[]): Format {
  if (!MONEY.has(figure)) return METRIC_WORDS[figure].format;
  const decimals = moneyDecimals(values);
  return (micros) => formatMoneyTo(micros, decimals);
}
