import { checkVast, missingAssets, type NativeRequest, parseNativeResponse } from "@millrace/openrtb";
import { beforeAll, expect, test } from "vitest";
import { somePng } from "../../../platform/images/testing/some-images.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { someVideo } from "../../../platform/videos/testing/some-videos.ts";
import { formOf } from "../../campaigns/testing/campaigns-server.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { campaignMarket } from "../testing/campaign-market.ts";
import { ANDROID_UA, askForAd, fire, startSession } from "../testing/start-exchange.ts";

const market = await campaignMarket(await testStores());
const { someCreative, me } = market.advertiser;

/** Addresses of the advertiser's uploads. */
const files = { mp4: "", mov: "", image: "" };
const uploaded = async (content: Buffer, kind: "image" | "video") => {
  const form = formOf({ content, fileName: "upload" });
  return String((await market.advertiser.at.uploadBytes(me.accountId, form, kind)).body["url"]);
};
beforeAll(async () => {
  files.mp4 = await uploaded(await someVideo("h264.mp4"), "video");
  files.mov = await uploaded(await someVideo("h264.mov"), "video");
  files.image = await uploaded(await somePng(720, 1280), "image");
});

const videoCampaign = (creative: object = {}, campaign: object = {}) =>
  market.campaign({
    campaign_format: "video",
    creatives: [someCreative({ format: "video", image_url: files.mp4, skip_timer: 0, ...creative })],
    ...campaign,
  });
const imageCampaign = (creative: object = {}) =>
  market.campaign({
    campaign_format: "image",
    creatives: [someCreative({ format: "image", image_url: files.image, title: "Fold and float", ...creative })],
  });

const device = { ip: "203.0.113.7", ua: ANDROID_UA, os: "Android", osv: "14", model: "Pixel 8" };
const bidFor = async (imp: object) => {
  const request = bannerRequest({ imp: [{ id: "1", ...imp }], device });
  return (await askOpenrtb(market.exchange, request)).seatbid?.[0]?.bid[0];
};

const mp4 = { mimes: ["video/mp4"] };
test.each<[string, object, boolean]>([
  ["a video", { video: mp4 }, true],
  ["a full-screen video", { instl: 1, video: { ...mp4, w: 360, h: 800 } }, true],
  ["a full screen for video or banner", { instl: 1, banner: { format: [{ w: 360, h: 800 }] }, video: mp4 }, true],
  ["a rewarded video", { rwdd: 1, video: mp4 }, true],
  ["a full screen without video", { instl: 1, banner: { format: [{ w: 360, h: 800 }] } }, false],
  ["a banner", { banner: { format: [{ w: 320, h: 50 }] } }, false],
  ["a banner or video in the content", { banner: { format: [{ w: 320, h: 50 }] }, video: mp4 }, false],
  ["a native ad", { native: { request: JSON.stringify({ assets: [{ id: 1, title: { len: 90 } }] }) } }, false],
  ["a sound", { audio: { mimes: ["audio/mpeg"] } }, false],
  ["a video of another type", { video: { mimes: ["video/webm"] } }, false],
  ["a video of at most 3 seconds", { video: { ...mp4, maxduration: 3 } }, false],
  ["a video of at least 5 seconds", { video: { ...mp4, minduration: 5 } }, false],
  ["a video of its 4 seconds", { video: { ...mp4, minduration: 4, maxduration: 4 } }, true],
  ["a video by a protocol that is no VAST", { video: { ...mp4, protocols: [9] } }, false],
])("a video campaign and a request for %s", async (_, imp, wins) => {
  await videoCampaign();
  const bid = await bidFor(imp);
  expect(bid && [bid.mtype, bid.dur, bid.price]).toEqual(wins ? [2, 4, 1.25] : undefined);
});

test("a MOV is sold where QuickTime is asked for, under its own type, and nowhere else", async () => {
  await videoCampaign({ image_url: files.mov });
  expect(await bidFor({ video: mp4 })).toBeUndefined();
  const bid = await bidFor({ video: { mimes: ["video/quicktime"], protocols: [2, 3] } });
  expect(bid?.adm).toContain('type="video/quicktime"');
  expect([bid?.adm?.includes('version="3.0"'), checkVast(bid?.adm ?? "")]).toEqual([true, []]);
});

test("auctions that a campaign lost for the length or type of its videos are counted as that, and tests are not", async () => {
  // Misses are kept for 30 days of the store's own clock.
  market.exchange.clock.offsetMs = 0;
  const { id } = await videoCampaign();
  await bidFor({ video: { ...mp4, maxduration: 3 } });
  await bidFor({ video: { mimes: ["video/webm"] } });
  await bidFor({ video: mp4 });
  const imp = [{ id: "1", video: { mimes: ["video/webm"] } }];
  await askOpenrtb(market.exchange, bannerRequest({ imp, device, test: 1 }));
  const misses = await market.exchange.rows<{ campaign_id: number; reason: string; auctions: number }>(
    "campaign_misses",
  );
  expect(misses.map((row) => [row.campaign_id, row.reason, row.auctions])).toEqual([[id, "creative_misfit", 2]]);
});

