import {
  CAMPAIGN_FIGURES,
  CAMPAIGN_FORMATS,
  CAMPAIGN_ORDERS,
  CAMPAIGN_VIEWS,
  COMPARISONS,
  type CampaignFigure,
  type CampaignFormat,
  type CampaignOrder,
  type CampaignView,
} from "@millrace/contract";
import type { ComparisonKind } from "@millrace/units";
import { type Direction, type Search, validValues, oneOf, readFilter } from "../../../shared/filters/address.ts";

/** The days and filters of campaigns' figures, and what they are compared with. An empty list filters nothing. */
export interface CampaignScope {
  ds: string;
  de: string;
  campaign: string[];
  format: CampaignFormat[];
  country: string[];
  compare: ComparisonKind;
}

/** The address of the campaigns' performance: the table's view and order, and the metric of the chart. */
export interface CampaignStatsAddress extends CampaignScope {
  view: CampaignView;
  order: CampaignOrder;
  order_type: Direction;
  metric: CampaignFigure;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DIRECTIONS = ["asc", "desc"] as const;

/** A table's order until another is chosen: days from the newest, and everything else by costs. */
export const campaignTableOrder = (view: CampaignView): Pick<CampaignStatsAddress, "order" | "order_type"> => ({
  order: view === "date" ? "name" : "costs",
  order_type: "desc",
});

/** The page's address; invalid values are dropped, dates are corrected. */
export function readCampaignStatsAddress(search: Search, nowMs = Date.now()): CampaignStatsAddress {
  const { ds, de, country } = readFilter(search, nowMs);
  const view = oneOf(CAMPAIGN_VIEWS, search["view"], "date");
  const first = campaignTableOrder(view);
  return {
    ds,
    de,
    campaign: validValues(search["campaign"], (value) => UUID.test(value)),
    format: validValues(search["format"], (value): value is CampaignFormat =>
      (CAMPAIGN_FORMATS as readonly string[]).includes(value),
    ),
    country,
    compare: oneOf(COMPARISONS, search["compare"], "previous"),
    view,
    order: oneOf(CAMPAIGN_ORDERS, search["order"], first.order),
    order_type: oneOf(DIRECTIONS, search["order_type"], first.order_type),
    metric: oneOf(CAMPAIGN_FIGURES, search["metric"], "costs"),
  };
}

/** The query for the address: always the days, the rest only if set. */
export function writeCampaignStatsAddress(address: CampaignStatsAddress): Search {
  const { compare, view, metric, order, order_type, ...filter } = address;
  const first = campaignTableOrder(view);
  return {
    ...filter,
    compare: compare === "previous" ? undefined : compare,
    view: view === "date" ? undefined : view,
    metric: metric === "costs" ? undefined : metric,
    order: order === first.order ? undefined : order,
    order_type: order_type === first.order_type ? undefined : order_type,
  };
}

/** The days, filters and comparison for a call; without the comparison if it is the usual one. */
export const scopeOfAddress = ({ ds, de, campaign, format, country, compare }: CampaignScope): CampaignScope => ({
  ds,
  de,
  campaign,
  format,
  country,
  compare,
});
