import { BID_FAULTS } from "@millrace/openrtb";

/** Why a campaign does not want an ad request, in the order in which its targeting is looked at. */
export const TARGETING_REASONS = [
  "not_started",
  "over",
  "off_hours",
  "geography",
  "region_unknown",
  "region",
  "platform",
  "os_version",
  "network",
  "format",
  "size",
] as const;
export type TargetingReason = (typeof TARGETING_REASONS)[number];

/** Why a campaign that wants a request may not bid on it, in the order in which the gates are asked. */
export const GATE_REASONS = [
  "not_for_children",
  "blocked",
  "creative_misfit",
  "frequency_cap",
  "paced",
  "budget_spent",
  "daily_budget_spent",
  "balance_spent",
  "lease_pending",
] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** Why a line item is not tried, in the order in which its settings are looked at. */
export const LINE_REASONS = [
  "item_off",
  "item_price_missing",
  "caller_compares",
  "item_format",
  "item_zone",
  "item_not_taken",
  "adapter_missing",
] as const;
export type LineReason = (typeof LINE_REASONS)[number];

/** Why a participant was not asked. */
export const REFUSAL_REASONS = [
  "app_not_live",
  "partner_inactive",
  "partner_off",
  "keys_missing",
  "switched_off",
  "format_unplayable",
  "platform_unsupported",
  "region_unsupported",
  "breaker_open",
  "consent_missing",
  "consent_unreachable",
  "child_directed",
  "currency_unsupported",
  "no_currency_rate",
  "media_type_unsupported",
  "floor_currency_unknown",
  "predicted_no_bid",
  "predicted_no_fill",
  "rate_limited",
  ...TARGETING_REASONS,
  ...GATE_REASONS,
  ...LINE_REASONS,
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Why a bid did not win: a fault of the bid itself, or the circumstances. */
export const BID_REASONS = [
  "outbid",
  "malformed_bid",
  "notice_too_long",
  "markup_too_long",
  "not_asked",
  ...BID_FAULTS,
] as const;
export type BidReason = (typeof BID_REASONS)[number];

/** Why an imp, or a whole auction, showed no ad. The first cause that would have changed the outcome. */
export const NO_AD_REASONS = [
  "app_not_live",
  "switched_off",
  "format_unplayable",
  "no_partner_ready",
  "consent_limits",
  "child_directed_limits",
  "frequency_cap",
  "timeout",
  "partner_errors",
  "no_demand",
  "no_bid_above_floor",
  "blocked",
  "invalid_bids",
] as const;
export type NoAdReason = (typeof NO_AD_REASONS)[number];

/** How one call to a participant ended. `breaker_open` and the like never get here: they are refusals. */
export const RESPONSE_STATUSES = [
  "bid",
  "no_bid",
  "timeout",
  "connection_failed",
  "http_error",
  "malformed_response",
  "response_too_large",
  "request_failed",
] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

/**
 * A participant's result: `won` and `lost` mean that it had a valid bid, `invalid` that all of its bids were invalid.
 */
export type Outcome = "won" | "lost" | "invalid" | "refused" | "not_answered" | Exclude<ResponseStatus, "bid">;

/** Every reason a decision can carry, of participants, bids and imps. */
export type Reason = RefusalReason | BidReason | NoAdReason | Outcome;

/** The dashboard's text for each reason; `describeReason` fills in `{deadlineMs}`. */
export const REASONS = {
  // Participants that were not asked.
  app_not_live: "The app is not live",
  partner_inactive: "Off for all apps: disabled by the operator, or a test bidder",
  partner_off: "The partner is switched off for this app",
  keys_missing: "The partner's keys are missing",
  switched_off: "Paused by the platform's operator",
  format_unplayable: "The app's SDK cannot play this format",
  platform_unsupported: "The partner does not buy this platform",
  region_unsupported: "The partner does not buy in this region",
  breaker_open: "The partner kept failing and is paused",
  consent_missing: "The user's consent does not cover the partner",
  consent_unreachable: "Consent is required and the partner has no vendor id to receive it",
  child_directed: "The partner does not buy child-directed traffic",
  currency_unsupported: "The partner bids in no currency of the request",
  media_type_unsupported: "The partner does not buy this media type",
  no_currency_rate: "There is no current exchange rate for the partner's currency",
  floor_currency_unknown: "The floor is in a currency without a known rate",
  predicted_no_bid: "Skipped: predicted no bid",
  predicted_no_fill: "Skipped: predicted no fill",
  rate_limited: "The partner's limit of requests per second is reached",
  // Campaigns that may not bid.
  not_started: "The campaign has not started",
  over: "The campaign is over",
  off_hours: "The campaign does not run on this day or at this hour",
  geography: "The campaign is not for this country",
  region_unknown: "The campaign depends on the region, which the request does not name",
  region: "The campaign is not for this region",
  platform: "The campaign is not for this platform",
  os_version: "The campaign is not for this version of the operating system",
  network: "The campaign is for Wi-Fi only",
  format: "The campaign's ads have another format",
  size: "The campaign has no ad of an offered size",
  not_for_children: "None of the campaign's creatives is approved for children",
  creative_misfit: "None of the campaign's creatives is of the kind that the place takes",
  frequency_cap: "A frequency cap is reached",
  paced: "The campaign's budget is kept for later",
  budget_spent: "The campaign's budget is spent or reserved",
  daily_budget_spent: "The campaign's budget of the day is spent or reserved",
  balance_spent: "The campaign balance is spent or reserved",
  lease_pending: "The campaign's money was being reserved",
  // Line items that are not tried.
  item_off: "The line item is switched off",
  item_price_missing: "The line item has no price for this country",
  caller_compares: "The caller compares bids itself, and the line item's price is none",
  item_format: "The line item is for another format",
  item_zone: "The line item is for other zones",
  item_not_taken: "The place does not take the line item's kind of ad",
  adapter_missing: "The app's SDK has no such adapter",
  // Participants that were asked.
  refused: "Not asked",
  won: "Won",
  lost: "Had a valid bid and lost",
  invalid: "Bid, but no bid was valid",
  not_answered: "The auction ended before it answered",
  no_bid: "No bid",
  timeout: "Timeout at {deadlineMs} ms",
  connection_failed: "The connection failed",
  http_error: "Answered with an error status",
  malformed_response: "The answer could not be read",
  response_too_large: "The answer was too large",
  request_failed: "The keys or settings give no valid request",
  // Bids.
  outbid: "A higher bid won",
  malformed_bid: "A field of the bid has the wrong type",
  notice_too_long: "A notice address of the bid is too long",
  markup_too_long: "The markup is too long",
  not_asked: "The bid is for an imp that was not offered to the partner",
  unknown_imp: "The bid is for an imp that is not in the request",
  price_missing: "The bid has no finite price",
  price_not_positive: "The price is not above zero",
  price_too_high: "The price is too high to be meant",
  wrong_currency: "The bid is in a currency that was not offered",
  unknown_deal: "The bid names a deal that was not offered",
  deal_required: "The auction is private and the bid names no deal",
  seat_blocked: "The buyer's seat is not admitted",
  below_floor: "The bid is below the floor",
  below_deal_floor: "The bid is below the deal's floor",
  wrong_media_type: "The media type was not offered",
  wrong_size: "The size was not offered",
  wrong_duration: "The ad is shorter or longer than the place takes",
  wrong_protocol: "The place does not take this version of VAST",
  wrong_api: "The place does not support the ad's API",
  wrong_slot: "The bid is for another position in the pod",
  advertiser_missing: "The bid does not name its advertiser, which the blocked domains require",
  advertiser_malformed: "The advertiser's domain is no domain",
  advertiser_blocked: "The advertiser is blocked",
  category_blocked: "The category is blocked",
  attribute_blocked: "A creative attribute is blocked",
  app_blocked: "The advertised app is blocked",
  language_excluded: "The ad is in a language that the request excludes",
  transparency_missing: "The bid does not say who is behind the ad, as the request demands (DSA)",
  markup_missing: "The bid brings no markup",
  // Imps without an ad.
  no_partner_ready: "No partner could be asked",
  consent_limits: "Consent limits the bidders",
  child_directed_limits: "Child-directed traffic limits the bidders",
  partner_errors: "The partners' answers failed",
  no_demand: "Partners had no demand",
  no_bid_above_floor: "No bid above the floor",
  blocked: "Blocked category or domain",
  invalid_bids: "No bid was valid",
} as const satisfies Record<Reason, string>;

/** The sentence for a reason in an auction of the given deadline. */
export function describeReason(reason: Reason, { deadlineMs }: { deadlineMs: number }): string {
  return REASONS[reason].replace("{deadlineMs}", String(deadlineMs));
}
