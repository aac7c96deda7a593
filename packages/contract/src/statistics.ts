import { z } from "zod";
import { AppIdentity, LastFigures, Pager, Totals } from "./apps.ts";
import { FORMATS, PLATFORMS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { ById, Micros, repeated } from "./fields.ts";
import { ComparedUntil, CompareWith, StatsFilter, inOrder } from "./filters.ts";
import { NotCounted } from "./not-counted.ts";

export const VIEWS = ["date", "country", "format", "provider", "zone"] as const;
export type View = (typeof VIEWS)[number];

/** The series of a graph; `last_revenue` is the revenue of the compared period. */
export const METRICS = [
  "revenue",
  "last_revenue",
  "uniques",
  "sessions",
  "requests",
  "impressions",
  "fillrate",
  "clicks",
  "ctr",
  "ecpm",
] as const;
export type Metric = (typeof METRICS)[number];

/** The sort orders of a statistics table; `name` is the view's own order. */
export const TABLE_ORDERS = [
  "name",
  "uniques",
  "sessions",
  "requests",
  "impressions",
  "clicks",
  "fillrate",
  "ctr",
  "ecpm",
  "revenue",
] as const;
export type TableOrder = (typeof TABLE_ORDERS)[number];

/** The metrics of a table row, in column order. */
export type TableFigure = Exclude<TableOrder, "name">;
export const TABLE_FIGURES = TABLE_ORDERS.filter((order): order is TableFigure => order !== "name");

/** The parts of an app's statistics, as named in `func`. */
export const APP_FUNCS = [
  "app",
  "totals",
  "graph_data",
  "earnings_by_providers",
  "top_formats",
  "impressions_by_formats",
  "top_countries_impressions",
  "top_countries_revenue",
  "top_countries_sessions",
  "top_countries_uniques",
  "online_revenue",
  "sdk_versions",
  "why_no_ad",
  "not_counted",
  "stats",
] as const;
export type AppFunc = (typeof APP_FUNCS)[number];

const optionalNumber = z.number().nullable();

/**
 * One row of a statistics table. `id` is the view's key (day, country, format, provider, zone). `last_…` is the same key in the
 * compared period; of a day, the day at the same place in it.
 */
export const StatRow = z
  .object({
    id: z.string(),
    name: z.string(),
    uniques: z.int(),
    /** Null if the view or filter is by format, provider or zone, because a session has none. */
    sessions: z.int().nullable(),
    requests: z.int(),
    impressions: z.int(),
    clicks: z.int(),
    fillrate: optionalNumber,
    ctr: optionalNumber,
    ecpm: Micros.nullable(),
    revenue: Micros,
  })
  .extend(LastFigures.shape);
export type StatRow = z.infer<typeof StatRow>;

/**
 * Rows with any figure in the range or in the compared period, so that the rows' `last_…` add up to the total's, too.
 * `pager` is present if `rows` was requested; `total` always covers all rows.
 */
export const StatTable = z.object({
  view: z.enum(VIEWS),
  stats: z.array(StatRow),
  total: StatRow,
  /**
   * The sum of the rows' requests by provider; null by other views. A row counts the requests sent to its provider and one
   * request is sent to several, so this differs from the total's requests, which count each once.
   */
  requests_sent: z.int().nullable(),
  compared_until: ComparedUntil,
  pager: Pager.optional(),
});
export type StatTable = z.infer<typeof StatTable>;

/**
 * An estimate of a running point's final values. A count or revenue is the point's so far plus what the point at the same place
 * of the compared period still got after the same time of day; rates are computed from these. Null where that is unknown:
 * devices (they are not sums), sessions that a filter leaves out, rates without a divisor.
 */
export const Pace = z.object({
  /** The running point: one of `dates[0]`. */
  at: z.string(),
  values: z.partialRecord(z.enum(METRICS), optionalNumber),
});
export type Pace = z.infer<typeof Pace>;

/**
 * Series by metric over `dates[0]`; `dates[1]` has the same points in the compared period. Up to 2 days points are hours,
 * otherwise days. The compared line always has the whole period, past `compared_until`, so that it shows how the day went on.
 * With `compare=none`, `dates[1]` is empty and there is no `last_revenue`.
 */
export const GraphData = z.object({
  /** Dates are days like `2026-11-19`, or the starts of hours like `2026-11-19T05:00:00Z`. */
  step: z.enum(["hour", "day"]),
  dates: z.tuple([z.array(z.string()), z.array(z.string())]),
  series: z.partialRecord(z.enum(METRICS), z.array(optionalNumber)),
  /** The last finished point of `dates[0]`, where lines end: later points are running or have not begun. Null if none is finished. */
  complete_until: z.string().nullable(),
  /** Of the running point. Null if the range is over, without a comparison, or if nothing was asked for in the compared day. */
  pace: Pace.nullable(),
  compared_until: ComparedUntil,
});
export type GraphData = z.infer<typeof GraphData>;

/** `last_series` is the whole compared period; empty with `compare=none`. */
export const RevenueSummary = z.object({
  dates: z.array(z.string()),
  series: z.array(Micros),
  last_series: z.array(Micros),
});

/** Shares list what has a value in the range. `last_…` is that of the compared period, null without a comparison. */
const LastRevenue = { revenue: Micros, last_revenue: Micros.nullable() };
export const ProviderRevenue = z.object({ provider: z.string(), name: z.string(), ...LastRevenue });
export const FormatRevenue = z.object({ format: z.enum(FORMATS), name: z.string(), ...LastRevenue });
export const FormatImpressions = z.object({
  format: z.enum(FORMATS),
  name: z.string(),
  impressions: z.int(),
  last_impressions: z.int().nullable(),
});
/** `country` is ISO 3166-1 alpha-2, or `XX` if unknown; `value` is a count or micro-dollars, depending on the list. */
export const CountryValue = z.object({
  country: z.string(),
  name: z.string(),
  value: z.int(),
  last_value: z.int().nullable(),
});
export type CountryValue = z.infer<typeof CountryValue>;

/** True for an app that is deleted: it keeps its figures, but has no page of its own. Otherwise missing. */
export const Deleted = z.literal(true).optional();

export const Earning = z.object({
  at: z.iso.datetime(),
  auction_id: z.guid(),
  icon: z.string().nullable(),
  title: z.string(),
  deleted: Deleted,
  app_id: z.int(),
  platform: z.enum(PLATFORMS),
  url: z.string().nullable(),
  provider: z.string(),
  provider_name: z.string(),
  format: z.enum(FORMATS),
  country: z.string(),
  earn: Micros,
});
export type Earning = z.infer<typeof Earning>;

/**
 * Shares are percentages. `last_…` is null without a comparison, and where the last day of the compared period is counted in part
 * and its raw rows have been deleted. A share is also null if nothing was counted then.
 */
const LastShare = { last_share: optionalNumber };
export const SdkShare = z.object({
  version: z.string(),
  sessions: z.int(),
  share: z.number(),
  last_sessions: z.int().nullable(),
  ...LastShare,
});
export const NoAdReason = z.object({
  reason: z.string(),
  text: z.string(),
  requests: z.int(),
  share: z.number(),
  last_requests: z.int().nullable(),
  ...LastShare,
});

/** The reply with `func`: the named parts. */
export const AppParts = z.object({
  app: AppIdentity,
  totals: Totals,
  graph_data: GraphData,
  earnings_by_providers: z.array(ProviderRevenue),
  top_formats: z.array(FormatRevenue),
  impressions_by_formats: z.array(FormatImpressions),
  top_countries_impressions: z.array(CountryValue),
  top_countries_revenue: z.array(CountryValue),
  top_countries_sessions: z.array(CountryValue),
  top_countries_uniques: z.array(CountryValue),
  online_revenue: z.array(Earning),
  sdk_versions: z.array(SdkShare),
  why_no_ad: z.array(NoAdReason),
  not_counted: z.array(NotCounted),
  stats: StatTable,
});
export type AppParts = z.infer<typeof AppParts>;

/** The reply without `func`: all data of the page. */
export const AppPage = z.object({
  app: AppIdentity,
  stat_summary: Totals,
  revenue_summary: RevenueSummary,
  provider_revenue: z.array(ProviderRevenue),
  format_revenue: z.array(FormatRevenue),
  format_impressions: z.array(FormatImpressions),
  graph_data: GraphData,
  country_impression: z.array(CountryValue),
  country_revenue: z.array(CountryValue),
  country_sessions: z.array(CountryValue),
  country_uniques: z.array(CountryValue),
  latest_revenue: z.array(Earning),
  stat_table: StatTable,
});
export type AppPage = z.infer<typeof AppPage>;

/** Paging for programs that read long tables; without `rows` the whole table is returned. */
export const TablePage = {
  p: z.coerce.number().int().min(0).max(100_000).default(0),
  rows: z.coerce.number().int().min(1).max(1000).optional(),
};

export const AppStatsQuery = inOrder(
  StatsFilter.omit({ app_id: true }).extend({
    func: repeated(z.enum(APP_FUNCS)),
    metrics: repeated(z.enum(METRICS)),
    view: z.enum(VIEWS).default("date"),
    order: z.enum(TABLE_ORDERS).default("name"),
    order_type: z.enum(["asc", "desc"]).default("asc"),
    ...CompareWith,
    ...TablePage,
  }),
);
export type AppStatsQuery = z.output<typeof AppStatsQuery>;

/** The metrics in a file; all by default. */
export const FileColumns = { columns: repeated(z.enum(TABLE_FIGURES)) };
export const AppFileQuery = AppStatsQuery.safeExtend(FileColumns);
export type AppFileQuery = z.output<typeof AppFileQuery>;

export const appStats = defineCall({
  method: "GET",
  path: "/apps/{id}/stats.json",
  summary: "Get statistics of one app: the parts named by func, or all of them",
  access: "apps.read",
  params: ById,
  query: AppStatsQuery,
  // Strict, so that an invalid page does not match as a few parts.
  reply: z.union([AppPage, AppParts.partial().strict()]),
});

export const appStatsCsv = defineCall({
  method: "GET",
  path: "/apps/{id}/stats.csv",
  summary: "Download the statistics table of one app as CSV, with the rows of the table on screen",
  access: "apps.read",
  params: ById,
  query: AppFileQuery,
  reply: z.string(),
  replyTypes: ["text/csv"],
});
