import type { Pool } from "pg";
import type { InvoiceSettings } from "../../../platform/invoice-settings.ts";

/** The VAT ids by which the tax offices of Germany and Austria explain their check digits. */
const GERMAN_ID = "DE136695976";
const AUSTRIAN_ID = "ATU13585627";
const ADDRESS = "1 Example Street\n10000 Example Town";

/** Who issues a demo's documents, unless the settings say it. */
export const demoIssuer = (settings: InvoiceSettings): InvoiceSettings => ({
  ...settings,
  name: settings.name ?? "Demo Operator",
  address: settings.address ?? ADDRESS,
  ...(settings.country === undefined && { country: "DE", vatId: GERMAN_ID }),
  prefix: settings.prefix ?? "DEMO",
  from: settings.from ?? "2021-01-01",
});

/**
 * Enters billing details for the demo's accounts that have none: the advertiser is at home, the publisher in another member state. The
 * publisher has agreed to self-billing since the first day of which there are documents, because those of its past are issued as well.
 */
export async function enterDemoBilling(pool: Pool, at: Date, from: string): Promise<void> {
  await pool.query(
    `INSERT INTO billing_details (account_id, legal_name, address, country, is_business, vat_id, self_billing_since, changed_at)
     SELECT a.id, a.name, $2, CASE WHEN a.can_apps THEN 'AT' ELSE 'DE' END, true, CASE WHEN a.can_apps THEN $3 ELSE '' END,
       CASE WHEN a.can_apps THEN $4::date::timestamp AT TIME ZONE 'UTC' END, $1
     FROM accounts a JOIN memberships m ON m.account_id = a.id AND m.role = 'owner'
     WHERE a.demo AND a.deleted_at IS NULL ON CONFLICT DO NOTHING`,
    [at, ADDRESS, AUSTRIAN_ID, from],
  );
}
