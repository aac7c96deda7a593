import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsMarkup } from "../testing/start-bidder.ts";
import { ANDROID_UA, askForAd, type EventRow, fire, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("a click counts once, after its impression, and only then", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  const { ads } = await askForAd(at.exchange, session);
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  at.exchange.clock.offsetMs = 500;
  const early = fire(at.exchange, click);
  await sleep(100);
  await fire(at.exchange, impression);
  await early;
  await Promise.all([fire(at.exchange, click), fire(at.exchange, click)]);
  const { ads: others } = await askForAd(at.exchange, session);
  at.exchange.clock.offsetMs = 1500;
  await fire(at.exchange, others[0]?.beacons.click ?? "");
  const clicks = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "click");
  expect(clicks.filter(({ invalid }) => invalid === "")).toHaveLength(1);
  expect(new Set(clicks.map(({ invalid }) => invalid))).toEqual(new Set(["", "replayed", "click_without_impression"]));
});

test("HEAD, by which link checkers look at addresses, counts nothing and holds no auction", async () => {
  await at.partner("buyer", bidsAt(1));
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  const tag = `https://x.example/vast?app=${at.app.uuid}&zone=home&ua=${encodeURIComponent(ANDROID_UA)}`;
  for (const url of [impression, click, tag]) {
    const { pathname, search } = new URL(url);
    const reply = await at.exchange.app.inject({ method: "HEAD", url: `${pathname}${search}` });
    expect([pathname, reply.statusCode]).toEqual([pathname, 404]);
  }
  expect((await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind !== "session")).toEqual([]);
  expect(await at.exchange.rows("auctions")).toHaveLength(1);
});

test("a replayed beacon counts once, also across a restart", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  const { ads } = await askForAd(at.exchange, session);
  const url = ads[0]?.beacons.impression ?? "";
  await fire(at.exchange, url);
  await post(at.exchange, "/sdk/v1/ping", { session, seq: 1, seconds: 3 });
  await at.restart({ dataDir: at.exchange.dataDir });
  let reply = await fire(at.exchange, url);
  // The first moments after a start may put it off, but never count it again.
  for (let tries = 0; reply.statusCode === 503 && tries < 50; tries++) {
    await sleep(50);
    reply = await fire(at.exchange, url);
  }
  expect(reply.statusCode).toBe(200);
  await post(at.exchange, "/sdk/v1/ping", { session, seq: 1, seconds: 3 });
  const counted = (await at.exchange.rows<EventRow>("events")).filter(({ invalid }) => invalid === "");
  expect(counted.filter(({ kind }) => kind === "impression")).toHaveLength(1);
  expect(counted.filter(({ kind }) => kind === "ping")).toHaveLength(1);
});

test.each([false, true])(
  "only the first shown ad of an answer is paid, also after a restart (%s)",
  async (restarts) => {
    await at.partner("high", bidsAt(2.5));
    await at.partner("low", bidsAt(2));
    const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
    const [high = "", low = ""] = ads.map(({ beacons }) => beacons.impression);
    await fire(at.exchange, high);
    if (restarts) await at.restart({ dataDir: at.exchange.dataDir });
    // Until what was counted before the restart is read, it is put off.
    await expect.poll(async () => (await fire(at.exchange, low)).statusCode).toBe(200);
    const rows = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "impression");
    expect(rows.map(({ provider, invalid }) => [provider, invalid])).toEqual([
      ["high", ""],
      ["low", "other_ad_shown"],
    ]);
  },
);

test("forged, changed and expired beacons are recorded as invalid and earn nothing", async () => {
  await at.partner("buyer", bidsAt(1));
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  expect((await fire(at.exchange, impression.slice(0, -4))).statusCode).toBe(400);
  expect((await fire(at.exchange, impression.replace("impression", "click"))).statusCode).toBe(400);
  expect(
    (await fire(at.exchange, "https://x.example/beacon/impression?t=1.W10.AAAAAAAAAAAAAAAAAAAAAA")).statusCode,
  ).toBe(400);
  expect((await fire(at.exchange, "https://x.example/beacon/impression")).json()).toEqual({
    error: { t: expect.any(String) },
  });
  at.exchange.clock.offsetMs = 25 * 3_600_000;
  expect((await fire(at.exchange, impression)).statusCode).toBe(200);
  expect((await fire(at.exchange, click)).statusCode).toBe(200);
  const rows = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind !== "session");
  expect(rows.map(({ invalid }) => invalid).sort()).toEqual(["expired", "expired", "forged", "forged", "forged"]);
  expect(rows.every(({ revenue_micros }) => revenue_micros === "0")).toBe(true);
});

test("crawlers and floods are recorded and never billed; a real viewer after a crawler counts", async () => {
  // At the start of a minute: across its end the limit counts a part of the minute before.
  at.exchange.clock.offsetMs = 60_000 - (Date.now() % 60_000);
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  const { ads } = await askForAd(at.exchange, session);
  const url = ads[0]?.beacons.impression ?? "";
  await fire(at.exchange, url, { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  await fire(at.exchange, url, { "user-agent": "" });
  await fire(at.exchange, url, { "user-agent": ANDROID_UA });
  let rows = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "impression");
  expect(
    rows.map(({ invalid, revenue_micros, gross_micros }) => `${invalid} ${revenue_micros} of ${gross_micros}`).sort(),
  ).toEqual([" 800 of 1000", "crawler 0 of 0", "user_agent_missing 0 of 0"]);
  for (let n = 0; n < 14; n++) {
    const { ads: more } = await askForAd(at.exchange, session);
    await fire(at.exchange, more[0]?.beacons.impression ?? "");
    at.exchange.clock.offsetMs += 300;
    await fire(at.exchange, more[0]?.beacons.click ?? "");
  }
  rows = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "click");
  expect(rows.filter(({ invalid }) => invalid === "")).toHaveLength(10);
  expect(rows.filter(({ invalid }) => invalid === "device_flood")).toHaveLength(4);
});

