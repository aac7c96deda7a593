/** The views of an advertiser's table. */
export const CAMPAIGN_VIEWS = ["date", "campaign", "country", "format", "creative"] as const;
export type CampaignView = (typeof CAMPAIGN_VIEWS)[number];

/** The figures of campaigns, in the order of a table's columns in files. */
export const CAMPAIGN_FIGURES = [
  "requests",
  "impressions",
  "clicks",
  "fillrate",
  "ctr",
  "conversions",
  "view_conversions",
  "cvr",
  "cpa",
  "ecpm",
  "costs",
] as const;
export type CampaignFigure = (typeof CAMPAIGN_FIGURES)[number];

/** The series of an advertiser's graph; `last_costs` are the costs of the compared period. */
export const CAMPAIGN_METRICS = ["costs", "last_costs", ...CAMPAIGN_FIGURES.slice(0, -1)] as [
  "costs",
  "last_costs",
  ...Exclude<CampaignFigure, "costs">[],
];
export type CampaignMetric = (typeof CAMPAIGN_METRICS)[number];

/** The sort orders of an advertiser's table; `name` is the view's own order. */
export const CAMPAIGN_ORDERS = ["name", ...CAMPAIGN_FIGURES] as const;
export type CampaignOrder = (typeof CAMPAIGN_ORDERS)[number];
