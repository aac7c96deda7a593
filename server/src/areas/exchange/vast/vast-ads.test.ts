import { VASTParser } from "@dailymotion/vast-client";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { JSDOM } from "../testing/dom.ts";
import { bidsMarkup, VIDEO_AD } from "../testing/start-bidder.ts";
import { ANDROID_UA, fire } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const video = { mimes: ["video/mp4"], protocols: [2, 3, 7], w: 640, h: 360 };

test("video, audio and native bids have our impression and click tracking", async () => {
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  await at.partner("audio", bidsMarkup(VIDEO_AD, 3), { media_types: ["audio"] });
  const native = JSON.stringify({
    ver: "1.2",
    assets: [{ id: 1, title: { text: "Hi" } }],
    link: { url: "https://shop.example/" },
  });
  await at.partner("native", bidsMarkup(native, 4), { media_types: ["native"] });
  const asked = async (imp: object) =>
    (await askOpenrtb(at.exchange, bannerRequest({ imp: [{ id: "1", ...imp }] }))).seatbid?.[0]?.bid[0]?.adm ?? "";
  for (const markup of [
    await asked({ video }),
    await asked({ audio: { mimes: ["audio/mpeg"] } }),
    await asked({ native: { request: JSON.stringify({ ver: "1.2", assets: [{ id: 1, title: { len: 20 } }] }) } }),
  ]) {
    expect(markup).toContain("https://ads.example.com/beacon/impression?t=");
    expect(markup).toContain("https://ads.example.com/beacon/click?t=");
  }
});

test("a player that sends credentials may read the tag and the beacons, which do not depend on the signed-in user", async () => {
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const origin = "https://player.example";
  const ask = (url: string, headers: Record<string, string> = {}) =>
    at.exchange.app.inject({ method: "GET", url, headers: { "user-agent": ANDROID_UA, origin, ...headers } });
  const tag = `/vast?app=${at.app.uuid}&zone=player&w=640&h=360`;
  const known = await ask(tag, { cookie: "session=somebody; __Host-session=somebody" });
  const beacons = [...known.body.matchAll(/https:\/\/ads\.example\.com(\/beacon\/[^\]<]+)/g)].map(
    ([, path]) => path ?? "",
  );
  expect(beacons.length).toBeGreaterThan(12);
  for (const reply of [known, await ask(tag), ...(await Promise.all(beacons.map((path) => ask(path))))]) {
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      vary: "Origin",
    });
    expect(reply.headers["set-cookie"]).toBeUndefined();
  }
  // Except for the tokens of each auction, the reply is the same with and without a cookie.
  const shape = (body: string) => body.replaceAll(/t=[\w.-]+/g, "t=");
  expect(shape((await ask(tag)).body)).toBe(shape(known.body));
});

test("a player's tag returns VAST, which is empty without an ad", async () => {
  const tag = (more = "") =>
    at.exchange.app.inject({
      method: "GET",
      url: `/vast?app=${at.app.uuid}&zone=player&w=640&h=360${more}`,
      headers: { "user-agent": ANDROID_UA },
    });
  const empty = await tag();
  expect(empty.statusCode).toBe(200);
  expect(empty.headers).toMatchObject({
    "content-type": "application/xml; charset=utf-8",
    vary: "Origin",
  });
  expect(empty.body).toContain('<VAST version="4.2"');
  expect(empty.body).not.toContain("<Ad");
  const buyer = await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const reply = await tag();
  const { window } = new JSDOM("");
  const document = new window.DOMParser().parseFromString(reply.body, "text/xml");
  const { ads } = await new VASTParser().parseVAST(document, { resolveAll: false });
  const [creative] = ads[0]?.creatives ?? [];
  expect(creative).toMatchObject({ duration: 15, videoClickThroughURLTemplate: { url: "https://shop.example/" } });
  const [impression] = ads[0]?.impressionURLTemplates ?? [];
  await fire(at.exchange, impression?.url ?? "");
  expect(await at.exchange.rows("events")).toMatchObject([
    { kind: "impression", zone: "player", format: "video", invalid: "" },
  ]);
  expect(buyer.requests[0]?.imp[0]).toMatchObject({ video: { w: 640, h: 360 }, tagid: "video-video" });
  expect((await at.exchange.app.inject({ method: "GET", url: "/vast?app=x&zone=a%20b&w=0" })).json()).toEqual({
    error: { app: expect.any(String), zone: expect.any(String), w: expect.any(String) },
  });
});
