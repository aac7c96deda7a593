import type { AdFormat, InhouseTargeting } from "@millrace/auction";
import type { CampaignFields, InhouseFormat } from "@millrace/contract";
import type { Pool } from "pg";
import { pathOfFile } from "../../../platform/files/serve-stored-files.ts";
import { creativeHtml } from "./creative-html.ts";
import { rangeOf, safeUrl } from "./live-campaigns.ts";

interface Picture {
  url: string;
  w: number;
  h: number;
}

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
  targeting: InhouseTargeting;
  imageUrl: string;
  clickUrl: string;
  adomain: string[];
  /** Empty: nobody else counts it. */
  trackingUrl: "";
  /** The markup with a link to this address. */
  html(href: string): string;
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
  landscape: Omit<Picture, "url"> & { file: string };
  portrait: Omit<Picture, "url"> & { file: string };
}

const PICTURE = (table: string) =>
  `CASE WHEN ${table}.id IS NOT NULL
     THEN json_build_object('file', ${table}.file, 'w', ${table}.width, 'h', ${table}.height) END`;

/** The in-house campaigns among these ids that may be shown. */
export async function readInhouse(pool: Pool, ids: readonly number[], publicUrl: string): Promise<LiveInhouse[]> {
  const { rows } = await pool.query<Row>(
    `SELECT c.id, c.uuid, c.title, c.app_ids, c.price_micros, c.geo_type, c.countries, c.ios, c.android, c.format,
       c.target_url, c.interstitial_waterfall, ${PICTURE("l")} AS landscape, ${PICTURE("p")} AS portrait
     FROM inhouse_campaigns c JOIN accounts o ON o.id = c.account_id JOIN apps a ON a.id = c.ad_app_id
       LEFT JOIN uploads l ON l.id = c.landscape_id LEFT JOIN uploads p ON p.id = c.portrait_id
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
  const pictureOf = (picture: Row["landscape"] | null): Picture | null =>
    picture && { url: publicUrl + pathOfFile(picture.file), w: picture.w, h: picture.h };
  const [landscape, portrait] = [pictureOf(row.landscape), pictureOf(row.portrait)];
  const image = portrait ?? landscape;
  if (clickUrl === null || image === null) return null;
  return {
    id: row.id,
    uuid: row.uuid,
    participantId: `inhouse-${row.id}`,
    title: row.title,
    appIds: row.app_ids,
    // The images of a video only fill.
    priceMicros: row.format === "image" ? Number(row.price_micros) : 0,
    targeting: {
      geo: row.geo_type,
      countries: row.countries,
      ios: rangeOf(row.ios),
      android: rangeOf(row.android),
      formats: formatsOf(row),
    },
    imageUrl: image.url,
    clickUrl,
    adomain: [new URL(clickUrl).hostname.replace(/^www\./, "")],
    trackingUrl: "",
    html: creativeHtml({
      format: "image",
      w: image.w,
      h: image.h,
      imageUrl: image.url,
      cta: "",
      alt: row.title,
      ...(portrait && landscape && { landscapeUrl: landscape.url }),
    }),
  };
}

/** The images of a video fill interstitials if its owner wants that. */
function formatsOf({ format, interstitial_waterfall }: Row): AdFormat[] {
  return format === "image" || interstitial_waterfall ? ["interstitial"] : [];
}
