import { randomUUID } from "node:crypto";
import { type BodyInput, type debugToken, type Reply, sdkAd, sdkDebug } from "@millrace/contract";
import { beforeEach, expect, test } from "vitest";
import { keyringOf } from "../delivery/secrets.ts";
import { openDebugPass, signDebugPass } from "../delivery/debug-token.ts";
import { signSession } from "../delivery/session-token.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsNothing } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, type EventRow, fire, insertApp, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const HOUR_MS = 3_600_000;
const keyring = keyringOf(["a secret for tests of at least 32 bytes"]);

let token = "";
beforeEach(async () => {
  token = (await makeToken()).body.token;
});

async function makeToken(uuid = at.app.uuid) {
  const url = `/apps/${uuid}/debug_token`;
  const reply = await at.exchange.app.inject({ method: "POST", url, headers: { "sec-fetch-site": "same-origin" } });
  return { status: reply.statusCode, body: reply.json<Reply<typeof debugToken>>() };
}

async function debug(body: BodyInput<typeof sdkDebug>) {
  const reply = await post(at.exchange, "/sdk/v1/debug", body);
  if (reply.statusCode === 200) sdkDebug.reply.parse(reply.json());
  return { status: reply.statusCode, body: reply.json<Reply<typeof sdkDebug> & { error?: unknown }>() };
}

const askAs = async (more: object, session?: string) => {
  const body = { session: session ?? (await startSession(at.exchange, at.app)), zone: "main", format: "banner" };
  return post(at.exchange, "/sdk/v1/ad", { ...body, device: DEVICE, ...more });
};

test("the debugger learns of the app, its partners and its last auctions, with each partner's reason, and never a key", async () => {
  await at.restart({ settings: { demo: true }, siteState: async () => "missing" });
  await at.partner("high", bidsAt(2.5), { keys: { placement: "a-secret-placement" } });
  await at.partner("low", bidsAt(1.25));
  await at.partner("none", bidsNothing);
  await at.stores.pg.pool.query(
    "INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'main', 'Home', 'banner')",
    [at.app.id],
  );
  await at.exchange.exchange.reloadConfig();
  const { auction } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await at.exchange.rows("traces");
  const { status, body } = await debug({ token, auctions: [auction, auction] });
  expect([status, body]).toMatchObject([
    200,
    {
      app: { uuid: at.app.uuid, name: "Puzzle", is_live: true, is_switched_off: false },
      app_ads: "missing",
      zones: [{ zone: "main", name: "Home", format: "banner", refresh_seconds: 30 }],
      partners: [
        { provider: "high", name: "Partner high", is_on: true, has_banner_keys: true, is_paused: false },
        { provider: "low" },
        { provider: "none" },
      ],
      auctions: [{ auction, zone: "main", format: "banner", test: false, price: 2_500_000 }],
    },
  ]);
  expect(body.auctions).toHaveLength(1);
  const byId = Object.fromEntries(body.auctions[0]?.participants.map((each) => [each.provider, each.result]) ?? []);
  expect(byId).toMatchObject({ high: "won", low: "outbid", none: "no_bid" });
  expect(body.auctions[0]?.participants.every(({ text }) => text !== "")).toBe(true);
  expect(JSON.stringify(body)).not.toContain("a-secret-placement");
});

test("a request of the debugger is a test whatever it says: its trace is kept, and nothing is counted, billed or told to bidders as paid", async () => {
  await at.restart({ settings: { demo: false, traceShare: 0 } });
  const [high, low] = [await at.partner("high", bidsAt(2.5)), await at.partner("low", bidsAt(1.25))];
  const reply = await askAs({ test: 0, debug: { token, provider: "low" } });
  const { ads, auction } = sdkAd.reply.parse(reply.json());
  expect(ads.map(({ provider }) => provider)).toEqual(["low"]);
  expect(high.requests).toEqual([]);
  expect(low.requests).toMatchObject([{ id: auction, test: 1 }]);
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  await fire(at.exchange, ads[0]?.beacons.click ?? "");
  expect(await at.exchange.rows("auctions")).toEqual([]);
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.filter(({ kind }) => kind !== "session").map(({ kind, invalid }) => [kind, invalid])).toEqual([
    ["impression", "test"],
    ["click", "test"],
  ]);
  expect(low.notices.filter((notice) => notice.startsWith("/billing"))).toEqual([]);
  const { body } = await debug({ token, auctions: [auction] });
  expect(body.auctions).toMatchObject([{ auction, test: true, participants: [{ provider: "low", result: "won" }] }]);
});

test("a provider that the app does not have leaves nobody to ask, also no campaign, cross promotion or line item", async () => {
  const buyer = await at.partner("buyer", bidsAt(2));
  for (const provider of ["nobody", "campaigns", "inhouse", "line-items"]) {
    const reply = await askAs({ debug: { token, provider } });
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { ads: [], reason: expect.any(String) }]);
  }
  expect(buyer.requests).toEqual([]);
});