test("a video's VAST is valid, leads to the advertiser, and is billed by its impression as an image is", async () => {
  const { id } = await videoCampaign({ skip_timer: 5 }, { bid: { type: "cpm", value: 3_000_000, daily: 300_000_000 } });
  const session = await startSession(market.exchange, market.app);
  const asked = async (format: string) => {
    const { ads } = await askForAd(market.exchange, session, { format });
    return ads[0];
  };
  const ad = await asked("video");
  expect([ad?.provider, ad?.markup.type]).toEqual(["campaigns", "vast"]);
  const xml = ad?.markup.content ?? "";
  expect(checkVast(xml)).toEqual([]);
  for (const part of [
    '<VAST version="4.2"',
    "https://ads.example.com" + files.mp4,
    'type="video/mp4" width="320" height="180" bitrate="75"',
    "<Duration>00:00:04.000</Duration>",
    '<UniversalAdId idRegistry="Millrace">',
    // Less than its money is held.
    "<Expires>1500</Expires>",
  ])
    expect(xml).toContain(part);
  // Four seconds are over before five: nothing to skip, and a reward is not skipped at all.
  expect(xml).not.toContain("skipoffset");
  expect((await asked("rewarded"))?.markup.type).toBe("vast");

  const addressOf = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? "";
  await fire(market.exchange, addressOf(/<Impression>.*?(https:[^\]<]+)/));
  const quartile = await fire(market.exchange, addressOf(/event="firstQuartile">.*?(https:[^\]<]+)/));
  expect(quartile.statusCode).toBe(200);
  market.exchange.clock.offsetMs += 1000;
  const led = await fire(market.exchange, addressOf(/<ClickThrough>.*?(https:[^\]<]+)/));
  expect([led.statusCode, led.headers.location]).toEqual([302, "https://shop.example/tide"]);
  expect(xml).not.toContain("ClickTracking");
  const events = await market.exchange.rows<{
    kind: string;
    campaign_id: number;
    invalid: string;
    cost_micros: string;
  }>("events");
  const counted = events.filter(({ kind }) => kind === "impression" || kind === "click");
  expect(counted.map((row) => [row.kind, row.campaign_id, row.invalid, Number(row.cost_micros)])).toEqual([
    ["impression", id, "", 3000],
    ["click", id, "", 0],
  ]);
  const [row] = await market.exchange.rows<{ media: string[]; campaign_id: number }>("auctions");
  expect(row).toMatchObject({ media: ["video"], campaign_id: id });
});

test("a player's tag gets a campaign's video", async () => {
  await videoCampaign();
  const tag = `/vast?app=${market.app.uuid}&zone=player&w=640&h=360`;
  const reply = await market.exchange.app.inject({ url: tag, headers: { "user-agent": ANDROID_UA } });
  expect([reply.statusCode, checkVast(reply.body)]).toEqual([200, []]);
  expect(reply.body).toContain(files.mp4);
});

const NATIVE: NativeRequest = {
  ver: "1.2",
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
    { id: 3, data: { type: 12 } },
  ],
};

test("an image with a headline is sold as a native ad, with our trackers and the place's assets", async () => {
  await imageCampaign();
  const bid = await bidFor({ native: { request: JSON.stringify(NATIVE) } });
  const answer = parseNativeResponse(bid?.adm);
  if (!answer.ok) throw new Error(answer.error.message);
  expect(missingAssets(NATIVE, answer.value)).toEqual([]);
  expect(answer.value.assets).toEqual([
    { id: 1, title: { text: "Fold and float" } },
    { id: 2, img: { type: 3, url: `https://ads.example.com${files.image}`, w: 720, h: 1280 } },
    { id: 3, data: { type: 12, value: "Install" } },
  ]);
  // Its link counts the click and leads on; nothing else counts it again.
  expect(answer.value.link.clicktrackers).toBeUndefined();
  const led = await fire(market.exchange, answer.value.link.url);
  expect([led.statusCode, led.headers.location]).toEqual([302, "https://shop.example/tide"]);
  expect(answer.value.eventtrackers).toMatchObject([{ event: 1, method: 1 }]);
  expect(bid?.mtype).toBe(4);

  const session = await startSession(market.exchange, market.app);
  const { ads } = await askForAd(market.exchange, session, { format: "native" });
  expect(ads.map(({ provider, markup }) => [provider, markup.type])).toEqual([["campaigns", "native"]]);
  await fire(market.exchange, ads[0]?.beacons.impression ?? "");
  const events = await market.exchange.rows<{ kind: string; cost_micros: string; format: string }>("events");
  const shown = events.filter(({ kind }) => kind === "impression");
  expect(shown.map(({ cost_micros, format }) => [Number(cost_micros), format])).toEqual([[1250, "native"]]);
});

test("an image without a headline, or for a place that needs more, is not sold as a native ad", async () => {
  await imageCampaign({ title: "" });
  expect(await bidFor({ native: { request: JSON.stringify(NATIVE) } })).toBeUndefined();
  await imageCampaign();
  const assets = [...NATIVE.assets, { id: 4, required: 1, data: { type: 2 } }];
  expect(await bidFor({ native: { request: JSON.stringify({ ...NATIVE, assets }) } })).toBeUndefined();
});
