import { z } from "zod";
import { CAMPAIGN_FORMATS } from "./campaign-rules.ts";
import { CAMPAIGN_FIGURES, CAMPAIGN_METRICS, CAMPAIGN_ORDERS, CAMPAIGN_VIEWS } from "./campaign-views.ts";
import { ALL } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Day, Micros, Uuid, repeated } from "./fields.ts";
import { ComparedUntil, CompareWith, StatsFilter, inOrder } from "./filters.ts";
import { CountryValue, GraphData, Pace, TablePage } from "./statistics.ts";
import { Pager } from "./apps.ts";

/** The parts of campaigns' statistics, as named in `func`. */
export const CAMPAIGN_FUNCS = [
  "totals",
  "graph_data",
  "top_campaign_by_costs",
  "top_formats_by_costs",
  "top_countries_costs",
  "choices",
  "stats",
] as const;
export type CampaignFunc = (typeof CAMPAIGN_FUNCS)[number];

const rate = z.number().nullable();

/**
 * A request is one for which a campaign's ad was returned, first or behind others, so the fill rate is the share of returned ads that
 * were shown. Costs are what the advertiser pays, and eCPM what a thousand impressions cost.
 */
const Figures = z.object({
  requests: z.int(),
  impressions: z.int(),
  clicks: z.int(),
  fillrate: rate,
  ctr: rate,
  /** After a click. */
  conversions: z.int(),
  /** Conversions after an impression without a click; no rate includes them. */
  view_conversions: z.int(),
  /** Conversions per click, in percent. */
  cvr: rate,
  /** Costs per conversion. */
  cpa: Micros.nullable(),
  ecpm: Micros.nullable(),
  costs: Micros,
});

/** The figures of the compared period; all null without a comparison. */
const LastFigures = z.object({
  last_requests: z.int().nullable(),
  last_impressions: z.int().nullable(),
  last_clicks: z.int().nullable(),
  last_fillrate: rate,
  last_ctr: rate,
  last_conversions: z.int().nullable(),
  last_view_conversions: z.int().nullable(),
  last_cvr: rate,
  last_cpa: Micros.nullable(),
  last_ecpm: Micros.nullable(),
  last_costs: Micros.nullable(),
});

export const CampaignTotals = Figures.extend(LastFigures.shape).extend({ compared_until: ComparedUntil });
export type CampaignTotals = z.infer<typeof CampaignTotals>;

/** `id` is the view's key: a day, a campaign's or creative's uuid, a country or a format. */
export const CampaignStatRow = Figures.extend(LastFigures.shape).extend({
  id: z.string(),
  name: z.string(),
  /** Of a campaign's app, or of a creative. */
  image_url: z.string().nullable().optional(),
});
export type CampaignStatRow = z.infer<typeof CampaignStatRow>;

/** Rows with any figure in the range or in the compared period; `total` always covers all of them. */
export const CampaignTable = z.object({
  view: z.enum(CAMPAIGN_VIEWS),
  stats: z.array(CampaignStatRow),
  total: CampaignStatRow,
  compared_until: ComparedUntil,
  pager: Pager.optional(),
});
export type CampaignTable = z.infer<typeof CampaignTable>;

export const CampaignGraph = GraphData.extend({
  series: z.partialRecord(z.enum(CAMPAIGN_METRICS), z.array(rate)),
  pace: Pace.extend({ values: z.partialRecord(z.enum(CAMPAIGN_METRICS), rate) }).nullable(),
});
export type CampaignGraph = z.infer<typeof CampaignGraph>;

const LastCosts = { costs: Micros, last_costs: Micros.nullable() };
export const CampaignCosts = z.object({
  uuid: Uuid,
  name: z.string(),
  image_url: z.string().nullable(),
  /** Its costs of earlier days stay. */
  deleted: z.boolean(),
  ...LastCosts,
});
export type CampaignCosts = z.infer<typeof CampaignCosts>;
export const CampaignFormatCosts = z.object({ format: z.enum(CAMPAIGN_FORMATS), name: z.string(), ...LastCosts });

/** Labels by id for the filters, and the dates that they offer. */
const Choices = {
  dates: z.object({ ds: Day, de: Day, min: Day, max: Day }),
  campaigns: z.record(z.string(), z.string()),
  formats: z.record(z.enum(CAMPAIGN_FORMATS), z.string()),
  countries: z.record(z.string(), z.string()),
  /** The first day with any figure of the account's campaigns; null before it. */
  first_day: Day.nullable(),
};

/** The reply with `func`: the named parts. */
export const CampaignParts = z.object({
  totals: CampaignTotals,
  graph_data: CampaignGraph,
  top_campaign_by_costs: z.array(CampaignCosts),
  top_formats_by_costs: z.array(CampaignFormatCosts),
  top_countries_costs: z.array(CountryValue),
  choices: z.object(Choices),
  stats: CampaignTable,
});
export type CampaignParts = z.infer<typeof CampaignParts>;

/** The reply without `func`: all data of the page. */
export const CampaignPage = z.object({
  stat_summary: CampaignTotals,
  requests_summary: CampaignGraph,
  campaign_costs: z.array(CampaignCosts),
  formats_costs: z.array(CampaignFormatCosts),
  country_costs: z.array(CountryValue),
  stat_table: CampaignTable,
  ...Choices,
});

/** `'0'` among the values, or no value at all, matches everything. */
export const CampaignFilter = StatsFilter.pick({ ds: true, de: true, country: true }).extend({
  format: repeated(z.enum([ALL, ...CAMPAIGN_FORMATS])),
  campaign: repeated(z.union([z.literal(ALL), Uuid])),
});
export type CampaignFilter = z.output<typeof CampaignFilter>;

export const CampaignStatsQuery = inOrder(
  CampaignFilter.extend({
    func: repeated(z.enum(CAMPAIGN_FUNCS)),
    metrics: repeated(z.enum(CAMPAIGN_METRICS)),
    view: z.enum(CAMPAIGN_VIEWS).default("date"),
    order: z.enum(CAMPAIGN_ORDERS).default("name"),
    order_type: z.enum(["asc", "desc"]).default("asc"),
    ...CompareWith,
    ...TablePage,
  }),
);
export type CampaignStatsQuery = z.output<typeof CampaignStatsQuery>;

export const campaignStats = defineCall({
  method: "GET",
  path: "/campaign/performance.json",
  summary: "Get statistics of the account's campaigns: the parts named by func, or all of them",
  access: "campaigns.read",
  query: CampaignStatsQuery,
  // Strict, so that an invalid page does not match as a few parts.
  reply: z.union([CampaignPage, CampaignParts.partial().strict()]),
});

/** The figures in a file; all by default. */
export const CampaignFileQuery = CampaignStatsQuery.safeExtend({ columns: repeated(z.enum(CAMPAIGN_FIGURES)) });
export type CampaignFileQuery = z.output<typeof CampaignFileQuery>;

export const campaignStatsCsv = defineCall({
  method: "GET",
  path: "/campaign/performance.csv",
  summary: "Download the statistics table of the campaigns as CSV, with the rows of the table on screen",
  access: "campaigns.read",
  query: CampaignFileQuery,
  reply: z.string(),
  replyTypes: ["text/csv"],
});

export const campaignStatsPdf = defineCall({
  method: "GET",
  path: "/campaign/performance.pdf",
  summary: "Download the statistics table of the campaigns as PDF, with a chart of costs",
  access: "campaigns.read",
  query: CampaignFileQuery,
  reply: z.string(),
  replyTypes: ["application/pdf"],
});
