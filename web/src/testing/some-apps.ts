import type { AppIdentity, AppMetrics, LastFigures, Pager, Totals } from "@millrace/contract";

/** An app whose SDK runs. */
export const SOME_APP: AppIdentity = {
  app_id: 1,
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "Tide Puzzle",
  logo_url: null,
  url: null,
  bundle_id: "com.example.tide",
  platform: "android",
  in_dev: 0,
  sdk_status: "on",
  sdk_status_class: "success",
  sdk_info: { version: "1.0.0", changelog_url: null, update_url: null },
};

export const NO_METRICS: AppMetrics = {
  uniques: 0,
  sessions: 0,
  requests: 0,
  impressions: 0,
  clicks: 0,
  fillrate: null,
  ctr: null,
  ecpm: null,
  revenue: 0,
  ltv: null,
  use_rate: null,
  current_session: null,
};

/** The compared figures without a comparison. */
export const NOT_COMPARED: LastFigures = {
  last_sessions: null,
  last_requests: null,
  last_impressions: null,
  last_clicks: null,
  last_fillrate: null,
  last_ctr: null,
  last_ecpm: null,
  last_revenue: null,
};

export const NO_TOTALS: Totals = {
  ...NO_METRICS,
  ...NOT_COMPARED,
  last_uniques: null,
  last_use_rate: null,
  last_current_session: null,
  compared_until: null,
};

/** The pager of a list, by default of a single page. */
export const somePager = (change: Partial<Pager> = {}): Pager => ({
  current_page: 1,
  entries_per_page: 50,
  first_page: 1,
  last_page: 1,
  ...change,
});
