import { afterEach, expect, test } from "vitest";
import { CATALOGUE } from "../catalogue.ts";
import { COUNTRIES } from "../countries.ts";
import { seededRandom } from "../random.ts";
import { contractExchange } from "../testing/contract-exchange.ts";
import { deviceDrawer } from "./draw-device.ts";
import { findAddresses } from "./find-addresses.ts";
import { sdkClient } from "./sdk-client.ts";
import { startTraffic } from "./start-traffic.ts";

const appKeys = new Map(CATALOGUE.map(({ slug }) => [slug, crypto.randomUUID()]));
const keys = new Set<string>(appKeys.values());
const WAIT = { timeout: 40_000, interval: 100 };
const SINCE_MS = Date.parse("2026-11-19T13:00:00Z");
const CODES = COUNTRIES.map(({ code }) => code);

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startExchange(pingSeconds = 1) {
  const started = await contractExchange(pingSeconds);
  ends.push(() => started.stop());
  return started;
}

test("devices follow the SDK's protocol and the contract: init, ads, impressions, clicks and pings", async () => {
  const exchange = await startExchange();
  const traffic = await startTraffic({
    exchangeUrl: exchange.url,
    deviceKey: "a-key",
    seed: "test",
    sinceMs: Date.now(),
    appKeys,
    pace: 40,
  });
  ends.push(() => traffic.stop());
  const received = (path: string) => exchange.received.filter((each) => each.path.startsWith(path));
  await expect.poll(() => received("/sdk/v1/init").length, WAIT).toBeGreaterThan(50);
  await expect.poll(() => received("/sdk/v1/ping").length, WAIT).toBeGreaterThan(50);
  await expect.poll(() => received("/beacon/impression").length, WAIT).toBeGreaterThan(20);

  expect(exchange.faults).toEqual([]);
  const impressions = received("/beacon/impression");
  expect(received("/sdk/v1/ad").length).toBeGreaterThanOrEqual(impressions.length);
  expect(new Set(impressions.map(({ path }) => path)).size).toBe(impressions.length);
  for (const { body } of received("/sdk/v1/init")) {
    const { app, first_day: firstDay } = body as { app: string; first_day: string };
    expect(keys.has(app)).toBe(true);
    expect(firstDay).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
  expect(traffic.counts().failures).toBe(0);
}, 120_000);

test("a device's address belongs to its country", async () => {
  const addresses = await findAddresses("test", CODES, 20);
  expect([...addresses.keys()]).toEqual(CODES);
  for (const list of addresses.values()) expect(list).toHaveLength(20);
  const all = new Set([...addresses.values()].flat());
  expect(all.size).toBe(CODES.length * 20);
  expect(await findAddresses("test", CODES, 20)).toEqual(addresses);
});

test("the same devices return on later days", async () => {
  const draw = deviceDrawer("test", await findAddresses("test", ["US"], 20), SINCE_MS);
  const app = CATALOGUE[0] ?? expect.fail("no app");
  const country = { country: "US", share: 0.2 };
  const drawn = (day: number, of: string) => {
    const random = seededRandom(of);
    return Array.from({ length: 600 }, () => draw(app, country, day, random));
  };
  const today = new Map(drawn(0, "a").map((device) => [device.installId, device]));
  const again = drawn(0, "b").filter(({ installId }) => today.has(installId));
  expect(again.length).toBeGreaterThan(400);
  for (const device of again) expect(device).toEqual(today.get(device.installId));
  // A week later, some of the devices are the same.
  const later = new Set(drawn(7, "c").map(({ installId }) => installId));
  for (const { installId, firstDay } of drawn(7, "c")) {
    expect(firstDay <= "2026-11-26").toBe(true);
    // A returning device reports the same first day.
    if (today.has(installId)) expect(firstDay).toBe(today.get(installId)?.firstDay);
  }
  const came = [...today.values()].map(({ firstDay }) => firstDay);
  expect(came.filter((day) => day === "2026-11-19").length).toBeGreaterThan(0);
  expect(new Set(came).size).toBeGreaterThan(20);
  const stayed = [...later].filter((installId) => today.has(installId)).length / later.size;
  expect(stayed).toBeGreaterThan(0.15);
  expect(stayed).toBeLessThan(0.7);
});

test("a European device sends its user's consent choice, and other devices send none", async () => {
  const draw = deviceDrawer("test", new Map(), SINCE_MS);
  const app = CATALOGUE[0] ?? expect.fail("no app");
  const random = seededRandom("consent");
  const consents = (country: string) =>
    Array.from({ length: 300 }, () => draw(app, { country, share: 1 }, 0, random).consent);
  const german = consents("DE");
  expect(german.every(({ gdpr }) => gdpr === 1)).toBe(true);
  expect(new Set(german.map(({ tcf }) => tcf)).size).toBe(3);
  expect(consents("US").every(({ gdpr, tcf }) => gdpr === undefined && tcf === undefined)).toBe(true);
});

test("a device without tracking has no advertising id", async () => {
  const draw = deviceDrawer("test", new Map(), SINCE_MS);
  const app = CATALOGUE.find(({ platform }) => platform === "ios") ?? expect.fail("no app");
  const random = seededRandom("tracking");
  const facts = Array.from({ length: 400 }, () => draw(app, { country: "US", share: 1 }, 0, random).facts);
  for (const { lmt, ifa } of facts) expect(ifa === undefined).toBe(lmt === 1);
  const share = facts.filter(({ lmt }) => lmt === 1).length / facts.length;
  expect(share).toBeGreaterThan(0.4);
  expect(share).toBeLessThan(0.65);
});

const device = {
  installId: "",
  firstDay: "2026-11-19",
  sdkVersion: "1.0.0",
  address: "192.0.2.1",
  userAgent: "test",
  facts: { os: "Android" },
  consent: {},
};

test("a beacon is retried while the exchange is down, and arrives once", async () => {
  const exchange = await startExchange();
  exchange.down = true;
  const client = sdkClient(exchange.url, "a-key");
  const sent = client.beacon(device, "https://ads.example.com/beacon/impression?t=1");
  await expect.poll(() => exchange.refused).toBe(1);
  exchange.down = false;
  await sent;
  expect(exchange.received.map(({ path, address }) => [path, address])).toEqual([
    ["/beacon/impression?t=1", "192.0.2.1"],
  ]);
  expect(client.counts()).toMatchObject({ beacons: 1, requests: 2 });
  client.close();
});

test("an unreachable exchange costs only the session", async () => {
  const traffic = await startTraffic({
    exchangeUrl: "http://127.0.0.1:9",
    deviceKey: "a-key",
    seed: "test",
    sinceMs: Date.now(),
    appKeys,
    pace: 30,
  });
  await expect.poll(() => traffic.counts().failures, WAIT).toBeGreaterThan(5);
  const { failures, sessions, ads, beacons } = traffic.counts();
  await traffic.stop();
  // One call per session: after a failed init, a session makes no further calls.
  expect(failures).toBeLessThanOrEqual(sessions);
  expect([ads, beacons]).toEqual([0, 0]);
});
