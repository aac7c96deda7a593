import { z } from "zod";
import { PLATFORMS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Micros, Uuid, repeated } from "./fields.ts";
import { Totals } from "./apps.ts";
import { CompareWith, StatsFilter, inOrder } from "./filters.ts";
import { NotCounted } from "./not-counted.ts";
import {
  CountryValue,
  Deleted,
  Earning,
  FormatRevenue,
  GraphData,
  METRICS,
  RevenueSummary,
  StatTable,
  TABLE_ORDERS,
  TablePage,
  VIEWS,
} from "./statistics.ts";

/** The parts of the statistics of all apps. */
export const PUBLISHER_FUNCS = [
  "totals",
  "graph_data",
  "top_apps",
  "top_formats",
  "top_countries_impressions",
  "top_countries_revenue",
  "ltv",
  "online_revenue",
  "not_counted",
  "stats",
] as const;
export type PublisherFunc = (typeof PUBLISHER_FUNCS)[number];

export const AppRevenue = z.object({
  app_id: z.int(),
  uuid: Uuid,
  name: z.string(),
  platform: z.enum(PLATFORMS),
  logo_url: z.string().nullable(),
  /** A sample app: its figures are made up and in no balance. */
  is_sample: z.literal(1).optional(),
  deleted: Deleted,
  revenue: Micros,
  /** Of the compared period; null without a comparison. */
  last_revenue: Micros.nullable(),
});
export type AppRevenue = z.infer<typeof AppRevenue>;

/**
 * Lifetime value: `total` is all revenue divided by all devices. The curve shows the devices with a first day in the
 * requested range by age in days, up to the last age that all of them have reached.
 */
export const Ltv = z.object({
  total: Micros.nullable(),
  devices: z.int(),
  /** The number of devices with a first day in the range. Those from before their app's first day with figures are left out. */
  cohort_devices: z.int(),
  /** Revenue per device of the cohort up to and including this age in days, in micro-dollars. */
  curve: z.array(z.object({ age: z.int(), value: Micros })),
  by_app: z.array(
    z.object({
      app_id: z.int(),
      uuid: Uuid,
      name: z.string(),
      platform: z.enum(PLATFORMS),
      deleted: Deleted,
      ltv: Micros.nullable(),
      devices: z.int(),
    }),
  ),
});
export type Ltv = z.infer<typeof Ltv>;

export const PublisherParts = z.object({
  totals: Totals,
  graph_data: GraphData,
  top_apps: z.array(AppRevenue),
  top_formats: z.array(FormatRevenue),
  top_countries_impressions: z.array(CountryValue),
  top_countries_revenue: z.array(CountryValue),
  ltv: Ltv,
  online_revenue: z.array(Earning),
  not_counted: z.array(NotCounted),
  stats: StatTable,
});
export type PublisherParts = z.infer<typeof PublisherParts>;

/** The reply without `func`: all data of the page. */
export const PublisherPage = z.object({
  stat_summary: Totals,
  revenue_summary: RevenueSummary,
  app_revenue: z.array(AppRevenue),
  format_revenue: z.array(FormatRevenue),
  country_impression: z.array(CountryValue),
  country_revenue: z.array(CountryValue),
  ltv: Ltv,
  latest_revenue: z.array(Earning),
  app_total_revenue: Micros,
  app_total_ltv: Micros.nullable(),
  stat_table: StatTable,
});
export type PublisherPage = z.infer<typeof PublisherPage>;

export const PublisherQuery = inOrder(
  StatsFilter.extend({
    func: repeated(z.enum(PUBLISHER_FUNCS)),
    metrics: repeated(z.enum(METRICS)),
    view: z.enum(VIEWS).default("date"),
    order: z.enum(TABLE_ORDERS).default("name"),
    order_type: z.enum(["asc", "desc"]).default("asc"),
    ...CompareWith,
    ...TablePage,
  }),
);
export type PublisherQuery = z.output<typeof PublisherQuery>;

export const publisherStats = defineCall({
  method: "GET",
  path: "/apps/performance/stats",
  summary: "Get statistics of all apps: the parts named by func, or all of them",
  access: "publisher.read",
  query: PublisherQuery,
  reply: z.union([PublisherPage, PublisherParts.partial().strict()]),
});
