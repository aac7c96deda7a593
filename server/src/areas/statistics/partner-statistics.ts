import type { ClickHouseClient } from "@clickhouse/client";
import { HOUR_MS, addDays, dayStartMs } from "@millrace/units";
import type { z } from "zod";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import type { AskStore } from "./ask-store.ts";
import { bidEvidence } from "./bid-evidence.stat.ts";
import { highestBids } from "./highest-bids.stat.ts";
import {
  partnerDays,
  partnerRevenue,
  partnerRevenueDays,
  partnerScores,
  partnerUnknown,
} from "./partner-scores.stat.ts";
import { type Scope, bindScope } from "./scope.ts";

/** Apps, days, formats and countries; partners are never left out. */
export type PartnerScope = Omit<Scope, "providers">;

/** What partners did and earned, and the bids that they made. */
export function partnerStatistics(ask: AskStore, read: ClickHouseClient) {
  const bind = (scope: PartnerScope) => bindScope({ ...scope, providers: [] });
  return {
    scores: (scope: PartnerScope) => ask(partnerScores, bind(scope)),
    /** Requests sent of which it is not recorded what partners did, and since when it is. */
    async unknown(scope: PartnerScope): Promise<{ since: string | null; requests: number }> {
      const [row] = await ask(partnerUnknown, bind(scope));
      return { since: row?.since ?? null, requests: row?.unknown ?? 0 };
    },
    days: (scope: PartnerScope) => ask(partnerDays, bind(scope)),
    revenueDays: (scope: PartnerScope) => ask(partnerRevenueDays, bind(scope)),
    /** Revenue by provider, of the last day until a moment of it; of the whole day if that is null. */
    async revenue(scope: PartnerScope, untilMs: number | null): Promise<ReadonlyMap<string, bigint>> {
      const until = untilMs ?? dayStartMs(addDays(scope.range.de, 1));
      const hour = (Math.floor(until / HOUR_MS) * HOUR_MS) / 1000;
      const rows = await ask(partnerRevenue, { ...bind(scope), hour, untilMs: until });
      return new Map(rows.map(({ provider, revenueMicros }) => [provider, revenueMicros]));
    },
    /** How often a partner bid for which kinds of requests, see `bidEvidence`. Not kept: the rows are many, and asked for once. */
    bidEvidence: (params: z.input<(typeof bidEvidence)["params"]>) => runStat(read, bidEvidence, params),
    highestBids: (params: z.input<(typeof highestBids)["params"]>) => ask(highestBids, params),
  };
}
export type PartnerStatistics = ReturnType<typeof partnerStatistics>;