test("of a repeated beacon a few rows are stored, and every repetition is counted with its reason", async () => {
  at.exchange.clock.offsetMs = 60_000 - (Date.now() % 60_000);
  await at.partner("buyer", bidsAt(1));
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  for (let nth = 0; nth <= 20; nth++) await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  for (let nth = 0; nth < 9; nth++) await fire(at.exchange, "https://x.example/beacon/impression?t=forged");
  const rows = await at.exchange.rows<EventRow>("events");
  expect(rows.filter(({ invalid }) => invalid === "replayed")).toHaveLength(5);
  const dropped = await at.exchange.rows<{ invalid: string; events: number }>("dropped_events");
  // Nothing in a forged beacon says whose it is.
  expect(new Set(dropped.map(({ invalid }) => invalid))).toEqual(new Set(["replayed"]));
  expect(dropped.reduce((sum, { events }) => sum + events, 0)).toBe(15);
});

test("a beacon is only acknowledged when it is kept, and may be tried again when it was not", async () => {
  await at.partner("buyer", bidsAt(1));
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
  const { appendAll } = at.exchange.statistics.events;
  at.exchange.statistics.events.appendAll = async () => {
    throw new Problem("unavailable", "The disk is full", { retryAfterSeconds: 1 });
  };
  const refused = await Promise.all([1, 2, 3].map(() => fire(at.exchange, ads[0]?.beacons.impression ?? "")));
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  at.exchange.statistics.events.appendAll = appendAll;
  expect((await fire(at.exchange, ads[0]?.beacons.impression ?? "")).statusCode).toBe(200);
  const rows = await at.exchange.rows<EventRow>("events");
  expect(rows.filter(({ kind }) => kind === "impression")).toHaveLength(1);
});

test("a beacon refused 500 times by a full disk counts when space is back, and so does the next of its device", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  const { ads } = await askForAd(at.exchange, session);
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  at.exchange.clock.offsetMs = 500;
  const { appendAll } = at.exchange.statistics.events;
  at.exchange.statistics.events.appendAll = async () => {
    throw new Problem("unavailable", "The disk is full", { retryAfterSeconds: 1 });
  };
  const crawler = { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" };
  for (let nth = 0; nth < 250; nth++) {
    expect((await fire(at.exchange, impression)).statusCode).toBe(503);
    // An invalid one that could not be kept is not acknowledged either.
    expect((await fire(at.exchange, impression, crawler)).statusCode).toBe(503);
  }
  at.exchange.statistics.events.appendAll = appendAll;
  expect((await fire(at.exchange, impression)).statusCode).toBe(200);
  expect((await fire(at.exchange, click)).statusCode).toBe(200);
  const rows = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind !== "session");
  expect(rows.map(({ kind, invalid }) => `${kind}${invalid}`).sort()).toEqual(["click", "impression"]);
});

test("a click address leads on while its token is good, counted or not, and nowhere after", async () => {
  const native = { ver: "1.2", assets: [{ id: 1, title: { text: "Hello" } }], link: { url: "https://shop.example/" } };
  await at.partner("buyer", bidsMarkup(JSON.stringify(native), 4), { media_types: ["native"] });
  const session = await startSession(at.exchange, at.app);
  const { ads } = await askForAd(at.exchange, session, { format: "native" });
  const { impression, click } = ads[0]?.beacons ?? { impression: "", click: "" };
  await fire(at.exchange, impression);
  at.exchange.clock.offsetMs = 500;
  const led = await fire(at.exchange, click);
  expect([led.statusCode, led.headers.location]).toEqual([302, "https://shop.example/"]);
  const { appendAll } = at.exchange.statistics.events;
  at.exchange.statistics.events.appendAll = async () => {
    throw new Problem("unavailable", "The disk is full", { retryAfterSeconds: 1 });
  };
  // Whoever taps is led on even if the click cannot be stored.
  const [second] = (await askForAd(at.exchange, session, { format: "native" })).ads;
  const uncounted = await fire(at.exchange, second?.beacons.click ?? "");
  expect([uncounted.statusCode, uncounted.headers.location]).toEqual([302, "https://shop.example/"]);
  const elsewhere = await fire(at.exchange, second?.beacons.click.replace("shop.example", "trap.example") ?? "");
  expect([elsewhere.statusCode, elsewhere.headers.location]).toEqual([400, undefined]);
  const leadsNowhere = second?.beacons.click.replace(/&to=.*$/, "") ?? "";
  expect((await fire(at.exchange, leadsNowhere)).statusCode).toBe(503);
  at.exchange.statistics.events.appendAll = appendAll;
  at.exchange.clock.offsetMs = 24 * 3_600_000 + 1000;
  const over = await fire(at.exchange, click);
  expect([over.statusCode, over.headers.location]).toEqual([410, undefined]);
});
