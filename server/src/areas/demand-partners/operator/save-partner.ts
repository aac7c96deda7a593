import type { AdminPartner, PartnerSettings } from "@millrace/contract";
import { findAdapter } from "@millrace/partners";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { isPrivateEndpoint } from "../../../platform/outbound/private-endpoint.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { sealCredentials } from "../credentials.ts";
import { listPartners, type PartnerRow } from "../store.ts";
import { settingsFaults } from "./partner-faults.ts";
import { type PartnersDeps, readPartner } from "./read-partners.ts";

/**
 * Connects a partner, or changes its settings. Problem `invalid` with the field at fault; outside demo mode, also for an
 * endpoint in a private network.
 */
export async function savePartner(
  deps: PartnersDeps,
  by: By,
  id: string,
  settings: PartnerSettings,
): Promise<AdminPartner> {
  const { pool, clock, sealer, demo } = deps;
  const isPrivate = !demo && (await isPrivateEndpoint(settings.endpoint));
  await inTransaction(pool, async (client) => {
    // Two admins who save at once would otherwise overwrite credentials that neither of them has seen.
    await client.query("LOCK TABLE partners IN SHARE ROW EXCLUSIVE MODE");
    const before = (await listPartners(client)).find((row) => row.id === id);
    const faults = settingsFaults(settings, findAdapter(settings.kind), before?.kind ?? null);
    if (isPrivate) faults["endpoint"] ??= "This address is in a private network";
    if (Object.keys(faults).length > 0) throw new Problem("invalid", faults);
    const credentials =
      settings.credentials === null ? (before?.credentials ?? null) : sealCredentials(settings.credentials, sealer);
    const row = { id, demo: before?.demo ?? false, ...settings, credentials };
    await writePartner(client, row);
    const act = { action: before ? "partner_changed" : "partner_connected", subject: id };
    await recordAct({ pool: client, clock }, by, { ...act, details: { changed: changedFields(before, row) } });
  });
  return readPartner(deps, id);
}

const FIELDS = [
  "name",
  "active",
  "endpoint",
  "media_types",
  "platforms",
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

/** The names of what changed, for the audit log: it has no secrets. */
const changedFields = (before: PartnerRow | undefined, row: PartnerRow): string[] =>
  FIELDS.filter((field) => JSON.stringify(before?.[field] ?? null) !== JSON.stringify(row[field] ?? null));

async function writePartner(client: PoolClient, row: PartnerRow): Promise<void> {
  await client.query(
    `INSERT INTO partners (id, kind, demo, ${FIELDS.join(", ")})
     VALUES ($1, $2, $3, ${FIELDS.map((_, index) => `$${index + 4}`).join(", ")})
     ON CONFLICT (id) DO UPDATE SET ${FIELDS.map((field) => `${field} = excluded.${field}`).join(", ")}`,
    [row.id, row.kind, row.demo, ...FIELDS.map((field) => row[field])],
  );
}
