import { isDeepStrictEqual } from "node:util";
import { type AdminPartner, type PartnerSettings, WORLD_REGIONS } from "@millrace/contract";
import { findAdapter } from "@millrace/partners";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseStale } from "../../../platform/http/revision.ts";
import { isPrivateEndpoint } from "../../../platform/outbound/private-endpoint.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { openCredentials, sealCredentials } from "../credentials.ts";
import { platformsOf, worldRegionsOf } from "../partner-settings.ts";
import { listPartners, type PartnerRow } from "../store.ts";
import { settingsFaults } from "./partner-faults.ts";
import { editedOf, mediaTypesOf, shownSettings, unsavedRow } from "./partner-row.ts";
import { type PartnersDeps, credentialNames, readPartner } from "./read-partners.ts";

/**
 * Connects a partner, or changes its settings. Problem `invalid` with the field at fault; outside demo mode, also for
 * endpoints in a private network. Problem `conflict` if the settings are no longer at the revision.
 */
export async function savePartner(
  deps: PartnersDeps,
  by: By,
  { id, revision, settings }: { id: string; revision?: string | undefined; settings: PartnerSettings },
): Promise<AdminPartner> {
  const { pool, clock, sealer, demo } = deps;
  const inPrivate = demo ? {} : await privateFaults(settings);
  await inTransaction(pool, async (client) => {
    // Two admins who save at once would otherwise overwrite credentials that neither of them has seen.
    await client.query("LOCK TABLE partners IN SHARE ROW EXCLUSIVE MODE");
    const before = (await listPartners(client)).find((row) => row.id === id);
    const adapter = findAdapter(before?.kind ?? settings.kind);
    if (adapter) {
      const row = before ?? unsavedRow(id, adapter);
      const stored = shownSettings(row, adapter, credentialNames(row, deps));
      const names = settings.credentials ? Object.keys(settings.credentials).toSorted() : stored.credentials;
      const sent = shownSettings({ ...row, ...settings, credentials: null }, adapter, names);
      const hasSameCredentials =
        settings.credentials === null ||
        isDeepStrictEqual(openCredentials(row.credentials, sealer), settings.credentials);
      const isAsSent = before !== undefined && hasSameCredentials && isDeepStrictEqual(stored, sent);
      if (refuseStale(revision, editedOf(before !== undefined, stored), isAsSent)) return;
    }
    const faults = { ...inPrivate, ...settingsFaults(settings, findAdapter(settings.kind), before?.kind ?? null) };
    if (Object.keys(faults).length > 0) throw new Problem("invalid", faults);
    const credentials =
      settings.credentials === null ? (before?.credentials ?? null) : sealCredentials(settings.credentials, sealer);
    const row = settled({ id, demo: before?.demo ?? false, ...settings, credentials });
    await writePartner(client, row);
    const changed = changedFields(before && settled(before), row);
    if (changed.length === 0) return;
    const act = { action: before ? "partner_changed" : "partner_connected", subject: id };
    await recordAct({ pool: client, clock }, by, { ...act, details: { changed } });
  });
  return readPartner(deps, id);
}

/** The faults of endpoints that are in a private network. */
async function privateFaults({ endpoint, region_endpoints }: PartnerSettings): Promise<Record<string, string>> {
  const inRegions = WORLD_REGIONS.map(
    (region) => [`region_endpoints.${region}`, region_endpoints[region] ?? ""] as const,
  );
  const found = await Promise.all(
    [["endpoint", endpoint] as const, ...inRegions].map(async ([field, address]) =>
      (await isPrivateEndpoint(address)) ? [[field, "This address is in a private network"] as const] : [],
    ),
  );
  return Object.fromEntries(found.flat());
}

/** Puts the lists of a row in a fixed order. A partner of all platforms or regions gets null, so that it is also asked in those added later. */
function settled(row: PartnerRow): PartnerRow {
  const adapter = findAdapter(row.kind);
  const [platforms, regions] = [platformsOf(row, adapter), worldRegionsOf(row)];
  return {
    ...row,
    media_types: mediaTypesOf(row),
    platforms: platforms.length === platformsOf({}, adapter).length ? null : platforms,
    regions: regions.length === WORLD_REGIONS.length ? null : regions,
  };
}

const FIELDS = [
  "name",
  "active",
  "endpoint",
  "media_types",
  "platforms",
  "regions",
  "region_endpoints",
  "openrtb_version",
  "gzip",
  "gvl_id",
  "platform_ids",
  "headers",
  "credentials",
  "currency",
  "bid_currency",
  "schain_node",
  "qps_limit",
  "app_ads_lines",
] as const satisfies (keyof PartnerRow)[];

/** The names of what changed, for the audit log: it has no secrets. The keys of PostgreSQL's jsonb come in another order. */
const changedFields = (before: PartnerRow | undefined, row: PartnerRow): string[] =>
  FIELDS.filter((field) => !isDeepStrictEqual(before?.[field] ?? null, row[field] ?? null));

async function writePartner(client: PoolClient, row: PartnerRow): Promise<void> {
  await client.query(
    `INSERT INTO partners (id, kind, demo, ${FIELDS.join(", ")})
     VALUES ($1, $2, $3, ${FIELDS.map((_, index) => `$${index + 4}`).join(", ")})
     ON CONFLICT (id) DO UPDATE SET ${FIELDS.map((field) => `${field} = excluded.${field}`).join(", ")}`,
    [row.id, row.kind, row.demo, ...FIELDS.map((field) => row[field])],
  );
}
