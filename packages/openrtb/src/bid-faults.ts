import { LOSS, type Loss } from "./lists.ts";

/** Why a well-formed bid is not valid. */
export const BID_FAULTS = [
  "unknown_imp",
  "price_missing",
  "price_not_positive",
  "price_too_high",
  "wrong_currency",
  "no_currency_rate",
  "unknown_deal",
  "deal_required",
  "seat_blocked",
  "below_floor",
  "below_deal_floor",
  "wrong_media_type",
  "wrong_size",
  "wrong_duration",
  "wrong_protocol",
  "wrong_api",
  "wrong_slot",
  "advertiser_missing",
  "advertiser_malformed",
  "advertiser_blocked",
  "category_blocked",
  "attribute_blocked",
  "app_blocked",
  "language_excluded",
  "transparency_missing",
  "markup_missing",
] as const;
export type BidFault = (typeof BID_FAULTS)[number];

/** The loss reason sent to the bidder for each fault. */
export const LOSS_OF_FAULT = {
  unknown_imp: LOSS.invalidResponse,
  price_missing: LOSS.missingPrice,
  price_not_positive: LOSS.missingPrice,
  price_too_high: LOSS.invalidResponse,
  wrong_currency: LOSS.invalidResponse,
  no_currency_rate: LOSS.invalidResponse,
  unknown_deal: LOSS.invalidDeal,
  deal_required: LOSS.invalidDeal,
  seat_blocked: LOSS.seatBlocked,
  below_floor: LOSS.belowFloor,
  below_deal_floor: LOSS.belowDealFloor,
  wrong_media_type: LOSS.wrongCreativeFormat,
  wrong_size: LOSS.sizeNotAllowed,
  // The list has no code of its own for a length.
  wrong_duration: LOSS.creativeFiltered,
  wrong_protocol: LOSS.wrongCreativeFormat,
  wrong_api: LOSS.wrongCreativeFormat,
  // Nor for a place in a pod.
  wrong_slot: LOSS.creativeFiltered,
  advertiser_missing: LOSS.invalidAdvertiserDomain,
  advertiser_malformed: LOSS.invalidAdvertiserDomain,
  advertiser_blocked: LOSS.advertiserExcluded,
  category_blocked: LOSS.categoryExcluded,
  attribute_blocked: LOSS.attributeExcluded,
  app_blocked: LOSS.bundleExcluded,
  language_excluded: LOSS.languageExcluded,
  transparency_missing: LOSS.creativeFiltered,
  markup_missing: LOSS.missingMarkup,
} as const satisfies Record<BidFault, Loss>;
