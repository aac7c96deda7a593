import {
  FORMATS,
  type Format,
  LINE_PROVIDER,
  type Platform,
  PLATFORMS,
  type WorldRegion,
  WORLD_REGIONS,
} from "@millrace/contract";
import { findAdapter } from "@millrace/partners";
import { grouped } from "../../../platform/grouped.ts";
import { floorRuleOf } from "../../apps/index.ts";
import {
  originOf,
  type PartnerKeysRow,
  type PartnerRow,
  partnerSettings,
  platformsOf,
  worldRegionsOf,
  worldRegionsWithAddress,
} from "../../demand-partners/index.ts";
import { closedCategories, ownCategories } from "../facts/app-rules.ts";
import type { AppRows, LineItemRow, ZoneRow } from "./config-rows.ts";
import type { AppConfig, Demand, LineItemConfig, PartnerConfig, ZoneConfig } from "./snapshot.ts";

// Rows that this version does not understand are left out, not guessed.

/** A partner's configuration for auctions; null if this version has no adapter for it. */
export function partnerConfigOf(row: PartnerRow): PartnerConfig | null {
  const adapter = findAdapter(row.kind);
  if (!adapter) return null;
  const routeTo = (region?: WorldRegion) => {
    const settings = partnerSettings(row, adapter, region);
    return { settings, origin: originOf(settings.endpoint ?? "") };
  };
  const main = routeTo();
  const routes = new Map(worldRegionsWithAddress(row).map((region) => [region, routeTo(region)]));
  const regions = worldRegionsOf(row);
  const platforms = platformsOf(row, adapter);
  return {
    id: row.id,
    name: row.name,
    adapter,
    ...main,
    routes,
    origins: new Set([main, ...routes.values()].flatMap(({ origin }) => origin ?? [])),
    mediaTypes: main.settings.mediaTypes,
    ...(platforms.length < PLATFORMS.length && { platforms }),
    ...(regions.length < WORLD_REGIONS.length && { regions }),
    gvlId: main.settings.gvlId,
    active: row.active,
    ...(row.qps_limit && { qpsLimit: row.qps_limit }),
  };
}

export type AppDemand = Pick<AppConfig, "demand" | "demandByPartner">;

/**
 * The app's configuration at each partner, given its keys. `before` had the same keys, and its entries at partners that have not
 * changed are kept.
 */
export function demandOf(
  partners: readonly PartnerConfig[],
  rows: readonly PartnerKeysRow[],
  before?: AppDemand,
): AppDemand {
  // Few partners change at a time: then grouping all rows costs more than looking for theirs.
  const byPartner = before ? undefined : grouped(rows, (row) => row.partner_id);
  const rowsAt = (id: string) => (byPartner ? byPartner.get(id) : rows.filter((row) => row.partner_id === id)) ?? [];
  const demand = partners.map((partner): Demand => {
    const kept = before?.demandByPartner.get(partner.id);
    if (kept?.partner === partner) return kept;
    const own = rowsAt(partner.id);
    // Plans are compiled here, so that auctions find them. Keys with a fault stay, for the auction to say so.
    for (const { settings } of [partner, ...partner.routes.values()]) {
      for (const { keys } of own) partner.adapter.prepareKeys(keys, settings);
    }
    const keysOf = (format: PartnerKeysRow["format"]) =>
      own.find((row) => row.format === format && row.enabled)?.keys ?? null;
    return {
      partner,
      banner: keysOf("banner"),
      video: keysOf("video"),
      isOff: own.length > 0 && own.every(({ enabled }) => !enabled),
    };
  });
  return { demand, demandByPartner: new Map(demand.map((each) => [each.partner.id, each])) };
}

/** An app's configuration for auctions; null for a platform that this version does not know. */
export function appConfigOf(
  { app: row, zones, floors, shares, lineItems }: AppRows,
  demand: AppDemand,
): AppConfig | null {
  const platform = PLATFORMS.find((known) => known === row.platform);
  if (!platform) return null;
  return {
    id: row.id,
    uuid: row.uuid,
    accountId: row.account_id,
    sellerId: row.seller_id,
    name: row.name,
    bundleId: row.bundle_id,
    bundle: bundleOf(platform, row),
    platform,
    url: row.url,
    demo: row.demo,
    isSwitchedOff: row.moderation === "banned",
    rules: { categories: ownCategories(row), onlyImages: row.only_image, isMuted: row.muted },
    skipsPartners: row.skips_partners,
    hasAutomaticFloors: row.automatic_floors,
    reward: { name: row.reward_name, amount: row.reward_amount, callbackUrl: row.reward_callback_url },
    explorationShare: row.exploration / 100,
    testDevices: new Set(row.test_devices),
    facts: {
      id: row.uuid,
      live: row.moderation === "live",
      blockedCategories: closedCategories(row),
      blockedAdvertisers: row.blocked_domains,
      floors: floors.flatMap((row) => floorRuleOf({ ...row, floor: Number(row.floor_micros) }) ?? []),
      childDirected: row.kids,
    },
    shares: shares.map(({ from_day, share_ppm }) => ({ fromDay: from_day, sharePpm: share_ppm })),
    zones: new Map(zones.flatMap((zone) => zoneOf(zone) ?? []).map((zone) => [zone.zone, zone])),
    lineItems: lineItems.flatMap((item) => lineItemOf(item) ?? []),
    ...demand,
  };
}

/** An app in development has no number yet. */
const bundleOf = (platform: Platform, { bundle_id, store_id }: AppRows["app"]): string =>
  (platform === "ios" || platform === "tvos") && store_id !== null ? store_id : bundle_id;

function lineItemOf({ id, uuid, name, zones, enabled, source, prices, ...row }: LineItemRow): LineItemConfig | null {
  const format = knownFormat(row.format);
  return (
    format && {
      id,
      uuid,
      participantId: `${LINE_PROVIDER.id}-${id}`,
      name,
      format,
      zones,
      enabled,
      source,
      prices: new Map(prices.map(({ country, price }) => [country ?? "", price])),
      gvlId: row.gvl_id ?? undefined,
    }
  );
}

function zoneOf(row: ZoneRow): ZoneConfig | null {
  const format = knownFormat(row.format);
  const { zone, name, refresh_seconds: refreshSeconds, reward_name: reward, reward_amount: amount } = row;
  return (
    format && {
      zone,
      name,
      format,
      refreshSeconds,
      reward: reward === null || amount === null ? null : { name: reward, amount },
    }
  );
}

const knownFormat = (name: string | null): Format | null => FORMATS.find((format) => format === name) ?? null;
