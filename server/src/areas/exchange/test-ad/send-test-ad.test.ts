import { randomUUID } from "node:crypto";
import { FORMATS, type Format, type TestAdReply } from "@millrace/contract";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { BANNER_HTML, bidsAt, bidsMarkup, bidsNothing, VIDEO_AD } from "../testing/start-bidder.ts";
import { type EventRow, fire, insertApp, post } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const send = async (body: object = { format: "banner" }, uuid = at.app.uuid) => {
  const reply = await post(at.exchange, `/apps/${uuid}/test_ad`, body, { "sec-fetch-site": "same-origin" });
  return { status: reply.statusCode, body: reply.json<TestAdReply>() };
};

test("a test ad is sold for real, and neither it nor its impression is counted or paid", async () => {
  const high = await at.partner("high", bidsAt(2.5));
  await at.partner("low", bidsAt(1.25));
  const { status, body } = await send();
  expect([status, body]).toMatchObject([
    200,
    {
      zone: "test_banner",
      ad: { provider: "high", name: "Partner high", price: 2_500_000, markup: { type: "html", content: BANNER_HTML } },
      no_ad: null,
    },
  ]);
  expect(body.duration_ms).toBeGreaterThan(0);
  expect(high.requests).toMatchObject([{ id: body.auction, test: 1, imp: [{ banner: { w: 320, h: 50 } }] }]);
  await fire(at.exchange, body.ad?.impression ?? "");
  expect(await at.exchange.rows("auctions")).toEqual([]);
  expect(await at.exchange.rows<EventRow>("events")).toMatchObject([{ kind: "impression", invalid: "test" }]);
  expect(high.notices.filter((notice) => notice.startsWith("/billing"))).toEqual([]);
  const { rows } = await at.stores.pg.pool.query("SELECT FROM zones WHERE app_id = $1", [at.app.id]);
  expect(rows).toHaveLength(0);
});

test("partners are asked wherever the dashboard is read, and learn nothing of who reads it", async () => {
  await at.restart({ settings: { gdprCountries: new Set(["GB"]) }, geo: () => "GB" });
  const buyer = await at.partner("buyer", bidsAt(1));
  const headers = { "sec-fetch-site": "same-origin", "x-forwarded-for": "81.2.69.142" };
  await post(at.exchange, `/apps/${at.app.uuid}/test_ad`, { format: "banner" }, headers);
  expect(buyer.requests).toMatchObject([{ device: { ip: "81.2.69.0", lmt: 1 }, regs: { gdpr: 0 } }]);
});

test("its trace is there at once, even where traces are not kept", async () => {
  await at.restart({ settings: { demo: false, traceShare: 0 } });
  await at.partner("buyer", bidsAt(1));
  const { body } = await send();
  const explained = await at.exchange.app.inject(`/auctions/${body.auction}.json`);
  expect([explained.statusCode, explained.json()]).toMatchObject([
    200,
    { test: true, imps: [{ order: [{ provider: "buyer", price: 1_000_000 }] }], replays: true },
  ]);
});

test("every format can be tested, in the app's own zone of that format or a given one", async () => {
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 2));
  await at.stores.pg.pool.query(
    "INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'preroll', 'Pre-roll', 'video')",
    [at.app.id],
  );
  await at.exchange.exchange.reloadConfig();
  const { body } = await send({ format: "video" });
  expect(body).toMatchObject({ zone: "preroll", ad: { markup: { type: "vast" } } });
  expect((await send({ format: "video", zone: "mid" })).body.zone).toBe("mid");
  expect(buyer.requests.at(-1)).toMatchObject({ imp: [{ video: { w: 640, h: 360 } }] });
  for (const format of FORMATS satisfies readonly Format[]) expect((await send({ format })).status).toBe(200);
  expect((await send({ format: "video", zone: ".." })).status).toBe(400);
  expect((await send({ format: "poster" })).status).toBe(400);
});

test("without an ad, the answer says why", async () => {
  const reasonOf = async (uuid?: string) => (await send({ format: "banner" }, uuid)).body.no_ad;
  expect(await reasonOf()).toMatchObject({ code: "no_partner_ready" });
  await at.partner("shy", bidsNothing);
  expect(await reasonOf()).toEqual({ code: "no_demand", text: "Partners had no demand" });
  await at.stores.pg.pool.query("UPDATE apps SET moderation = 'check' WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  expect(await reasonOf()).toEqual({ code: "app_not_live", text: "The app is not live" });
});

test("an app that was just added can be tested, a sample app cannot, and another account's is not found", async () => {
  const { pool } = at.stores.pg;
  const [waiting, sample] = [randomUUID(), randomUUID()];
  await at.restart({ findApp: async (_, uuid) => (uuid === sample || uuid === waiting ? { uuid } : undefined) });
  const insert = (uuid: string, demo: boolean) =>
    pool.query(
      "INSERT INTO apps (uuid, account_id, name, bundle_id, platform, demo) VALUES ($1::uuid, $2, 'New', $1::text, 'android', $3)",
      [uuid, at.app.accountId, demo],
    );
  await insert(waiting, false);
  await insert(sample, true);
  expect((await send({ format: "banner" }, waiting)).status).toBe(200);
  expect(await send({ format: "banner" }, sample)).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining("Sample apps serve no ads") },
  });
  const foreign = await insertApp(at.stores);
  await at.exchange.exchange.reloadConfig();
  expect((await send({ format: "banner" }, foreign.uuid)).status).toBe(404);
});

test("an account sends only so many test ads a minute", async () => {
  for (let nth = 0; nth < 20; nth++) expect((await send()).status).toBe(200);
  expect(await send()).toMatchObject({
    status: 429,
    body: { error: "Please wait a moment before you send another test ad" },
  });
});
