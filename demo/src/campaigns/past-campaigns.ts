import type { ClickHouseClient } from "@clickhouse/client";
import { INHOUSE_VIDEO_SOLD_AS, type InhouseFormat } from "@millrace/contract";
import type { Pool } from "pg";
import { recordPastSpend } from "../../../server/src/areas/budgets/index.ts";
import { inTransaction } from "../../../server/src/platform/postgres/in-transaction.ts";
import type { PastCampaign, PastInhouse } from "../history/row-sql.ts";

/** What a campaign's format bought. */
const BOUGHT = { banner: ["banner"], image: ["interstitial", "native"], video: ["video", "rewarded"] } as const;

/** The first full screen is clicked more often than the second: their test has a winner. Banners are alike. */
const APPEAL = { banner: [1, 1], image: [1.3, 0.7], video: [1, 1] } as const;

/** The demo's campaigns that ran before a moment, in epoch milliseconds. */
export async function pastCampaigns(pool: Pool, accountId: number, untilMs: number): Promise<PastCampaign[]> {
  const { rows } = await pool.query<{
    id: number;
    format: keyof typeof BOUGHT;
    bid: string;
    starts: Date;
    countries: string[];
    creatives: { id: number; width: number; height: number }[];
  }>(
    `SELECT c.id, c.format, c.bid_micros AS bid, c.starts_at AS starts, c.countries,
            jsonb_agg(jsonb_build_object('id', r.id, 'width', u.width, 'height', u.height) ORDER BY r.id) AS creatives
     FROM campaigns c JOIN creatives r ON r.campaign_id = c.id JOIN uploads u ON u.id = r.upload_id
     WHERE c.account_id = $1 AND c.starts_at < $2 AND NOT c.frozen AND c.deleted_at IS NULL
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
      formats: BOUGHT[format],
      cpm: Number(bid) / 1e6,
      startsAt: starts.getTime() / 1000,
      countries,
      creatives: format === "banner" ? [fitting(320), fitting(728)] : [fitting(), fitting()],
    };
  });
}

/** The publisher's cross promotions that were shown before a moment, in epoch milliseconds. */
export async function pastInhouse(pool: Pool, accountId: number, untilMs: number): Promise<PastInhouse[]> {
  const { rows } = await pool.query<{ id: number; format: InhouseFormat; price: string; at: Date; apps: number[] }>(
    `SELECT id, format, price_micros AS price, created_at AS at, app_ids AS apps FROM inhouse_campaigns
     WHERE account_id = $1 AND created_at < $2 AND NOT frozen AND deleted_at IS NULL ORDER BY id`,
    [accountId, new Date(untilMs)],
  );
  return rows.map(({ id, format, price, at, apps }) => ({
    id,
    formats: format === "image" ? ["interstitial"] : INHOUSE_VIDEO_SOLD_AS[format],
    cpm: Number(price) / 1e6,
    startsAt: at.getTime() / 1000,
    appIds: apps,
  }));
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
