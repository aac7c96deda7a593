import { explainAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { promoteApp } from "../testing/promote-app.ts";
import { bidsMarkup, VIDEO_AD } from "../testing/start-bidder.ts";
import { ANDROID_UA, askForAd, insertApp, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const REASON = "The app's SDK cannot play this format";

const insertRoku = async () => {
  const app = await insertApp(at.stores, { platform: "roku" });
  at.owner.accountId = app.accountId;
  await at.exchange.exchange.reloadConfig();
  return app;
};
const askOn = async (app: Awaited<ReturnType<typeof insertRoku>>, more: object) =>
  askForAd(at.exchange, await startSession(at.exchange, app, { platform: "roku" }), more);

test("the audio zone of a Roku channel gets no ad, a reason, and asks nobody", async () => {
  const roku = await insertRoku();
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 3), { of: roku, media_types: ["audio", "video"] });
  const { ads, reason, auction } = await askOn(roku, { format: "audio", zone: "radio" });
  expect([ads, reason]).toEqual([[], REASON]);
  expect(buyer.requests).toEqual([]);
  expect(await at.exchange.rows("auctions")).toMatchObject([
    { format: "audio", no_ad: "format_unplayable", asked: [] },
  ]);
  await at.exchange.rows("traces");
  const told = explainAuction.reply.parse((await at.exchange.app.inject(`/auctions/${auction}.json`)).json());
  expect(told).toMatchObject({
    imps: [{ sentence: "This audio request got no ad: the app's SDK cannot play this format on its platform." }],
    participants: [{ name: "Partner buyer", results: [{ text: REASON }] }],
    replays: true,
  });
});

test("a Roku channel without any demand is told the same of its audio zone, in a test ad too", async () => {
  const roku = await insertRoku();
  expect((await askOn(roku, { format: "audio" })).reason).toBe(REASON);
  const tested = await post(
    at.exchange,
    `/apps/${roku.uuid}/test_ad`,
    { format: "audio" },
    { "sec-fetch-site": "same-origin" },
  );
  expect(tested.json()).toMatchObject({ ad: null, no_ad: { code: "format_unplayable", text: REASON } });
});

test("an in-house video fills its video zone, and never its audio zone", async () => {
  const roku = await insertRoku();
  await promoteApp(at, await insertApp(at.stores), { format: "video", apps: [roku] });
  expect((await askOn(roku, { format: "video" })).ads).toMatchObject([{ provider: "inhouse" }]);
  expect(await askOn(roku, { format: "audio" })).toMatchObject({ ads: [], reason: REASON });
});

test("its other formats are sold, and so is audio on other platforms and in a player of its own", async () => {
  const roku = await insertRoku();
  const media = { media_types: ["audio", "video"] };
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { of: roku, ...media });
  expect((await askOn(roku, { format: "video" })).ads).toMatchObject([{ provider: "video" }]);
  await at.partner("audio", bidsMarkup(VIDEO_AD, 3), media);
  expect(await askForAd(at.exchange, await startSession(at.exchange, at.app), { format: "audio" })).toMatchObject({
    ads: [{ provider: "audio" }],
  });
  const radio = await at.partner("radio", bidsMarkup(VIDEO_AD, 3), { of: roku, ...media });
  const url = `/vast?app=${roku.uuid}&zone=radio&format=audio`;
  const { body } = await at.exchange.app.inject({ url, headers: { "user-agent": ANDROID_UA } });
  expect(radio.requests).toHaveLength(1);
  expect(body).toContain("<Ad ");
});

test("a line item's tag is not tried for it, and an adapter that the channel has is", async () => {
  const roku = await insertRoku();
  const add = (name: string, source: object) =>
    at.stores.pg.pool.query(
      `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
       VALUES ($1, $2, 'audio', '{}', true, $3, '[{"country":null,"price":3000000}]', now())`,
      [roku.id, name, JSON.stringify(source)],
    );
  await add("Tag", { kind: "vast", url: "https://tags.example/audio" });
  await at.exchange.exchange.reloadConfig();
  expect(await askOn(roku, { format: "audio" })).toMatchObject({ ads: [], reason: REASON });
  await add("Cedar radio", { kind: "sdk", adapter: "Cedar", params: {} });
  await at.exchange.exchange.reloadConfig();
  const { steps } = await askOn(roku, { format: "audio", adapters: ["Cedar"] });
  expect(steps).toMatchObject([{ type: "adapter", adapter: "Cedar" }]);
});
