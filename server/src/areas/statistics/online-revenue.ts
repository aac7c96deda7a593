import { type Format, LATEST_EARNINGS } from "@millrace/contract";
import { DAY_MS, HOUR_MS, dayStartMs } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { type Names, knownFormat } from "./labels.ts";
import { latestEarnings } from "./latest-earnings.stat.ts";
import { microsNumber } from "./metrics.ts";
import { type Scope, bindScope } from "./scope.ts";

/** A row of the online revenue list; the caller adds the app's own facts. */
export interface EarningFacts {
  at: string;
  app_id: number;
  auction_id: string;
  provider: string;
  provider_name: string;
  format: Format;
  country: string;
  earn: number;
}

/** The last earnings of the scope's apps, newest first. The last hour is tried first, since months of raw rows are many. */
export async function onlineRevenue(
  { ask, nowMs, names }: { ask: AskStore; nowMs: number; names: Names },
  scope: Scope,
): Promise<EarningFacts[]> {
  const endMs = Math.min(nowMs, dayStartMs(scope.range.de) + DAY_MS);
  for (const windowMs of [HOUR_MS, DAY_MS, Number.POSITIVE_INFINITY]) {
    const since = Math.max(0, Math.floor((endMs - windowMs) / 1000));
    const rows = await ask(latestEarnings, { ...bindScope(scope), since });
    if (rows.length < LATEST_EARNINGS && since * 1000 > dayStartMs(scope.range.ds)) continue;
    return rows.map((row) => ({
      at: new Date(row.atMs).toISOString(),
      app_id: row.appId,
      auction_id: row.auctionId,
      provider: row.provider,
      provider_name: names.provider(row.provider),
      format: knownFormat(row.format),
      country: row.country,
      earn: microsNumber(row.revenueMicros),
    }));
  }
  return [];
}
