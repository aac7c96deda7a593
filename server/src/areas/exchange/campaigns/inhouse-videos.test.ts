import { checkVast } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { clickIds } from "../../measurement/index.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { type Promotion, PROMOTED_VIDEO, promoteApp } from "../testing/promote-app.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { ANDROID_UA, askForAd, fire, insertApp, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const FILE = `https://ads.example.com/files/${PROMOTED_VIDEO}.mp4`;

const promote = async (some: Promotion) => promoteApp(at, await insertApp(at.stores), some);
const adsIn = async (place: object) =>
  (await askForAd(at.exchange, await startSession(at.exchange, at.app), place)).ads;
const tag = async (query: string) => {
  const url = `/vast?app=${at.app.uuid}&zone=player&${query}`;
  const { statusCode, body } = await at.exchange.app.inject({ url, headers: { "user-agent": ANDROID_UA } });
  expect([statusCode, checkVast(body)]).toEqual([200, []]);
  return body;
};

const PLACES = {
  video: { format: "video" },
  rewarded: { format: "rewarded" },
  screen: { format: "interstitial" },
  banner: { format: "banner" },
  native: { format: "native" },
  wide: { format: "video", w: 640, h: 360 },
};
type Shown = Partial<Record<keyof typeof PLACES, "vast" | "html">>;

const ANY_PLAYER: Shown = { video: "vast", rewarded: "vast", wide: "vast" };
/** Campaigns, and how each place shows them; the others do not. */
const CAMPAIGNS: readonly [Promotion, Shown][] = [
  [{ format: "image" }, { screen: "html" }],
  [{ format: "video" }, ANY_PLAYER],
  [
    { format: "video", waterfall: true },
    { ...ANY_PLAYER, screen: "html" },
  ],
  [{ format: "reward" }, { rewarded: "vast" }],
  [
    { format: "reward", waterfall: true },
    { rewarded: "vast", screen: "html" },
  ],
  // The device's screen is upright, and so is a place of no size of its own.
  [
    { format: "video", orientation: "portrait" },
    { video: "vast", rewarded: "vast" },
  ],
  [{ format: "video", orientation: "landscape" }, { wide: "vast" }],
  [{ format: "video", durationMs: 120_000 }, {}],
  [{ format: "video", extension: "mov" }, {}],
  [{ format: "video", extension: "mov", waterfall: true }, { screen: "html" }],
];

test("an in-house video is shown in the places that take it, and its images where its owner lets them fill", async () => {
  const other = await insertApp(at.stores);
  const session = await startSession(at.exchange, at.app);
  for (const [some, shown] of CAMPAIGNS) {
    await at.stores.pg.pool.query("UPDATE inhouse_campaigns SET deleted_at = now()");
    await promoteApp(at, other, some);
    const found: Shown = {};
    for (const [name, place] of Object.entries(PLACES)) {
      const [ad] = (await askForAd(at.exchange, session, place)).ads;
      if (!ad) continue;
      expect([ad.provider, ad.revenue_micros]).toEqual(["inhouse", 0]);
      Object.assign(found, { [name]: ad.markup.type });
      if (ad.markup.type !== "vast") continue;
      expect(checkVast(ad.markup.content)).toEqual([]);
      expect(ad.markup.content).toContain(FILE);
    }
    expect([some, found]).toEqual([some, shown]);
  }
});

test("its video is played by a tag, can be skipped as its owner says, and leads to its app with a signed click id", async () => {
  await at.restart({ buysForCampaigns: true, geo: () => "DE" });
  const id = await promote({
    format: "video",
    skip: 10,
    url: "https://play.google.com/store/apps/details?id=com.example.tide",
  });
  const xml = await tag("w=640&h=360");
  for (const part of [
    '<VAST version="4.2"',
    "<AdTitle>Try Tide</AdTitle>",
    "<Duration>00:00:20.040</Duration>",
    'skipoffset="00:00:10.000"',
    'type="video/mp4" width="640" height="360" bitrate="900"',
  ])
    expect(xml).toContain(part);
  expect(await tag("max=15")).not.toContain("<Ad ");
  // Who wants the reward watches the whole video.
  expect(await tag("format=rewarded")).not.toContain("skipoffset");

  const addressOf = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? "";
  await fire(at.exchange, addressOf(/<Impression>.*?(https:[^\]<]+)/));
  expect((await fire(at.exchange, addressOf(/event="midpoint">.*?(https:[^\]<]+)/))).statusCode).toBe(200);
  at.exchange.clock.offsetMs += 1000;
  const led = new URL(
    String((await fire(at.exchange, addressOf(/<ClickThrough>.*?(https:[^\]<]+)/))).headers.location),
  );
  expect([led.host, led.searchParams.get("id")]).toEqual(["play.google.com", "com.example.tide"]);
  const referrer = new URLSearchParams(led.searchParams.get("referrer") ?? "");
  const uuid = await at.stores.pg.pool.query<{ uuid: string }>("SELECT uuid FROM inhouse_campaigns");
  expect(referrer.get("utm_campaign")).toBe(uuid.rows[0]?.uuid);
  const opened = clickIds(["a secret for tests of at least 32 bytes"]).open(referrer.get("click_id") ?? "");
  expect(opened).toMatchObject({ kind: "click", campaignId: id, appId: at.app.id, country: "DE", test: false });
  const events = await at.exchange.rows<Record<string, unknown>>("events");
  const shown = events.filter(({ kind }) => kind === "impression" || kind === "click");
  expect(shown.map((row) => [row["kind"], row["campaign_id"], row["format"], Number(row["cost_micros"])])).toEqual([
    ["impression", id, "video", 0],
    ["click", id, "video", 0],
  ]);
});

test("its price is its video's alone, its images only fill, and a caller that compares prices gets neither", async () => {
  await at.partner("rival", bidsAt(2));
  await promote({ format: "video", waterfall: true, price: 3_000_000 });
  expect((await adsIn({ format: "interstitial" })).map(({ provider }) => provider)).toEqual(["rival", "inhouse"]);
  expect((await adsIn({ format: "video" }))[0]).toMatchObject({ provider: "inhouse", revenue_micros: 0 });
  const imp = { id: "1", instl: 1 as const, video: { mimes: ["video/mp4"], w: 360, h: 640 } };
  const bids = (await askOpenrtb(at.exchange, bannerRequest({ imp: [imp] }))).seatbid ?? [];
  expect(bids.map(({ seat }) => seat)).not.toContain("inhouse");
  expect(JSON.stringify(bids)).not.toContain(PROMOTED_VIDEO);
});
