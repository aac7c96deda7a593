import type { FloorRule } from "@millrace/auction";
import { FORMATS, type Format, PLATFORMS } from "@millrace/contract";
import { MEDIA_TYPES } from "@millrace/openrtb";
import { findAdapter } from "@millrace/partners";
import { grouped } from "../../../platform/grouped.ts";
import type { PartnerKeysRow, PartnerRow } from "../../demand-partners/index.ts";
import { closedCategories, ownCategories } from "../facts/app-rules.ts";
import type { AppRows, FloorRow, ZoneRow } from "./config-rows.ts";
import type { AppConfig, Demand, PartnerConfig, ZoneConfig } from "./snapshot.ts";

// Rows that this version does not understand are left out, not guessed.

/** A partner's configuration for auctions; null if this version has no adapter for it. */
export function partnerConfigOf(row: PartnerRow): PartnerConfig | null {
  const adapter = findAdapter(row.kind);
  if (!adapter) return null;
  const mediaTypes = MEDIA_TYPES.filter((type) => row.media_types.includes(type) && adapter.mediaTypes.includes(type));
  const gvlId = row.gvl_id ?? adapter.gvlId;
  // A row without an address uses the adapter's own.
  const endpoint = row.endpoint || adapter.endpoint;
  return {
    id: row.id,
    name: row.name,
    adapter,
    settings: {
      endpoint,
      openrtbVersion: adapter.openrtbVersion ?? (row.openrtb_version === "2.5" ? "2.5" : "2.6"),
      ...(gvlId !== undefined && { gvlId }),
      gzip: adapter.gzip ?? row.gzip,
      mediaTypes,
    },
    mediaTypes,
    gvlId,
    active: row.active,
    origin: originOf(endpoint),
  };
}

/** Null if a publisher's key is part of the host, because the operator has not approved such a host. */
function originOf(endpoint: string): string | null {
  try {
    const { origin, host } = new URL(endpoint);
    return /[{}]|%7b|%7d/i.test(host) ? null : origin;
  } catch {
    return null;
  }
}

export type AppDemand = Pick<AppConfig, "demand" | "demandByPartner">;

/** The app's configuration at each partner, given its keys. */
export function demandOf(partners: readonly PartnerConfig[], rows: readonly PartnerKeysRow[]): AppDemand {
  const byPartner = grouped(rows, (row) => row.partner_id);
  const demand = partners.map((partner): Demand => {
    const own = byPartner.get(partner.id) ?? [];
    // Plans are compiled here, so that auctions find them. Keys with a fault stay, for the auction to say so.
    for (const { keys } of own) partner.adapter.prepareKeys(keys, partner.settings);
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
export function appConfigOf({ app: row, zones, floors, shares }: AppRows, demand: AppDemand): AppConfig | null {
  const platform = PLATFORMS.find((known) => known === row.platform);
  if (!platform) return null;
  return {
    id: row.id,
    uuid: row.uuid,
    accountId: row.account_id,
    name: row.name,
    bundleId: row.bundle_id,
    platform,
    url: row.url,
    demo: row.demo,
    isSwitchedOff: row.moderation === "banned",
    rules: { categories: ownCategories(row), onlyImages: row.only_image, isMuted: row.muted },
    skipsPartners: row.skips_partners,
    testDevices: new Set(row.test_devices),
    facts: {
      id: row.uuid,
      live: row.moderation === "live",
      blockedCategories: closedCategories(row),
      blockedAdvertisers: row.blocked_domains,
      floors: floors.flatMap((floor) => floorOf(floor) ?? []),
      childDirected: row.kids,
    },
    shares: shares.map(({ from_day, share_ppm }) => ({ fromDay: from_day, sharePpm: share_ppm })),
    zones: new Map(zones.flatMap((zone) => zoneOf(zone) ?? []).map((zone) => [zone.zone, zone])),
    ...demand,
  };
}

function zoneOf(row: ZoneRow): ZoneConfig | null {
  const format = knownFormat(row.format);
  return format && { zone: row.zone, name: row.name, format, refreshSeconds: row.refresh_seconds };
}

function floorOf(row: FloorRow): FloorRule | null {
  const format = knownFormat(row.format);
  // Without its format the rule would apply to all formats.
  if (row.format !== null && format === null) return null;
  return {
    ...(row.country !== null && { country: row.country }),
    ...(format && { format }),
    floorMicros: Number(row.floor_micros),
  };
}

const knownFormat = (name: string | null): Format | null => FORMATS.find((format) => format === name) ?? null;
