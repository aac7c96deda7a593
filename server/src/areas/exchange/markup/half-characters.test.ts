import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { rewardsArea } from "../../rewards/index.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsMarkup, VIDEO_AD } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, fire, post, startSession } from "../testing/start-exchange.ts";

// JSON can hold half of a character, as a name that was cut within an emoji ends in one. No address can.
const HALF = "\ud83d";

const at = await exchangeForEachTest();
const nativeTo = (url: string) =>
  bidsMarkup(JSON.stringify({ ver: "1.2", assets: [{ id: 1, title: { text: "Hello" } }], link: { url } }), 4);

test("half a character in one bidder's native ad costs the other bidders' ads nothing", async () => {
  await at.partner("odd", nativeTo(`https://shop.example/${HALF}`), { media_types: ["native"] });
  await at.partner("rival", nativeTo("https://rival.example/"), { media_types: ["native"] });
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app), { format: "native" });
  expect(ads.map(({ provider }) => provider)).toContain("rival");
});

test.each([
  ["https://shop.example/日本?q=säge", "https://shop.example/%E6%97%A5%E6%9C%AC?q=s%C3%A4ge"],
  ["https://bücher.example/", "https://xn--bcher-kva.example/"],
  ["https://shop.example/a\u0001b", "https://shop.example/a%01b"],
  [`https://shop.example/${HALF}`, "https://shop.example/%EF%BF%BD"],
  ["https://shop.example/a%20b?to={x}#top", "https://shop.example/a%20b?to={x}#top"],
])("a click on a native ad for %j leads to %j", async (url, location) => {
  await at.partner("buyer", nativeTo(url), { media_types: ["native"] });
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app), { format: "native" });
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  at.exchange.clock.offsetMs += 2000;
  const led = await fire(at.exchange, ads[0]?.beacons.click ?? "");
  expect([led.statusCode, led.headers.location]).toEqual([302, location]);
});

test.each([
  ["advertising id", { device: { ...DEVICE, ifa: HALF } }, "{device_id}"],
  ["TCF string", { consent: { tcf: HALF } }, "{gdpr_consent}"],
  ["GPP string", { consent: { gpp: HALF } }, "{gpp}"],
])("half a character in a request's %s costs no ad, though a line item's tag asks for it", async (_, more, macro) => {
  await at.partner("rival", bidsAt(2));
  const source = { kind: "html", html: `<img src="https://tag.example/?x=${macro}">`, size: { w: 320, h: 50 } };
  await at.stores.pg.pool.query(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, gvl_id, created_at)
     VALUES ($1, 'Tag', 'banner', '{}', true, $2, '[{"country": null, "price": 3000000}]', NULL, now())`,
    [at.app.id, JSON.stringify(source)],
  );
  await at.exchange.exchange.reloadConfig();
  const session = await startSession(at.exchange, at.app);
  const ask = { session, zone: "main", format: "banner", device: DEVICE, ...more };
  const reply = await post(at.exchange, "/sdk/v1/ad", ask);
  expect(reply.statusCode).toBe(200);
});

test("a publisher's server is told of a reward whose custom data ends in half a character", async () => {
  const calls: URL[] = [];
  const game = await serveHttp((request, reply) => {
    calls.push(new URL(request.url ?? "", "http://game.example"));
    reply.end();
  });
  const { pool } = at.stores.pg;
  await pool.query("UPDATE apps SET reward_callback_url = $1, reward_name = 'coins', reward_amount = 5 WHERE id = $2", [
    `${game}/reward`,
    at.app.id,
  ]);
  const rewards = rewardsArea({
    pool,
    log: silentLog,
    secrets: ["a secret for tests of at least 32 bytes"],
    clock: { now: () => at.exchange.clock.now() },
    trustedOrigins: new Set([game]),
  });
  await rewards.start?.();
  onTestFinished(() => rewards.stop?.());
  await at.restart({ rewards });
  await at.partner("buyer", bidsMarkup(VIDEO_AD, 2));
  const asked = { format: "rewarded", zone: "life", custom_data: `Mia ${HALF}` };
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app), asked);
  const { impression = "", reward = "" } = ads[0]?.beacons ?? {};
  await fire(at.exchange, impression);
  at.exchange.clock.offsetMs += 16_000;
  expect((await fire(at.exchange, reward)).statusCode).toBe(200);
  await expect.poll(() => calls[0]?.searchParams.get("custom_data")).toBe("Mia \ufffd");
});
