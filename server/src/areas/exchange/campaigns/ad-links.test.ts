import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { clickIds } from "../../measurement/index.ts";
import { campaignMarket } from "../testing/campaign-market.ts";
import { askForAd, fire, startSession } from "../testing/start-exchange.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";

const market = await campaignMarket(await testStores());
const SECRETS = ["a secret for tests of at least 32 bytes"];
const events = () => market.exchange.rows<{ kind: string; invalid: string }>("events");
const MACROS =
  "id={click_id}&c={campaign_id}&r={creative_id}&s={creative_size}&b={app_bundle}&g={country}&p={platform}&d={device_id_sha1}";

/** Asks for ads until the campaign's is among them: the answer waits for a lease in the background. */
async function adOf(session: string, more: object = {}) {
  for (let tries = 0; tries < 200; tries++) {
    const { ads } = await askForAd(market.exchange, session, more);
    const ad = ads.find(({ provider }) => provider === "campaigns");
    if (ad) return ad;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  throw new Error("the campaign does not bid");
}

test("a block of the creative's site or of the site that its campaign's link opens keeps it from an app", async () => {
  await market.campaign({
    click_link: "https://track.example/{click_id}",
    creatives: [market.advertiser.someCreative({ click_url: "https://www.shop.example/" })],
  });
  const sites = async (badv: string[]) => {
    const answer = await askOpenrtb(market.exchange, { ...bannerRequest(), badv });
    return answer.seatbid?.flatMap(({ bid }) => bid.map(({ adomain }) => adomain)) ?? [];
  };
  await expect.poll(() => sites([])).toEqual([["shop.example", "track.example"]]);
  expect(await sites(["shop.example"])).toEqual([]);
  expect(await sites(["track.example"])).toEqual([]);
});

test("a click leads to its link with the macros filled, whichever of the SDK's two calls comes first", async () => {
  const { id, uuid } = await market.campaign({
    click_link: `https://track.example/{zone}?${MACROS}`,
    creatives: [
      market.advertiser.someCreative({ click_url: "https://play.google.com/store/apps/details?id=com.example" }),
    ],
  });
  const session = await startSession(market.exchange, market.app);
  const linkOf = (ad: { markup: { content: string } }) =>
    /href="([^"]+)"/.exec(ad.markup.content)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const ads = [await adOf(session, { zone: "shop" }), await adOf(session)];
  market.exchange.clock.offsetMs += 1000;
  const [first, second] = ads;
  if (!first || !second) throw new Error("two ads");
  await fire(market.exchange, first.beacons.impression);
  await fire(market.exchange, first.beacons.click);
  const led = new URL(String((await fire(market.exchange, linkOf(first))).headers.location));
  expect([led.origin + led.pathname, led.searchParams.get("c")]).toEqual(["https://track.example/shop", uuid]);
  expect(Object.fromEntries(led.searchParams)).toMatchObject({
    s: "320x50",
    b: "com.example.game",
    g: "DE",
    p: "android",
    d: "",
  });
  const opened = clickIds(SECRETS).open(led.searchParams.get("id") ?? "");
  expect(opened).toMatchObject({ kind: "click", campaignId: id, appId: market.app.id, country: "DE", test: false });
  // The link first: it counts, and the SDK's own call repeats it.
  await fire(market.exchange, second.beacons.impression);
  await fire(market.exchange, linkOf(second));
  await fire(market.exchange, second.beacons.click);
  const clicks = (await events()).filter(({ kind }) => kind === "click");
  expect(clicks.map(({ invalid }) => invalid)).toEqual(["", ""]);
  // Further repetitions are noted.
  await fire(market.exchange, second.beacons.click);
  expect((await events()).filter(({ invalid }) => invalid === "replayed")).toHaveLength(1);
});

test("a click that does not count leads on without a click id", async () => {
  await market.campaign({ click_link: `https://track.example/?${MACROS}` });
  const ad = await adOf(await startSession(market.exchange, market.app));
  market.exchange.clock.offsetMs += 1000;
  await fire(market.exchange, ad.beacons.impression);
  const link = /href="([^"]+)"/.exec(ad.markup.content)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const reply = await fire(market.exchange, link, { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  expect(new URL(String(reply.headers.location)).searchParams.get("id")).toBe("");
});
