import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import { recordPastSpend } from "../../../server/src/areas/budgets/index.ts";
import { inTransaction } from "../../../server/src/platform/postgres/in-transaction.ts";
import type { PastCampaign } from "../history/row-sql.ts";

/** What a campaign's format is sold as. */
const SOLD_AS = { banner: "banner", image: "interstitial" } as const;

/** The first full screen is clicked more often than the second: their test has a winner. Banners are alike. */
const APPEAL = { banner: [1, 1], image: [1.3, 0.7] } as const;

/** The demo's campaigns that ran before a moment, in epoch milliseconds. The video only begins with the demo's live traffic. */
export async function pastCampaigns(pool: Pool, accountId: number, untilMs: number): Promise<PastCampaign[]> {
  const { rows } = await pool.query<{
    id: number;
    format: keyof typeof SOLD_AS;
    bid: string;
    starts: Date;
    countries: string[];
    creatives: { id: number; width: number; height: number }[];
  }>(
    `SELECT c.id, c.format, c.bid_micros AS bid, c.starts_at AS starts, c.countries,
            jsonb_agg(jsonb_build_object('id', r.id, 'width', u.width, 'height', u.height) ORDER BY r.id) AS creatives
     FROM campaigns c JOIN creatives r ON r.campaign_id = c.id JOIN uploads u ON u.id = r.upload_id
     WHERE c.account_id = $1 AND c.starts_at < $2 AND NOT c.frozen AND c.deleted_at IS NULL
       AND c.format != 'video'
       AND r.moderation = 'approved' AND r.deleted_at IS NULL
     GROUP BY c.id ORDER BY c.id`,
    [accountId, new Date(untilMs)],
  );
  return rows.map(({ id, format, bid, starts, countries, creatives }) => {
    const fitting = (width?: number) =>
      creatives
        .filter((creative) => width === undefined || creative.width === width)
        .map((creative, nth) => ({ id: creative.id, appeal: APPEAL[format][nth] ?? 1 }));
    return {
      id,
      format: SOLD_AS[format],
      cpm: Number(bid) / 1e6,
      startsAt: starts.getTime() / 1000,
      countries,
      creatives: format === "banner" ? [fitting(320), fitting(728)] : [fitting(), fitting()],
    };
  });
}

/** Books what the campaigns' ads cost in the written history, so that their balance is what their impressions left of it. */
export async function bookPastSpend(
  { pool, read }: { pool: Pool; read: ClickHouseClient },
  campaigns: readonly PastCampaign[],
  untilMs: number,
): Promise<void> {
  if (campaigns.length === 0) return;
  const found = await read.query({
    query: `SELECT campaign_id AS campaignId, toString(toDate(at, 'UTC')) AS day, toFloat64(sum(cost_micros)) AS micros
            FROM events WHERE campaign_id IN {ids:Array(UInt32)} AND demo = 1 AND invalid = '' AND at < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
            GROUP BY campaignId, day HAVING micros > 0`,
    query_params: { ids: campaigns.map(({ id }) => id), untilMs },
    format: "JSONEachRow",
  });
  const spent = await found.json<{ campaignId: number; day: string; micros: number }>();
  await inTransaction(pool, (client) => recordPastSpend(client, spent, new Date(untilMs)));
}
