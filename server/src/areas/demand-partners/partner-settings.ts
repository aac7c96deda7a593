import { type Platform, PLATFORMS, type WorldRegion, WORLD_REGIONS } from "@millrace/contract";
import { MEDIA_TYPES, type MediaType } from "@millrace/openrtb";
import type { Adapter, PartnerSettings } from "@millrace/partners";
import type { PartnerRow } from "./store.ts";

/**
 * What a partner's adapter is told of the operator's settings, with the partner's address in a region if it has one there.
 * `row.headers` has the credentials too.
 */
export function partnerSettings(
  row: PartnerRow,
  adapter: Adapter,
  region?: WorldRegion,
): PartnerSettings & { mediaTypes: MediaType[] } {
  const mediaTypes = MEDIA_TYPES.filter((type) => row.media_types.includes(type) && adapter.mediaTypes.includes(type));
  const gvlId = row.gvl_id ?? adapter.gvlId;
  const { headers = {}, platform_ids: platformIds = {}, schain_node: node } = row;
  return {
    partnerId: row.id,
    // A row without an address uses the adapter's own.
    endpoint: (region && row.region_endpoints?.[region]) || row.endpoint || adapter.endpoint,
    openrtbVersion: adapter.openrtbVersion ?? (row.openrtb_version === "2.5" ? "2.5" : "2.6"),
    ...(gvlId !== undefined && { gvlId }),
    gzip: adapter.gzip ?? row.gzip,
    mediaTypes,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(platformIds).length > 0 && { platformIds }),
    ...(row.currency && { currency: row.currency }),
    ...(row.bid_currency && { bidCurrency: row.bid_currency }),
    // The platform is paid, so it handles the money (section 3.2.26: `hp`).
    ...(node && { schainNode: { ...node, hp: 1 }, replacesLastNode: true }),
  };
}

/** The currencies that a partner is asked in, and that its responses may be in. */
export function currenciesOf({ currency = "USD", bidCurrency }: PartnerSettings): readonly string[] {
  return bidCurrency === undefined || bidCurrency === currency ? [currency] : [currency, bidCurrency];
}

/** The platforms of apps for which a partner is asked: those that its adapter buys and the operator has chosen. */
export function platformsOf({ platforms }: Pick<PartnerRow, "platforms">, adapter: Adapter | undefined): Platform[] {
  return PLATFORMS.filter(
    (platform) => (platforms?.includes(platform) ?? true) && adapter?.platforms.includes(platform) !== false,
  );
}

/** The world regions in which a partner is asked. */
export const worldRegionsOf = ({ regions }: Pick<PartnerRow, "regions">): WorldRegion[] =>
  WORLD_REGIONS.filter((region) => regions?.includes(region) ?? true);

/** Those of them in which it has an address of its own. */
export const worldRegionsWithAddress = (row: PartnerRow): WorldRegion[] =>
  worldRegionsOf(row).filter((region) => row.region_endpoints?.[region] !== undefined);

/** `scheme://host:port` of an endpoint; null if keys are part of the host, because the operator has not approved such a host. */
export function originOf(endpoint: string): string | null {
  try {
    const { origin, host } = new URL(endpoint);
    return /[{}]|%7b|%7d/i.test(host) ? null : origin;
  } catch {
    return null;
  }
}
