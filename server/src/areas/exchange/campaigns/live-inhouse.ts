import type { InhouseTargeting } from "@millrace/auction";
import { type CampaignFields, type InhouseFields, type InhouseFormat, INHOUSE_VIDEO_SOLD_AS } from "@millrace/contract";
import type { Pool } from "pg";
import { pathOfFile } from "../../../platform/files/serve-stored-files.ts";
import type { UploadRow } from "../../campaigns/index.ts";
import { creativeHtml } from "./creative-html.ts";
import { rangeOf } from "./live-campaigns.ts";
import { domainOf, type LiveVideo, liveVideo, safeUrl } from "./live-creatives.ts";

/** An in-house campaign as auctions use it: an ad of a publisher's app in their other apps. */
export interface LiveInhouse {
  id: number;
  uuid: string;
  /** Its id as a participant of auctions. */
  participantId: string;
  title: string;
  /** The apps that show it. */
  appIds: readonly number[];
  /** CPM in micro-dollars at which it competes; 0 to fill what nobody bought. */
  priceMicros: number;
  /** The same of its images: those of a video only fill. */
  imagePriceMicros: number;
  targeting: InhouseTargeting;
  imageUrl: string;
  clickUrl: string;
  adomain: string[];
  /** Empty: nobody else counts it. */
  trackingUrl: "";
  /** The markup of its images with a link to this address. */
  html(href: string): string;
  /** Null for one of images alone. */
  video: LiveVideo | null;
  /** The players that its video is for. */
  orientation: InhouseFields["video_orientation"];
}

interface Row {
  id: number;
  uuid: string;
  title: string;
  app_ids: number[];
  price_micros: string;
  geo_type: "in" | "not_in";
  countries: string[];
  ios: CampaignFields["ios"];
  android: CampaignFields["android"];
  format: InhouseFormat;
  target_url: string;
  interstitial_waterfall: boolean;
  video_orientation: InhouseFields["video_orientation"];
  skip_timer: number;
  landscape: UploadRow | null;
  portrait: UploadRow | null;
  video: UploadRow | null;
}

const FILE = (table: string) =>
  `CASE WHEN ${table}.id IS NOT NULL THEN json_build_object('file', ${table}.file, 'bytes', ${table}.bytes,
     'width', ${table}.width, 'height', ${table}.height, 'video', ${table}.video) END`;

/** The in-house campaigns among these ids that may be shown. */
export async function readInhouse(pool: Pool, ids: readonly number[], publicUrl: string): Promise<LiveInhouse[]> {
  const { rows } = await pool.query<Row>(
    `SELECT c.id, c.uuid, c.title, c.app_ids, c.price_micros, c.geo_type, c.countries, c.ios, c.android, c.format,
       c.target_url, c.interstitial_waterfall, c.video_orientation, c.skip_timer, ${FILE("l")} AS landscape,
       ${FILE("p")} AS portrait, ${FILE("v")} AS video
     FROM inhouse_campaigns c JOIN accounts o ON o.id = c.account_id JOIN apps a ON a.id = c.ad_app_id
       LEFT JOIN uploads l ON l.id = c.landscape_id LEFT JOIN uploads p ON p.id = c.portrait_id
       LEFT JOIN uploads v ON v.id = c.video_id
     WHERE c.id = ANY($1) AND NOT c.frozen AND c.deleted_at IS NULL AND o.deleted_at IS NULL AND a.deleted_at IS NULL
       AND a.moderation <> 'banned' ORDER BY c.id`,
    [ids],
  );
  return rows.flatMap((row) => inhouseOf(row, publicUrl) ?? []);
}

/** The ids of the in-house campaigns after an id, in order; empty at the end. */
export async function inhouseIdsAfter(pool: Pool, after: number, limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    "SELECT id FROM inhouse_campaigns WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2",
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/** Null if it cannot be shown: without an image, or with a link that is no web address. */
function inhouseOf(row: Row, publicUrl: string): LiveInhouse | null {
  const clickUrl = safeUrl(row.target_url);
  const { landscape, portrait, title, uuid, skip_timer } = row;
  const image = portrait ?? landscape;
  if (clickUrl === null || image === null) return null;
  const urlOf = ({ file }: UploadRow) => publicUrl + pathOfFile(file);
  const domain = domainOf(clickUrl);
  const shared = { clickUrl, domain };
  return {
    id: row.id,
    uuid,
    participantId: `inhouse-${row.id}`,
    title,
    appIds: row.app_ids,
    priceMicros: Number(row.price_micros),
    imagePriceMicros: row.format === "image" ? Number(row.price_micros) : 0,
    targeting: {
      geo: row.geo_type,
      countries: row.countries,
      ios: rangeOf(row.ios),
      android: rangeOf(row.android),
      formats: row.format === "image" || row.interstitial_waterfall ? ["interstitial"] : [],
      ...(row.format !== "image" && row.video && { videoFormats: INHOUSE_VIDEO_SOLD_AS[row.format] }),
    },
    imageUrl: urlOf(image),
    clickUrl,
    adomain: [domain],
    trackingUrl: "",
    html: creativeHtml({
      format: "image",
      w: image.width,
      h: image.height,
      imageUrl: urlOf(image),
      cta: "",
      alt: title,
      ...(portrait && landscape && { landscapeUrl: urlOf(landscape) }),
    }),
    video: row.video && liveVideo({ ...row.video, uuid, title, skip_timer }, { ...shared, fileUrl: urlOf(row.video) }),
    orientation: row.video_orientation,
  };
}
