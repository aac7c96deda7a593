import type { Consent, LineParticipant } from "./input.ts";
import type { Offer } from "./offers.ts";
import type { LineReason } from "./reasons.ts";
import { takesSize } from "./campaign-targeting.ts";
import { hasVendor } from "./vendor-ids.ts";

/** Why a line item is not tried for a request at all: the first reason in the order of its settings. */
export function lineRefusal(
  { enabled, statedMicros, isPlace, gvlId, skip }: LineParticipant,
  { gdprApplies, vendorIds }: Consent,
): LineReason | "consent_missing" | "predicted_no_fill" | undefined {
  if (!enabled) return "item_off";
  if (statedMicros === null) return "item_price_missing";
  if (!isPlace) return "caller_compares";
  if (gdprApplies && gvlId !== undefined && !hasVendor(vendorIds, gvlId)) return "consent_missing";
  return skip?.isSkipped === true ? "predicted_no_fill" : undefined;
}

/** Why a line item is not tried for an imp. The publisher's floor is asked later, as of bids. */
export function linePlaceRefusal(
  item: Pick<LineParticipant, "serves" | "format" | "zones" | "size" | "hasAdapter">,
  { imp, format, floorMicros }: Offer,
): LineReason | "floor_currency_unknown" | undefined {
  if (format !== item.format) return "item_format";
  if (item.zones.length > 0 && !item.zones.includes(imp.tagid ?? "")) return "item_zone";
  if (floorMicros === null) return "floor_currency_unknown";
  switch (item.serves) {
    case "vast":
      return imp.video === undefined && imp.audio === undefined ? "item_not_taken" : undefined;
    case "html":
      if (imp.banner === undefined) return "item_not_taken";
      return item.size === null || takesSize(imp, item.size) ? undefined : "item_not_taken";
    case "sdk":
      return item.hasAdapter === true ? undefined : "adapter_missing";
  }
}
