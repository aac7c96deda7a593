/** Why a participant was not asked. */
export const REFUSAL_REASONS = [
  "app_not_live",
  "partner_off",
  "keys_missing",
  "breaker_open",
  "consent_missing",
  "consent_unreachable",
  "child_directed",
  "currency_unsupported",
  "media_type_unsupported",
  "floor_currency_unknown",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Why a bid did not win. */
export const BID_REASONS = [
  "outbid",
  "malformed_bid",
  "duplicate_bid",
  "not_asked",
  "unknown_imp",
  "price_missing",
  "price_not_positive",
  "price_too_high",
  "wrong_currency",
  "unknown_deal",
  "deal_required",
  "seat_blocked",
  "below_floor",
  "below_deal_floor",
  "wrong_media_type",
  "wrong_size",
  "advertiser_missing",
  "advertiser_malformed",
  "advertiser_blocked",
  "category_blocked",
  "attribute_blocked",
  "app_blocked",
  "markup_missing",
] as const;
export type BidReason = (typeof BID_REASONS)[number];

/** Why an imp, or a whole auction, showed no ad. The first cause that would have changed the outcome. */
export const NO_AD_REASONS = [
  "app_not_live",
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
