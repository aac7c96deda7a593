import { LINE_PROVIDER } from "@millrace/contract";
import { BID_HALF_LIFE_MS, fitSkips, type Skips } from "@millrace/learning";
import { DAY_MS } from "@millrace/units";
import { grouped } from "../../../platform/grouped.ts";
import type { AppsDeps } from "../deps.ts";
import { publishTable } from "../mediation/publish-table.ts";

/** The name under which it is published where line items never have an ad, by their ids as participants. */
export const LINE_FILL_TABLE = "line_fills";

export const stepParams = (appId: number, nowMs: number) => ({
  appId,
  now: Math.floor(nowMs / 1000),
  halfLifeDays: BID_HALF_LIFE_MS / DAY_MS,
});

/** Learns where the adapters of line items never have an ad, from what SDKs told of their steps, and publishes it as a whole. */
export async function publishLineFills({ pool, statistics, clock }: Pick<AppsDeps, "pool" | "statistics" | "clock">) {
  const now = clock.now();
  const rows = await statistics.lineItems.stepEvidence(stepParams(0, now));
  const content: Record<string, Skips> = {};
  for (const [id, steps] of grouped(rows, ({ lineItemId }) => lineItemId)) {
    const skips = fitSkips(steps.map(({ filled: bids, ...step }) => ({ ...step, bids })));
    if (Object.keys(skips).length > 0) content[`${LINE_PROVIDER.id}-${id}`] = skips;
  }
  await publishTable(pool, LINE_FILL_TABLE, content, new Date(now));
}
