import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type CampaignFields, VIDEO_TYPES, type VideoFacts } from "@millrace/contract";
import { DAY_MS, dayOf } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { insertCampaign, insertCreative, insertUpload, setFrozen } from "../../../server/src/areas/campaigns/index.ts";
import { refillCampaignBalance } from "../../../server/src/areas/payments/index.ts";
import type { StoredFiles } from "../../../server/src/platform/files/stored-files.ts";
import { pathOfFile } from "../../../server/src/platform/files/serve-stored-files.ts";
import { pngOf } from "../../../server/src/platform/images/clean-image.ts";
import { inTransaction } from "../../../server/src/platform/postgres/in-transaction.ts";
import { COUNTRIES } from "../countries.ts";
import { SUBJECTS } from "../creatives/subjects.data.ts";
import { MEDIA, VIDEO_SIZE } from "../lab/serve-creative.ts";
import { drawImage } from "./draw-image.ts";

interface DemoCreative {
  size: { width: number; height: number };
  moderation: "new" | "approved" | "blocked";
  reason?: string;
}

interface DemoCampaign {
  /** The advertised product. */
  slug: string;
  name: string;
  frozen: boolean;
  startsInDays: number;
  creatives: readonly DemoCreative[];
  fields: Pick<CampaignFields, "budget" | "bid" | "country" | "campaign_format" | "limit">;
}

const DOLLAR = 1_000_000;
const cpm = (value: number, daily: number) => ({ type: "cpm" as const, value: value * DOLLAR, daily: daily * DOLLAR });

/** The length of every video in `demo/media`; see the README there. */
const VIDEO_SECONDS = 15;

const EVERYWHERE = COUNTRIES.map(({ code }) => code);

/**
 * The list shows the last one first: a banner, a video and an image have delivered for weeks, a
 * creative of one waits for a moderator, one starts in some days, and one is frozen by its owner. Bids win without ever reaching
 * a daily budget, so history needs no pacing.
 */
const CAMPAIGNS: readonly DemoCampaign[] = [
  {
    slug: "paper-boats",
    name: "Paper Boats: banners",
    frozen: true,
    startsInDays: -50,
    creatives: [
      { size: { width: 320, height: 50 }, moderation: "approved" },
      { size: { width: 300, height: 250 }, moderation: "approved" },
    ],
    fields: {
      campaign_format: "banner",
      budget: 5000 * DOLLAR,
      bid: cpm(1.2, 250),
      country: ["US", "CA", "GB"],
      limit: [{ impressions: 3, period: "day", per: "user" }],
    },
  },
  {
    slug: "night-kite",
    name: "Night Kite: launch",
    frozen: false,
    startsInDays: 3,
    creatives: [{ size: { width: 720, height: 1280 }, moderation: "approved" }],
    fields: {
      campaign_format: "image",
      budget: 0,
      bid: cpm(4.5, 400),
      country: ["DE", "FR", "ES", "IT"],
      limit: [
        { impressions: 4, period: "day", per: "user" },
        { impressions: 2, period: "hour", per: "user" },
      ],
    },
  },
  {
    slug: "stone-garden",
    name: "Stone Garden: tablets",
    frozen: false,
    startsInDays: -1,
    creatives: [
      { size: { width: 728, height: 90 }, moderation: "new" },
      { size: { width: 468, height: 60 }, moderation: "blocked", reason: "The picture does not show the app" },
    ],
    fields: { campaign_format: "banner", budget: 1200 * DOLLAR, bid: cpm(0.8, 250), country: ["US"], limit: [] },
  },
  {
    slug: "cloud-orchard",
    name: "Cloud Orchard: banners",
    frozen: false,
    startsInDays: -45,
    creatives: [
      { size: { width: 320, height: 50 }, moderation: "approved" },
      { size: { width: 320, height: 50 }, moderation: "approved" },
      { size: { width: 300, height: 250 }, moderation: "approved" },
      { size: { width: 728, height: 90 }, moderation: "approved" },
    ],
    fields: { campaign_format: "banner", budget: 0, bid: cpm(0.25, 250), country: EVERYWHERE, limit: [] },
  },
  {
    slug: "tide-bank",
    name: "Tide Bank: video",
    frozen: false,
    startsInDays: -12,
    creatives: [{ size: VIDEO_SIZE, moderation: "approved" }],
    fields: {
      campaign_format: "video",
      budget: 6000 * DOLLAR,
      bid: cpm(14, 300),
      country: ["US", "CA", "GB", "AU", "DE", "FR"],
      limit: [],
    },
  },
  {
    slug: "lantern-notes",
    name: "Lantern Notes: full screen",
    frozen: false,
    startsInDays: -33,
    creatives: [
      { size: { width: 720, height: 1280 }, moderation: "approved" },
      { size: { width: 1280, height: 720 }, moderation: "approved" },
    ],
    fields: {
      campaign_format: "image",
      budget: 4000 * DOLLAR,
      bid: cpm(3.4, 250),
      country: ["US", "CA", "GB", "DE", "FR", "NL", "SE", "AU", "JP", "KR"],
      limit: [],
    },
  },
];

