import type { Pool } from "pg";
import { OTP_SECRET } from "./areas/accounts/index.ts";
import { PARTNER_CREDENTIALS, PARTNER_KEYS } from "./areas/demand-partners/index.ts";
import { POSTBACK_SECRET } from "./areas/measurement/index.ts";
import { PAYOUT_DETAILS } from "./areas/payments/index.ts";
import type { SealedColumn } from "./platform/sealed/reseal.ts";

/**
 * Every column of sealed values, so that a new secret seals all of them again. An authenticator's secret is copied from its set-up to
 * its user, and a payee's details to each payout and from there to its payment: the copies come later.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: "partner_keys",
    key: ["app_id", "partner_id", "format"],
    column: "sealed",
    purpose: PARTNER_KEYS,
  },
  { table: "partners", key: ["id"], column: "credentials", purpose: PARTNER_CREDENTIALS },
  { table: "otp_setups", key: ["user_id"], column: "secret", purpose: OTP_SECRET },
  { table: "users", key: ["id"], column: "otp_secret", purpose: OTP_SECRET },
  { table: "postback_keys", key: ["account_id"], column: "secret", purpose: POSTBACK_SECRET },
  { table: "sandbox_payees", key: ["payee_id"], column: "details", purpose: PAYOUT_DETAILS },
  { table: "payouts", key: ["id"], column: "details", purpose: PAYOUT_DETAILS },
  { table: "sandbox_payments", key: ["payout_id"], column: "details", purpose: PAYOUT_DETAILS },
];

/** Whether PostgreSQL has a value that a secret of the platform has sealed. */
export async function hasSealedValues(pool: Pool): Promise<boolean> {
  const found = SEALED_COLUMNS.map(({ table, column }) => `EXISTS (SELECT FROM ${table} WHERE ${column} IS NOT NULL)`);
  const { rows } = await pool.query<{ found: boolean }>(`SELECT ${found.join(" OR ")} AS found`);
  return rows[0]?.found === true;
}
