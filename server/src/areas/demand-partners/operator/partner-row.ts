import type { AdminPartner, ListedPartner, PartnerToday } from "@millrace/contract";
import type { MediaType } from "@millrace/openrtb";
import { type Adapter, findAdapter, partners } from "@millrace/partners";
import { revisionOf } from "../../../platform/http/revision.ts";
import { keysSchemaOf } from "../dsp-keys.ts";
import { platformsOf, worldRegionsOf } from "../partner-settings.ts";
import type { PartnerRow } from "../store.ts";

/** A partner's settings before the operator has saved any: the adapter's own. */
export const unsavedRow = (id: string, { id: kind, name, mediaTypes, openrtbVersion, gzip }: Adapter): PartnerRow => ({
  id,
  kind,
  name: id === kind ? name : id,
  endpoint: "",
  media_types: [...mediaTypes],
  gvl_id: null,
  openrtb_version: openrtbVersion ?? "2.6",
  gzip: gzip ?? false,
  active: false,
  demo: false,
});

type TodayOf = ReadonlyMap<string, PartnerToday>;

/** The platform's partners by name, then the adapters that none of them uses. */
export function listedPartners(rows: readonly PartnerRow[], today: TodayOf): ListedPartner[] {
  const used = new Set(rows.map(({ kind }) => kind));
  const unused = Object.values<Adapter>(partners).filter(({ id }) => id !== "openrtb" && !used.has(id));
  const listed = (row: PartnerRow, connected: boolean): ListedPartner => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    connected,
    active: row.active,
    demo: row.demo,
    media_types: mediaTypesOf(row),
    platforms: platformsOf(row, findAdapter(row.kind)),
    gvl_id: row.gvl_id ?? findAdapter(row.kind)?.gvlId ?? null,
    today: (connected && today.get(row.id)) || null,
  });
  const byName = (one: ListedPartner, other: ListedPartner) => one.name.localeCompare(other.name);
  return [
    ...rows.map((row) => listed(row, true)).toSorted(byName),
    ...unused.map((adapter) => listed(unsavedRow(adapter.id, adapter), false)).toSorted(byName),
  ];
}

/** What the operator sets, with the names of the credentials. */
export const shownSettings = (row: PartnerRow, adapter: Adapter, credentials: string[]): AdminPartner["settings"] => ({
  kind: row.kind,
  name: row.name,
  active: row.active,
  endpoint: row.endpoint,
  media_types: mediaTypesOf(row),
  platforms: platformsOf(row, adapter),
  regions: worldRegionsOf(row),
  region_endpoints: row.region_endpoints ?? {},
  openrtb_version: row.openrtb_version === "2.5" ? "2.5" : "2.6",
  gzip: row.gzip,
  gvl_id: row.gvl_id,
  platform_ids: row.platform_ids ?? {},
  headers: row.headers ?? {},
  credentials,
  currency: row.currency ?? null,
  bid_currency: row.bid_currency ?? null,
  schain_node: row.schain_node ?? null,
  qps_limit: row.qps_limit ?? null,
  app_ads_lines: row.app_ads_lines ?? [],
});

/** What the form of a partner edits; connecting it is a change, too. */
export const editedOf = (connected: boolean, settings: AdminPartner["settings"]) => [connected, settings];

/** A partner as the operator sees it. `credentials` are their names. */
export function shownPartner(
  row: PartnerRow,
  adapter: Adapter,
  more: { connected: boolean; credentials: string[]; today: PartnerToday | null },
): AdminPartner {
  const { connected, credentials, today } = more;
  const settings = shownSettings(row, adapter, credentials);
  return {
    id: row.id,
    connected,
    demo: row.demo,
    revision: revisionOf(editedOf(connected, settings)),
    settings,
    adapter: {
      name: adapter.name,
      endpoint: adapter.endpoint,
      media_types: [...adapter.mediaTypes],
      platforms: [...adapter.platforms],
      openrtb_version: adapter.openrtbVersion ?? null,
      gzip: adapter.gzip ?? null,
      gvl_id: adapter.gvlId ?? null,
      platform_ids: [...adapter.platformIds],
      keys_schema: keysSchemaOf(adapter),
    },
    today,
  };
}

/** The media types that a partner is asked for: those that its adapter buys and the operator has chosen. */
export const mediaTypesOf = ({ media_types: types, kind }: PartnerRow): MediaType[] =>
  (findAdapter(kind)?.mediaTypes ?? []).filter((type) => types.includes(type));
