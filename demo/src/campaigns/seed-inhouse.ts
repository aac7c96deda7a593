import { DAY_MS } from "@millrace/units";
import type { Pool } from "pg";
import { insertInhouse, insertUpload } from "../../../server/src/areas/campaigns/index.ts";
import type { StoredFiles } from "../../../server/src/platform/files/stored-files.ts";
import { pngOf } from "../../../server/src/platform/images/clean-image.ts";
import { inTransaction } from "../../../server/src/platform/postgres/in-transaction.ts";
import { VIDEO_SIZE } from "../lab/serve-creative.ts";
import { type Colours, drawImage } from "./draw-image.ts";
import { storedVideo } from "./seed-campaigns.ts";

interface DemoInhouse {
  title: string;
  desc: string;
  /** The promoted app, and the apps that show it, by slug. */
  app: string;
  shownIn: readonly string[];
  /** CPM in micro-dollars; 0 to fill what nobody bought. */
  price: number;
  storeId: string;
  colours: Colours;
  /** The name of its rewarded video in `demo/media`; an image fills the screen without one. */
  video?: string;
}

/** The number of days for which the cross promotions have been shown. */
const DAYS = 21;

/** Oldest first, as the list shows them last: one competes with bids, one fills what nobody bought, and one is a rewarded video. */
const INHOUSE: readonly DemoInhouse[] = [
  {
    title: "Tide Puzzle: players of our other games",
    desc: "A calm puzzle of tides and tiles",
    app: "tide-puzzle-android",
    shownIn: ["lantern-runner-android", "star-lanes-android"],
    price: 2_000_000,
    storeId: "test.demo.tidepuzzle",
    colours: ["#0f4c81", "#5fb3b3", "#f7d08a"],
  },
  {
    title: "Lantern Runner: free places",
    desc: "Run through the night, one lantern at a time",
    app: "lantern-runner-android",
    shownIn: ["tide-puzzle-android", "tide-puzzle-ios", "star-lanes-android", "paper-fleet-amazon"],
    price: 0,
    storeId: "test.demo.lanternrunner",
    colours: ["#2b1b4d", "#b3475f", "#ffc857"],
  },
  {
    title: "Star Lanes: a video for a reward",
    desc: "Three lanes, and a sky full of stars",
    app: "star-lanes-android",
    shownIn: ["paper-fleet-amazon"],
    price: 0,
    storeId: "test.demo.starlanes",
    colours: ["#101436", "#4f6bd8", "#f3f6ff"],
    video: "night-kite",
  },
];

const SIZES = {
  portrait: { width: 720, height: 1280 },
  landscape: { width: 1280, height: 720 },
};

interface Seed {
  pool: Pool;
  files: StoredFiles;
  accountId: number;
  /** The ids of the publisher's apps by slug. */
  appIds: ReadonlyMap<string, number>;
}

/** Gives the demo's publisher cross promotions, unless the account has ever had one, or has deleted their apps. */
export async function seedInhouse({ pool, files, accountId, appIds }: Seed): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query("SELECT FROM inhouse_campaigns WHERE account_id = $1 LIMIT 1", [accountId]);
    if (rowCount !== 0) return;
    const at = new Date(Date.now() - DAYS * DAY_MS);
    for (const [seed, { title, desc, app, shownIn, price, storeId, colours, video }] of INHOUSE.entries()) {
      const adAppId = appIds.get(app);
      const shown = shownIn.flatMap((slug) => appIds.get(slug) ?? []);
      if (adAppId === undefined || shown.length === 0) continue;
      const upload = async (shape: keyof typeof SIZES) => {
        const image = await pngOf(drawImage(SIZES[shape], colours, seed + 2), SIZES[shape]);
        const file = await files.put(image, "png");
        const draft = { file, bytes: image.length, ...SIZES[shape], video: null, at };
        return (await insertUpload(client, accountId, draft)).id;
      };
      const played = video === undefined ? null : await storedVideo(files, video);
      const videoId = played && (await insertUpload(client, accountId, { ...played, ...VIDEO_SIZE, at })).id;
      await insertInhouse(client, accountId, {
        at,
        adAppId,
        appIds: shown,
        fileIds: { landscape: await upload("landscape"), portrait: await upload("portrait"), video: videoId },
        fields: {
          title,
          desc,
          price,
          geo_type: "not_in",
          country: [],
          ios: { all: true, min: "12", max: "26" },
          android: { all: true, min: "5", max: "16" },
          format: video === undefined ? "image" : "reward",
          target_url: `https://play.google.com/store/apps/details?id=${storeId}`,
          store_id: storeId,
          store_country: "US",
          video_orientation: "all",
          skip_timer: 5,
          interstitial_waterfall: false,
        },
      });
    }
  });
}