const BALANCE = 5000 * DOLLAR;

/** Gives the demo's advertiser a balance and campaigns, unless the account has ever had one. */
export async function seedCampaigns({
  pool,
  files,
  accountId,
  userId,
}: {
  pool: Pool;
  files: StoredFiles;
  accountId: number;
  userId: number;
}): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query("SELECT FROM campaigns WHERE account_id = $1 LIMIT 1", [accountId]);
    if (rowCount !== 0) return;
    const at = new Date();
    const reason = "Demo balance";
    await refillCampaignBalance(client, {
      key: randomUUID(),
      accountId,
      amountMicros: BALANCE,
      reason,
      actorUserId: userId,
      at: new Date(at.getTime() + Math.min(...CAMPAIGNS.map(({ startsInDays }) => startsInDays)) * DAY_MS),
    });
    for (const campaign of CAMPAIGNS) await seedCampaign(client, { files, accountId, at, campaign });
  });
}

async function seedCampaign(
  client: PoolClient,
  seed: { files: StoredFiles; accountId: number; at: Date; campaign: DemoCampaign },
): Promise<void> {
  const { files, accountId, at, campaign } = seed;
  const startsAt = at.getTime() + campaign.startsInDays * DAY_MS;
  /** A campaign that already runs was entered and approved on its first day. */
  const enteredAt = new Date(Math.min(at.getTime(), startsAt));
  const subject = SUBJECTS.find(({ slug }) => slug === campaign.slug);
  if (!subject) throw new Error(`There is no product ${campaign.slug}`);
  const storeId = `com.example.${subject.slug.replaceAll("-", "")}`;
  const format = campaign.fields.campaign_format;
  const { id } = await insertCampaign(client, accountId, {
    at: enteredAt,
    logoUrl: null,
    fields: {
      ...campaign.fields,
      name: campaign.name,
      bundle_id: storeId,
      store_id: storeId,
      app_platform: "android",
      site: `https://${subject.domain}/`,
      start_date: dayOf(startsAt),
      start_time: "14:00",
      end_date: dayOf(startsAt + 90 * DAY_MS),
      end_time: "14:00",
      days: [1, 2, 3, 4, 5, 6, 7],
      day_activity_from: "00:00",
      day_activity_to: "23:59",
      network: "any",
      geo_type: "in",
      region: [],
      platform: ["iphone", "ipad", "android"],
      ios: { all: true, min: "12", max: "26" },
      android: { all: true, min: "5", max: "16" },
      click_link: "",
      view_link: "",
      conversion_event: "install",
      click_window: 7,
      view_window: 24,
      rotation: "even",
      hold_out: 20,
    },
  });
  await setFrozen(client, { id }, campaign.frozen);
  for (const [index, { size, moderation, reason = null }] of campaign.creatives.entries()) {
    const { file, bytes, video } = await (format === "video"
      ? storedVideo(files, subject.slug)
      : storedImage(files, await pngOf(drawImage(size, subject.colours, index + subject.slug.length), size)));
    const upload = await insertUpload(client, accountId, { file, bytes, ...size, video, at: enteredAt });
    await insertCreative(client, id, {
      uploadId: upload.id,
      moderation,
      reason,
      at: enteredAt,
      fields: {
        format,
        store_id: storeId,
        country: "US",
        cta: subject.action,
        title: format === "image" ? `${subject.name}: ${subject.line}`.slice(0, 50) : "",
        skip_timer: format === "video" ? 5 : 0,
        click_url: `https://${subject.domain}/install?click_id={click_id}`,
        tracking_url: "",
        image_url: pathOfFile(file),
      },
    });
  }
}

interface StoredCreative {
  file: string;
  bytes: number;
  video: VideoFacts | null;
}

const storedImage = async (files: StoredFiles, image: Buffer): Promise<StoredCreative> => ({
  file: await files.put(image, "png"),
  bytes: image.length,
  video: null,
});

/** Stores a video of `demo/media`. */
export async function storedVideo(files: StoredFiles, slug: string): Promise<StoredCreative> {
  const content = await readFile(new URL(`${slug}.mp4`, MEDIA));
  const facts = {
    type: VIDEO_TYPES.mp4,
    duration_ms: VIDEO_SECONDS * 1000,
    bitrate_kbps: Math.round((content.length * 8) / VIDEO_SECONDS / 1000),
    codecs: "H.264",
    plays: true,
  };
  return { file: await files.put(content, "mp4"), bytes: content.length, video: facts };
}
