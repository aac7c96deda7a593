import type { Targeting, VersionRange } from "@millrace/auction";
import {
  type CampaignFields,
  type CampaignFormat,
  type CampaignPlatform,
  type FrequencyCap,
  type Rotation,
  soldMedia,
  type SoldMedium,
} from "@millrace/contract";
import { minuteOfDay } from "@millrace/units";
import type { Pool } from "pg";
import { grouped } from "../../../platform/grouped.ts";
import { uploadColumns } from "../../campaigns/index.ts";
import { type CreativeRow, creativeOf, type LiveCreative } from "./live-creatives.ts";

/** A campaign as auctions use it. Amounts are micro-dollars. */
export interface LiveCampaign {
  id: number;
  uuid: string;
  /** Its id as a participant of auctions. */
  participantId: string;
  accountId: number;
  name: string;
  /** The advertised app's id in its store: a package, or a number of the App Store. */
  bundle: string;
  /** Of the demo's account: it buys in the demo's apps only. */
  demo: boolean;
  bidMicros: number;
  dailyMicros: number;
  /** 0 for no limit. */
  budgetMicros: number;
  caps: readonly FrequencyCap[];
  targeting: Targeting;
  /** What its creatives can fill. */
  media: readonly SoldMedium[];
  creatives: readonly LiveCreative[];
  rotation: Rotation;
  /** The share of impressions that stays even while it learns. */
  holdOutPercent: number;
  /** It may buy: it is neither frozen nor deleted, and has a creative. */
  isBuying: boolean;
}

interface CampaignRow {
  id: number;
  uuid: string;
  account_id: number;
  name: string;
  store_id: string;
  demo: boolean;
  format: CampaignFormat;
  bid_micros: string;
  daily_micros: string;
  budget_micros: string;
  starts_at: Date;
  ends_at: Date | null;
  days: number[];
  active_from: string;
  active_to: string;
  network: CampaignFields["network"];
  geo_type: CampaignFields["geo_type"];
  countries: string[];
  regions: string[];
  platforms: CampaignPlatform[];
  ios: CampaignFields["ios"];
  android: CampaignFields["android"];
  caps: FrequencyCap[];
  click_link: string;
  view_link: string;
  rotation: Rotation;
  hold_out: number;
  isOn: boolean;
}

/** Ads of a campaign that no longer buys may still be shown, within its caps. */
const KEPT = "c.deleted_at IS NULL OR c.deleted_at > now() - interval '1 day'";

/** Somebody who was blocked for fraud must not go on buying with what is left. */
const HAS_BLOCKED_OWNER = `EXISTS (SELECT FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.account_id = a.id AND m.role = 'owner' AND u.blocked_at IS NOT NULL)`;

/** The campaigns among these ids. Those without a row are gone. */
export async function readCampaigns(pool: Pool, ids: readonly number[], publicUrl: string): Promise<LiveCampaign[]> {
  const { rows: campaigns } = await pool.query<CampaignRow>(
    `SELECT c.id, c.uuid, c.account_id, c.name, c.store_id, a.demo, c.format, c.bid_micros, c.daily_micros, c.budget_micros,
       c.starts_at, c.ends_at, c.days, c.active_from, c.active_to, c.network, c.geo_type, c.countries, c.regions,
       c.platforms, c.ios, c.android, c.caps, c.click_link, c.view_link, c.rotation, c.hold_out,
       NOT c.frozen AND c.deleted_at IS NULL AND a.deleted_at IS NULL AND NOT ${HAS_BLOCKED_OWNER} AS "isOn"
     FROM campaigns c JOIN accounts a ON a.id = c.account_id
     WHERE c.id = ANY($1) AND (${KEPT}) ORDER BY c.id`,
    [ids],
  );
  const { rows: creatives } = await pool.query<CreativeRow>(
    `SELECT r.id, r.uuid, r.campaign_id, r.format, r.cta, r.title, r.skip_timer, r.click_url, r.tracking_url,
       r.categories, r.for_children, c.logo_url, ${uploadColumns("f")}
     FROM creatives r JOIN uploads f ON f.id = r.upload_id JOIN campaigns c ON c.id = r.campaign_id
     WHERE r.campaign_id = ANY($1) AND r.moderation = 'approved' AND r.deleted_at IS NULL ORDER BY r.id`,
    [campaigns.map(({ id }) => id)],
  );
  const byCampaign = grouped(creatives, ({ campaign_id }) => campaign_id);
  return campaigns.map((row) => {
    const own = (byCampaign.get(row.id) ?? []).filter(({ format }) => format === row.format);
    return campaignOf(
      row,
      own.flatMap((creative) => creativeOf(creative, row, publicUrl) ?? []),
    );
  });
}

/** The ids of the campaigns after an id, in order; empty at the end. */
export async function campaignIdsAfter(pool: Pool, after: number, limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT c.id FROM campaigns c WHERE c.id > $1 AND (${KEPT}) ORDER BY c.id LIMIT $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

function campaignOf(row: CampaignRow, creatives: readonly LiveCreative[]): LiveCampaign {
  return {
    id: row.id,
    uuid: row.uuid,
    participantId: `campaign-${row.id}`,
    accountId: row.account_id,
    name: row.name,
    bundle: row.store_id,
    demo: row.demo,
    bidMicros: Number(row.bid_micros),
    dailyMicros: Number(row.daily_micros),
    budgetMicros: Number(row.budget_micros),
    caps: row.caps,
    targeting: {
      startsAt: row.starts_at.getTime(),
      endsAt: row.ends_at?.getTime() ?? null,
      days: row.days,
      fromMinute: minuteOfDay(row.active_from),
      toMinute: minuteOfDay(row.active_to),
      geo: row.geo_type,
      countries: row.countries,
      ...(row.regions.length > 0 && { regions: row.regions }),
      platforms: row.platforms,
      ios: rangeOf(row.ios),
      android: rangeOf(row.android),
      wifiOnly: row.network === "wifi",
      format: row.format,
      sizes: row.format === "banner" ? creatives.map(({ w, h }) => ({ w, h })) : [],
    },
    media: soldMedia(
      row.format,
      creatives.some(({ native }) => native !== null),
    ),
    creatives,
    rotation: row.rotation,
    holdOutPercent: row.hold_out,
    isBuying: row.isOn && creatives.length > 0,
  };
}

export const rangeOf = ({ all, min, max }: CampaignFields["ios"]): VersionRange | null =>
  all ? null : { min: Number(min), max: Number(max) };
