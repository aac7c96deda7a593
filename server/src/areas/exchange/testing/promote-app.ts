import type { TestWorld } from "./exchange-for-each-test.ts";
import type { TestApp } from "./start-exchange.ts";

/** What a test sets of an in-house campaign. */
export interface Promotion {
  title?: string;
  price?: number;
  apps?: TestApp[];
  countries?: string[];
  android?: object;
  format?: string;
  waterfall?: boolean;
  landscape?: boolean;
  url?: string;
  orientation?: string;
  skip?: number;
  /** Of its video, if its format has one. */
  durationMs?: number;
  extension?: string;
}

/** The name of its video without the extension. */
export const PROMOTED_VIDEO = "c".repeat(64);

/** Adds a campaign for an app in others, and lets the exchange see it. */
export async function promoteApp(at: TestWorld, promoted: TestApp, some: Promotion = {}): Promise<number> {
  const { pool } = at.stores.pg;
  const file = (letter: string) => `${letter.repeat(64)}.png`;
  const video = { duration_ms: some.durationMs ?? 20_040, bitrate_kbps: 900, codecs: "AVC, AAC", plays: true };
  const { rows } = await pool.query<{ id: number }>(
    `WITH files AS (
       INSERT INTO uploads (account_id, file, bytes, width, height, video, created_at, used_at)
       VALUES ($1, $2, 1, 320, 480, NULL, now(), now()), ($1, $3, 1, 480, 320, NULL, now(), now()),
         ($1, $14, 2000, 640, 360, $15, now(), now())
       ON CONFLICT (account_id, file) DO UPDATE SET used_at = now(), video = EXCLUDED.video RETURNING id, width
     )
     INSERT INTO inhouse_campaigns (account_id, title, description, ad_app_id, app_ids, price_micros, geo_type, countries, ios,
       android, format, target_url, store_id, store_country, portrait_id, landscape_id, video_id, video_orientation, skip_timer,
       interstitial_waterfall, created_at)
     SELECT $1, $4, 'Our puzzle', $5, $6, $7, $8, $9, '{"all":true,"min":"12","max":"26"}', $10, $11,
       $16, 'com.example.tide', 'US', (SELECT id FROM files WHERE width = 320),
       CASE WHEN $12 THEN (SELECT id FROM files WHERE width = 480) END,
       CASE WHEN $11 <> 'image' THEN (SELECT id FROM files WHERE width = 640) END, $17, $18, $13, now()
     RETURNING id`,
    [
      promoted.accountId,
      file("a"),
      file("b"),
      some.title ?? "Try Tide",
      promoted.id,
      (some.apps ?? [at.app]).map(({ id }) => id),
      some.price ?? 0,
      some.countries === undefined ? "not_in" : "in",
      some.countries ?? [],
      some.android ?? { all: true, min: "5", max: "16" },
      some.format ?? "image",
      some.landscape ?? false,
      some.waterfall ?? false,
      `${PROMOTED_VIDEO}.${some.extension ?? "mp4"}`,
      video,
      some.url ?? "https://tide.example/?a=1&b=2",
      some.orientation ?? "all",
      some.skip ?? 5,
    ],
  );
  await at.exchange.exchange.reloadConfig();
  return rows[0]?.id ?? 0;
}
