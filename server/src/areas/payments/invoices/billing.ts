import type { Billing, BillingFields, InvoiceBlock } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { rulingOn } from "./due-documents.ts";
import type { Issuer, Party } from "./issuer.ts";
import { checkedVatId } from "./vat-id.ts";
import { lockAccount } from "../../../platform/postgres/lock-account.ts";

export interface BillingDeps {
  pool: Pool;
  clock: Clock;
  /** ISO 3166-1 alpha-2. */
  countryCodes: readonly string[];
  /** Null while settings are missing. */
  issuer(): Promise<Issuer | null>;
}

interface Row {
  canApps: boolean;
  canCampaign: boolean;
  details: BillingFields | null;
}

/** Who an account is on documents, and what stands against them on each of its sides. */
export async function readBilling({ pool, clock, issuer }: BillingDeps, accountId: number): Promise<Billing> {
  const { rows } = await pool.query<Row>(
    `SELECT a.can_apps AS "canApps", a.can_campaign AS "canCampaign", CASE WHEN b.account_id IS NOT NULL THEN
       jsonb_build_object('legal_name', b.legal_name, 'address', b.address, 'country', b.country, 'is_business', b.is_business,
         'vat_id', b.vat_id, 'self_billing', b.self_billing_since IS NOT NULL) END AS details
     FROM accounts a LEFT JOIN billing_details b ON b.account_id = a.id WHERE a.id = $1`,
    [accountId],
  );
  const [account] = rows;
  if (!account) throw new Problem("not_found", "There is no such account");
  const issuing = await issuer();
  const { details } = account;
  return {
    details,
    is_issuing: issuing !== null,
    blocks: issuing === null ? [] : blocksOf(account, issuing, dayOf(clock.now())),
  };
}

function blocksOf({ canApps, canCampaign, details }: Row, issuer: Issuer, day: string): InvoiceBlock[] {
  const party: Party | null = details && {
    name: details.legal_name,
    address: details.address,
    country: details.country,
    vatId: details.vat_id,
    isBusiness: details.is_business,
  };
  const sides = [...(canCampaign ? (["invoice"] as const) : []), ...(canApps ? (["self_billed"] as const) : [])];
  const rulings = sides.map((kind) =>
    rulingOn({ kind, party, selfBilling: details?.self_billing === true ? "agreed" : "not_agreed", day }, issuer),
  );
  return [...new Set(rulings.flatMap((ruling) => ("block" in ruling ? [ruling.block] : [])))];
}

/**
 * Keeps who an account is on documents from now on. Problem `invalid` for a country or a VAT id that does not exist, and for a VAT id
 * of a private person; `not_found` if the account was deleted in the meantime.
 */
export async function saveBilling(deps: BillingDeps, by: By, fields: BillingFields): Promise<Billing> {
  const { pool, clock, countryCodes } = deps;
  const { accountId } = by.caller;
  if (!countryCodes.includes(fields.country)) throw new Problem("invalid", { country: "Choose a country" });
  if (!fields.is_business && fields.vat_id !== "")
    throw new Problem("invalid", { vat_id: "A private person has no VAT id" });
  const vatId = fields.vat_id === "" ? "" : await checkedVatId(fields.country, fields.vat_id);
  if (vatId === null)
    throw new Problem("invalid", {
      vat_id: "This is no VAT id of the chosen country: its format or its check digits are wrong",
    });
  const at = new Date(clock.now());
  await inTransaction(pool, async (client) => {
    // A deletion erases what was saved before it, and nothing is saved after it.
    await lockAccount(client, accountId);
    await client.query(
      `INSERT INTO billing_details (account_id, legal_name, address, country, is_business, vat_id, self_billing_since, changed_at)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN $8::timestamptz END, $8)
       ON CONFLICT (account_id) DO UPDATE SET legal_name = excluded.legal_name, address = excluded.address,
         country = excluded.country, is_business = excluded.is_business, vat_id = excluded.vat_id, changed_at = excluded.changed_at,
         self_billing_since = CASE WHEN $7 THEN coalesce(billing_details.self_billing_since, excluded.self_billing_since) END`,
      [
        accountId,
        fields.legal_name,
        fields.address,
        fields.country,
        fields.is_business,
        vatId,
        fields.self_billing,
        at,
      ],
    );
    // What they are is in the row; the log keeps what was agreed.
    const details = { selfBilling: fields.self_billing };
    await recordAct({ pool: client, clock }, by, { action: "billing_details_changed", details });
  });
  return readBilling(deps, accountId);
}
