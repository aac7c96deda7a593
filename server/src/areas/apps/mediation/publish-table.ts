import { createHash } from "node:crypto";
import type { Pool } from "pg";

/** Publishes what was learned, as a whole, and tells the exchange. Its version is computed from the content. */
export async function publishTable(pool: Pool, name: string, content: object, fittedAt: Date): Promise<void> {
  const text = JSON.stringify(content);
  const version = createHash("sha256").update(text).digest("hex").slice(0, 16);
  await pool.query(
    `INSERT INTO learned_tables (name, version, content, fitted_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET version = $2, content = $3, fitted_at = $4`,
    [name, version, text, fittedAt],
  );
  await pool.query("SELECT pg_notify('config_changed', 'learned')");
}
