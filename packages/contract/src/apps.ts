import { z } from "zod";
import { FORMATS, PLATFORMS, SDK_STATUSES } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Day, Micros, SearchedPage, Uuid } from "./fields.ts";
import { ComparedUntil, CompareWith, StatsFilter, inOrder } from "./filters.ts";

export const AppIdentity = z.object({
  app_id: z.int(),
  uuid: Uuid,
  name: z.string(),
  logo_url: z.string().nullable(),
  url: z.string().nullable(),
  bundle_id: z.string(),
  platform: z.enum(PLATFORMS),
  in_dev: z.int().min(0).max(1),
  /** A sample app: its figures are made up and in no balance. */
  is_sample: z.literal(1).optional(),
  sdk_status: z.enum(SDK_STATUSES),
  sdk_status_class: z.enum(["success", "warning", "danger"]),
  sdk_info: z.object({
    version: z.string().nullable(),
    changelog_url: z.string().nullable(),
    update_url: z.string().nullable(),
  }),
});
export type AppIdentity = z.infer<typeof AppIdentity>;

/** What distinguishes an app in a list: apps of two platforms often share a name. */
export const NamedApp = AppIdentity.pick({ uuid: true, name: true, platform: true });
export type NamedApp = z.infer<typeof NamedApp>;

export const AppMetrics = z.object({
  uniques: z.int(),
  /** Null, like its derived metrics, under a filter by provider or format, because a session has neither. */
  sessions: z.int().nullable(),
  requests: z.int(),
  impressions: z.int(),
  clicks: z.int(),
  fillrate: z.number().nullable(),
  ctr: z.number().nullable(),
  ecpm: Micros.nullable(),
  revenue: Micros,
  ltv: Micros.nullable(),
  use_rate: z.number().nullable(),
  current_session: z.number().nullable(),
});
export type AppMetrics = z.infer<typeof AppMetrics>;

/** The figures of the compared period; all null without a comparison. */
export const LastFigures = z.object({
  last_sessions: z.int().nullable(),
  last_requests: z.int().nullable(),
  last_impressions: z.int().nullable(),
  last_clicks: z.int().nullable(),
  last_fillrate: z.number().nullable(),
  last_ctr: z.number().nullable(),
  last_ecpm: Micros.nullable(),
  last_revenue: Micros.nullable(),
});
export type LastFigures = z.infer<typeof LastFigures>;

/** Metrics of the range and, as `last_…`, of the compared period, which ends at `compared_until`. */
export const Totals = AppMetrics.extend(LastFigures.shape).extend({
  last_uniques: z.int().nullable(),
  last_use_rate: z.number().nullable(),
  last_current_session: z.number().nullable(),
  compared_until: ComparedUntil,
});
export type Totals = z.infer<typeof Totals>;

export const AppRow = AppIdentity.extend(AppMetrics.shape).extend(LastFigures.shape);
export type AppRow = z.infer<typeof AppRow>;

export const Pager = z.object({
  current_page: z.int(),
  entries_per_page: z.int(),
  first_page: z.int(),
  last_page: z.int(),
});
export type Pager = z.infer<typeof Pager>;

export const APP_ORDERS = [
  "name",
  "uniques",
  "sessions",
  "requests",
  "impressions",
  "fillrate",
  "ecpm",
  "revenue",
  "ltv",
] as const;

export const listApps = defineCall({
  method: "GET",
  path: "/apps.json",
  summary: "List the account's apps with their metrics for the requested dates and filters",
  access: "apps.read",
  query: inOrder(
    StatsFilter.extend({
      ...SearchedPage.shape,
      ...CompareWith,
      order: z.enum(APP_ORDERS).default("name"),
      order_type: z.enum(["asc", "desc"]).default("asc"),
    }),
  ),
  reply: z.object({
    apps: z.array(AppRow),
    pager: Pager,
    /** Of the listed apps. */
    totals: Totals,
    /** What deleted apps earned in addition; missing if they earned nothing, and with a search or a filter by apps. */
    deleted_revenue: Micros.optional(),
    compared_until: ComparedUntil,
  }),
});

/** Labels by id for the filters, and the available dates. */
export const dashFilters = defineCall({
  method: "GET",
  path: "/apps/dash_filters.json",
  summary: "Get the filters of the app list and the performance pages",
  access: "apps.read",
  reply: z.object({
    dates: z.object({ ds: Day, de: Day, min: Day, max: Day }),
    search: z.string(),
    providers: z.record(z.string(), z.string()),
    formats: z.record(z.enum(FORMATS), z.string()),
    countries: z.record(z.string(), z.string()),
    /** Without deleted ones. */
    apps: z.record(z.string(), z.string()),
    /** The first day with any event of the account's apps, deleted ones too, where "All Time" starts; null before the first event. */
    first_day: Day.nullable(),
    /** The same of each app that has events, by its id. */
    first_days: z.record(z.string(), Day),
  }),
});
