import type { PlatformFigures } from "@millrace/contract";
import { DAY_MS, HOUR_MS, dayOf, dayStartMs } from "@millrace/units";
import { runStat } from "../../../platform/clickhouse/define-stat.ts";
import { sampleAppIds } from "../../apps/index.ts";
import { listPartners } from "../../demand-partners/index.ts";
import { sinceStart } from "../../exchange/index.ts";
import type { AdminDeps } from "../deps.ts";
import { readAccounts, readWaiting } from "./platform-store.ts";
import { auctionTimes, platformCalls, platformSent, platformSums } from "./platform-sums.stat.ts";
import { partnerFigures, platformFigures } from "./platform-figures.ts";

const seconds = (ms: number) => Math.floor(ms / 1000);

type Deps = Pick<AdminDeps, "pool" | "clickhouse" | "clock" | "look" | "backlog">;

/** All accounts' figures of today against the same time yesterday, without sample apps', the partners, what waits, and what went wrong. */
export async function readPlatform(deps: Deps): Promise<PlatformFigures> {
  const { pool, clickhouse, clock } = deps;
  const now = clock.now();
  const today = dayOf(now);
  // Rows that are on their way count too.
  await deps.look();
  const samples = await sampleAppIds(pool);
  const [sums, sent, calls, times, partners, accounts, waiting, since_start] = await Promise.all([
    runStat(clickhouse, platformSums, { today: seconds(dayStartMs(today)), until: seconds(now - DAY_MS), samples }),
    runStat(clickhouse, platformSent, { day: today, samples }),
    runStat(clickhouse, platformCalls, { day: today, until: seconds(now - DAY_MS), samples }),
    runStat(clickhouse, auctionTimes, { since: seconds(now - HOUR_MS), samples }),
    listPartners(pool),
    readAccounts(pool, new Date(now - DAY_MS)),
    readWaiting(pool, new Date(now)),
    sinceStart(pool),
  ]);
  const [took] = times;
  return {
    at: new Date(now).toISOString(),
    compared_until: new Date(now - DAY_MS).toISOString(),
    figures: platformFigures(sums),
    auctions:
      took && took.auctions > 0 && took.p50Ms !== null && took.p95Ms !== null
        ? { count: took.auctions, p50_ms: took.p50Ms, p95_ms: took.p95Ms }
        : null,
    accounts,
    partners: partnerFigures(partners, sums, sent, calls),
    waiting: { ...waiting, journal: deps.backlog() },
    since_start,
  };
}
