import { addDays, dayOf } from "@millrace/units";
import type { AppsDeps } from "./deps.ts";
import { earningAppIds } from "./store.ts";

const DAYS = 30;

/** Each provider's revenue for the account's apps in the last 30 days, including today, in micro-dollars. */
export async function revenueByPartner(deps: AppsDeps, accountId: number): Promise<ReadonlyMap<string, number>> {
  const today = dayOf(deps.clock.now());
  const statistics = deps.statistics.of({
    scope: {
      appIds: await earningAppIds(deps.pool, accountId),
      range: { ds: addDays(today, 1 - DAYS), de: today },
      providers: [],
      formats: [],
      countries: [],
    },
    compare: "none",
    metrics: [],
    view: "provider",
    ordering: { order: "revenue", order_type: "desc" },
    names: { provider: (id) => id, zone: (zone) => zone },
  });
  const earnings = await statistics.earnings_by_providers();
  return new Map(earnings.map(({ provider, revenue }) => [provider, revenue]));
}
