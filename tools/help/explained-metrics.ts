import type { CampaignFigure, TableFigure } from "@millrace/contract";
import type { Entry } from "./entries.ts";

type Explained = TableFigure | CampaignFigure | "use_rate" | "current_session" | "ltv";

/** Every figure of the statistics: its label on the pages, how it is computed, and what it means. */
export const EXPLAINED_METRICS = {
  revenue: [
    "Revenue",
    "What you have earned by counted impressions: for each, its cleared price ÷ 1,000, rounded to a micro-dollar, times your share, rounded likewise. Cross promotions and line items earn nothing here: the former are free, and the latter's sellers pay you.",
  ],
  ecpm: [
    "eCPM",
    "1,000 × revenue ÷ impressions: what a thousand impressions brought on average, from all sources together. Unknown without impressions. For an advertiser, it is 1,000 × costs ÷ impressions.",
  ],
  impressions: [
    "Impressions",
    "Ads that began to show, each counted once by its beacon. An ad that was sold and never shown is none. [Some do not count](/not-counted), each with its reason.",
  ],
  requests: [
    "Requests",
    "Ad requests: offers of one ad position. In a table by provider, the requests for which this provider was asked. For an advertiser, the times that an ad of a campaign was returned for a request, be it the first ad or one behind it that is shown if those before it cannot be.",
  ],
  fillrate: [
    "Fill rate",
    "100 × impressions ÷ requests, in percent. Unknown without requests. An impression is counted on the day on which it was shown, which can be the day after its request.",
  ],
  clicks: ["Clicks", "Taps on shown ads, at most one for each impression. [Some do not count](/not-counted)."],
  ctr: ["CTR", "100 × clicks ÷ impressions, in percent. Unknown without impressions."],
  uniques: [
    "Uniques",
    "Distinct devices, known by a keyed hash of their id, exact up to 10,000 and within about 2% above. Devices of several days are not added up: each counts once.",
  ],
  sessions: [
    "Sessions",
    "Times that a device used the app. A session ends after 30 minutes without activity. Sessions have no format, provider or zone.",
  ],
  use_rate: ["Use rate", "100 × uniques ÷ sessions, in percent. Unknown without sessions."],
  current_session: [
    "Session time",
    "The mean length of a session: all seconds in the foreground ÷ sessions, shown as minutes and seconds.",
  ],
  ltv: [
    "LTV",
    "Lifetime value: all revenue that the app has ever earned ÷ all devices that it has ever seen. The chosen days do not change it. The curve by cohort shows the revenue of devices up to each age, for devices of the same first days.",
  ],
  costs: ["Costs", "What counted impressions of your campaigns have cost: for each, the price that it was bought for."],
  conversions: [
    "Conversions",
    "Events such as installs that followed a click within the campaign's window, reported by signed [postbacks](/advertisers/postbacks), each counted once.",
  ],
  view_conversions: [
    "View-through",
    "Conversions that followed an impression without a click, within its window of 1 to 24 hours. They are a figure of their own and no part of conversions.",
  ],
  cvr: ["Conversion rate", "100 × conversions ÷ clicks, in percent. Unknown without clicks."],
  cpa: ["Cost per conversion", "Costs ÷ conversions. Unknown without conversions."],
} as const satisfies Record<Explained, readonly [label: string, text: string]>;

export const metricEntries = (): Entry[] =>
  Object.entries(EXPLAINED_METRICS).map(([id, [title, text]]) => ({ id, title, text }));
