import { CLICK_WINDOW_DAYS, EVENTS_OF_AN_AD, INSTALL, VIEW_WINDOW_HOURS } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { atSeconds, type ConversionRow } from "../statistics/index.ts";
import type { ClickFacts } from "./click-id.ts";

/** What a campaign counts, and for how long. */
export interface MeasuredCampaign {
  clickWindowDays: number;
  viewWindowHours: number;
  conversionEvent: string;
}

/**
 * A campaign of the account, in-house ones and deleted ones too: what they led to still counts. In-house campaigns count installs
 * within the usual windows.
 */
export async function measuredCampaign(
  pool: Pool,
  accountId: number,
  campaignId: number,
): Promise<MeasuredCampaign | undefined> {
  const { rows } = await pool.query<MeasuredCampaign>(
    `SELECT click_window AS "clickWindowDays", view_window AS "viewWindowHours", conversion_event AS "conversionEvent"
     FROM campaigns WHERE id = $1 AND account_id = $2
     UNION ALL SELECT $3, $4, $5 FROM inhouse_campaigns WHERE id = $1 AND account_id = $2`,
    [campaignId, accountId, CLICK_WINDOW_DAYS.usual, VIEW_WINDOW_HOURS.usual, INSTALL],
  );
  return rows[0];
}

/** A conversion to be counted. */
export interface NewConversion {
  click: ClickFacts;
  event: string;
  transactionId: string;
  isGoal: boolean;
  at: Date;
}

interface Row {
  id: string;
  at: Date;
  is_goal: boolean;
  is_stored: boolean;
  kind: "click" | "view";
  ad_at: Date;
  creative_id: number;
  arm: string;
}

/** The conversion, if there is one, and whether its ad had room for another. */
type Claim = { has_room: boolean } & (Row | { id: null });

/**
 * Claims a conversion, whose row is not known to be durable yet: the caller stores it. There is none if the event was counted before,
 * or if the ad has had all of its events. Two processes may get the same one: their rows are equal, and count once. Statements that
 * run at the same time do not see each other's events, so an ad may get a few more than its limit: one for each of the pools' connections.
 */
export async function claimConversion(
  db: Pool | PoolClient,
  conversion: NewConversion,
): Promise<{ id: string; row: ConversionRow } | "replayed" | "over_limit"> {
  const { click, event, transactionId, isGoal, at } = conversion;
  const { rows } = await db.query<Claim>(
    `WITH room AS (
       SELECT count(*) < ${EVENTS_OF_AN_AD} AS has_room
       FROM (SELECT FROM conversions WHERE ad = $4 LIMIT ${EVENTS_OF_AN_AD}) AS events
     ), added AS (
       INSERT INTO conversions (campaign_id, creative_id, app_id, ad, event, transaction_id, kind, is_goal, ad_at, at, format,
         country, platform, arm, demo)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 FROM room WHERE has_room
       ON CONFLICT (ad, event, transaction_id) DO NOTHING RETURNING *)
     SELECT * FROM room LEFT JOIN (
       SELECT * FROM added
       UNION ALL
       SELECT * FROM conversions WHERE ad = $4 AND event = $5 AND transaction_id = $6
       LIMIT 1) AS kept ON true`,
    [
      click.campaignId,
      click.creativeId,
      click.appId,
      click.ad,
      event,
      transactionId,
      click.kind,
      isGoal,
      new Date(click.atMs),
      at,
      click.format,
      click.country,
      click.platform,
      click.arm,
      click.demo,
    ],
  );
  const [kept] = rows;
  if (!kept) throw new Error("a claim has one row");
  if (kept.id === null) {
    // If there was room, another process added it while this statement ran. That does not say that it is stored, so look again.
    return kept.has_room ? claimConversion(db, conversion) : "over_limit";
  }
  if (kept.is_stored) return "replayed";
  return {
    id: kept.id,
    row: {
      at: atSeconds(kept.at.getTime()),
      event_id: `${click.ad} ${event} ${transactionId}`,
      campaign_id: click.campaignId,
      creative_id: kept.creative_id,
      arm: kept.arm,
      app_id: click.appId,
      format: click.format,
      country: click.country,
      platform: click.platform,
      event,
      kind: kept.kind,
      is_goal: kept.is_goal ? 1 : 0,
      ad_at: atSeconds(kept.ad_at.getTime()),
      demo: click.demo ? 1 : 0,
    },
  };
}

export async function markStored(pool: Pool, id: string): Promise<void> {
  await pool.query("UPDATE conversions SET is_stored = true WHERE id = $1", [id]);
}

/** Forgets conversions for which no postback can come any more. */
export async function forgetConversions(pool: Pool, before: Date): Promise<void> {
  await pool.query("DELETE FROM conversions WHERE ad_at < $1 AND is_stored", [before]);
}