test("without a provider, everybody may bid", async () => {
  await at.partner("high", bidsAt(2.5));
  await at.partner("low", bidsAt(1.25));
  const { ads } = sdkAd.reply.parse((await askAs({ debug: { token } })).json());
  expect(ads.map(({ provider }) => provider)).toEqual(["high", "low"]);
});

test("who made a token is in the audit log", async () => {
  const { rows } = await at.stores.pg.pool.query("SELECT action, address::text FROM audit_log WHERE subject = $1", [
    at.app.uuid,
  ]);
  expect(rows).toEqual([{ action: "debug_token_made", address: "127.0.0.1/32" }]);
});

test("the app's key, a session and tokens of other kinds open nothing", async () => {
  const session = await startSession(at.exchange, at.app);
  const facts = { platform: "android", sdkVersion: "1.0.0", device: "1", country: "DE", firstDay: 0 } as const;
  const other = signSession(keyring, { ...facts, appId: at.app.id, startedAt: Date.now() / 1000, demo: false }, "n");
  for (const wrong of ["", "x", at.app.uuid, session, other.token, `${token}x`, token.slice(0, -1), "....", "a.b.c"]) {
    expect([wrong, (await debug({ token: wrong })).status]).toEqual([wrong, 400]);
    expect([wrong, (await askAs({ debug: { token: wrong } }, session)).statusCode]).toEqual([wrong, 400]);
  }
});

test("a token opens one app alone, and for an hour", async () => {
  const foreign = await insertApp(at.stores);
  const buyer = await at.partner("buyer", bidsAt(1), { of: foreign });
  const { auction } = await askForAd(at.exchange, await startSession(at.exchange, foreign));
  await at.exchange.rows("traces");
  expect((await debug({ token, auctions: [auction] })).body.auctions).toEqual([]);
  const before = buyer.requests.length;
  expect((await askAs({ debug: { token } }, await startSession(at.exchange, foreign))).statusCode).toBe(400);
  expect(buyer.requests).toHaveLength(before);
  expect((await makeToken(foreign.uuid)).status).toBe(404);
  at.exchange.clock.offsetMs = HOUR_MS - 60_000;
  expect((await debug({ token })).status).toBe(200);
  at.exchange.clock.offsetMs = HOUR_MS + 1000;
  expect((await debug({ token })).status).toBe(400);
});

test("an app that waits for approval says so, and one that is gone is not found", async () => {
  const { pool } = at.stores.pg;
  await pool.query("UPDATE apps SET moderation = 'check' WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  expect((await debug({ token })).body.app).toMatchObject({ is_live: false, is_switched_off: false });
  await pool.query("UPDATE apps SET moderation = 'banned' WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  expect((await debug({ token })).body.app).toMatchObject({ is_live: false, is_switched_off: true });
  await pool.query("DELETE FROM apps WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  expect((await debug({ token })).status).toBe(404);
});

test("malformed calls are refused, and auctions that nobody has heard of are left out", async () => {
  for (const body of [null, [], {}, { token: 1 }, { token, auctions: "x" }, { token, auctions: ["x"] }]) {
    expect((await post(at.exchange, "/sdk/v1/debug", body)).statusCode).toBe(400);
  }
  const many = Array.from({ length: 11 }, () => randomUUID());
  expect((await debug({ token, auctions: many })).status).toBe(400);
  expect((await debug({ token, auctions: many.slice(1) })).body.auctions).toEqual([]);
});

test("a debugger may ask only so often", async () => {
  for (let nth = 0; nth < 60; nth++) expect((await debug({ token })).status).toBe(200);
  expect((await debug({ token })).status).toBe(429);
  expect((await askAs({ debug: { token } })).statusCode).toBe(429);
});

test("a pass is read with the secret that signed it, also after another came first", () => {
  const pass = { appId: 7, expiresAt: 1000 };
  const signed = signDebugPass(keyringOf(["an older secret of at least 32 bytes..."]), pass);
  const both = keyringOf(["a newer secret of at least 32 bytes....", "an older secret of at least 32 bytes..."]);
  expect(openDebugPass(both, signed, 999)).toEqual(pass);
  expect(openDebugPass(both, signed, 1000)).toBeNull();
  expect(openDebugPass(keyring, signed, 999)).toBeNull();
});

test("an exchange process without a dashboard answers the debugger, and makes no tokens", async () => {
  await at.restart({ serves: { devices: true, dashboard: false }, siteState: async () => "found" });
  await at.partner("buyer", bidsAt(1));
  const { auction } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  await at.exchange.rows("auctions");
  const { status, body } = await debug({ token, auctions: [auction] });
  expect([status, body]).toMatchObject([
    200,
    { app: { uuid: at.app.uuid }, app_ads: "found", auctions: [{ auction, participants: [{ provider: "buyer" }] }] },
  ]);
  expect((await debug({ token: "forged" })).status).toBe(400);
  expect((await makeToken()).status).toBe(404);
});
