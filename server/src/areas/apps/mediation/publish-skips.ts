import { BID_HALF_LIFE_MS, fitSkips, type Skips } from "@millrace/learning";
import { DAY_MS, dayOf } from "@millrace/units";
import type { AppsDeps } from "../deps.ts";
import { listPartners } from "../../demand-partners/index.ts";
import { publishTable } from "./publish-table.ts";

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
  await publishTable(pool, SKIP_TABLE, content, new Date(now));
}
