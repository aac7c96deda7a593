import { LINE_PROVIDER } from "@millrace/contract";
import { BID_HALF_LIFE_MS, fitSkips, type Skips } from "@millrace/learning";
import { DAY_MS } from "@millrace/units";
import type { Pool } from "pg";
import { grouped } from "../../../platform/grouped.ts";
import type { AppsDeps } from "../deps.ts";
import { publishTable } from "../mediation/publish-table.ts";
import { appsWithAdapters, changedSources } from "./line-item-store.ts";

/** The name under which it is published where line items never have an ad, by their ids as participants. */
export const LINE_FILL_TABLE = "line_fills";

/** Which steps of an app's line items to query. Reports about an earlier source say nothing about the present one. */
export async function stepParams(pool: Pool, appId: number, nowMs: number) {
  const changed = await changedSources(pool, appId);
  return {
    appId,
    now: Math.floor(nowMs / 1000),
    halfLifeDays: BID_HALF_LIFE_MS / DAY_MS,
    changedItems: changed.map(({ id }) => id),
    since: changed.map(({ since }) => since),
  };
}

/** Learns where the adapters of line items never have an ad, from what SDKs told of their steps, and publishes it as a whole. */
export async function publishLineFills({ pool, statistics, clock }: Pick<AppsDeps, "pool" | "statistics" | "clock">) {
  const now = clock.now();
  const content: Record<string, Skips> = {};
  // Steps are counted one by one, so that all apps at once could take more memory than there is.
  for (const appId of await appsWithAdapters(pool)) {
    const rows = await statistics.lineItems.stepEvidence(await stepParams(pool, appId, now));
    for (const [id, steps] of grouped(rows, ({ lineItemId }) => lineItemId)) {
      const skips = fitSkips(steps.map(({ filled: bids, ...step }) => ({ ...step, appId, bids })));
      if (Object.keys(skips).length > 0) content[`${LINE_PROVIDER.id}-${id}`] = skips;
    }
  }
  await publishTable(pool, LINE_FILL_TABLE, content, new Date(now));
}
