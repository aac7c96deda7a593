import { createHash } from "node:crypto";
import { BID_HALF_LIFE_MS, fitSkips, type Skips } from "@millrace/learning";
import { DAY_MS, dayOf } from "@millrace/units";
import type { AppsDeps } from "../deps.ts";
import { listPartners } from "../../demand-partners/index.ts";

/** The name under which the skips of all partners are published. */
export const SKIP_TABLE = "partner_skips";

/**
 * Learns for each partner for which kinds of requests it never bids, and publishes the result as a whole. Exchange processes
 * are told when it has changed; its version is computed from the content.
 */
export async function publishSkips({ pool, statistics, clock }: Pick<AppsDeps, "pool" | "statistics" | "clock">) {
  const now = clock.now();
  const content: Record<string, Skips> = {};
  for (const { id } of await listPartners(pool)) {
    const rows = await statistics.partners.bidEvidence({
      provider: id,
      de: dayOf(now),
      halfLifeDays: BID_HALF_LIFE_MS / DAY_MS,
    });
    const skips = fitSkips(rows);
    if (Object.keys(skips).length > 0) content[id] = skips;
  }
  const text = JSON.stringify(content);
  const version = createHash("sha256").update(text).digest("hex").slice(0, 16);
  await pool.query(
    `INSERT INTO learned_tables (name, version, content, fitted_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET version = $2, content = $3, fitted_at = $4`,
    [SKIP_TABLE, version, text, new Date(now)],
  );
  await pool.query("SELECT pg_notify('config_changed', 'learned')");
}
