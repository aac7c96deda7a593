import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsMarkup, VIDEO_AD } from "../testing/start-bidder.ts";
import { ANDROID_UA, type EventRow } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const SERVER = { "user-agent": "Go-http-client/1.1" };
const viewer = (ip: string, userAgent = ANDROID_UA) => ({ "x-device-ip": ip, "x-device-user-agent": userAgent });

const get = (url: string, headers: Record<string, string> = {}) =>
  at.exchange.app.inject({ method: "GET", url, headers: { ...SERVER, ...headers } });
const askTag = (headers: Record<string, string> = {}, more = "") =>
  get(`/vast?app=${at.app.uuid}&zone=live&w=640&h=360${more}`, headers);
const impressionIn = (vast: string) =>
  new URL(/https:\/\/[^\]<]*\/beacon\/impression\?[^\]<]+/.exec(vast)?.[0].replaceAll("&amp;", "&") ?? "");

test("a server that asks for its viewers sells each of them as a device of its own", async () => {
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  await askTag(viewer("8.8.8.8"));
  await askTag(viewer("2a00:1450:4001::8"));
  await askTag(viewer("8.8.8.8", "Roku/DVP-14.0"));
  await askTag(viewer("8.8.8.8"));
  const [first, second, third, fourth] = await at.exchange.rows<{ device: string; country: string }>("auctions");
  expect(new Set([first, second, third].map((row) => row?.device)).size).toBe(3);
  expect(fourth?.device).toBe(first?.device);
  expect(first).toMatchObject({ country: "US" });
  expect(buyer.requests.map((request) => request.device?.ua)).toEqual([
    ANDROID_UA,
    ANDROID_UA,
    "Roku/DVP-14.0",
    ANDROID_UA,
  ]);
  expect(buyer.requests[0]?.device).toMatchObject({ ip: "8.8.8.8", os: "Android", osv: "14" });
  expect(buyer.requests[1]?.device).toMatchObject({ ipv6: "2a00:1450:4001::8" });
});

test("a viewer's IPv4 address is one also if a server writes it as IPv6", async () => {
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  for (const ip of ["8.8.8.8", "::ffff:8.8.8.8"]) await askTag(viewer(ip));
  expect(buyer.requests.map((request) => request.device?.ip)).toEqual(["8.8.8.8", "8.8.8.8"]);
  const [first, second] = await at.exchange.rows<{ device: string }>("auctions");
  expect(second?.device).toBe(first?.device);
});

test("a header without a valid address is ignored, and the sender's own address counts", async () => {
  const buyer = await at.partner("buyer", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  for (const ip of ["", "unknown", "8.8.8.8, 1.1.1.1"]) await askTag(viewer(ip, ""));
  expect(buyer.requests.map((request) => request.device?.ip)).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
  expect(buyer.requests.map((request) => request.device?.ua)).toEqual(Array(3).fill(SERVER["user-agent"]));
});

test("an impression that a server reports counts for its viewer, and a crawler that is named as the viewer stays one", async () => {
  await at.partner("buyer", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  for (const userAgent of [ANDROID_UA, "Googlebot/2.1", ""]) {
    const { pathname, search } = impressionIn((await askTag(viewer("8.8.8.8"))).body);
    await get(pathname + search, viewer("8.8.8.8", userAgent));
  }
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.map(({ invalid }) => invalid)).toEqual(["", "crawler", "crawler"]);
});

test("the limits hold for the server that asks, whatever it reports about its viewers", async () => {
  await at.restart({ limits: { address: { burst: 2, perSecond: 0.001 } } });
  const asked = [];
  for (const nth of [1, 2, 3]) asked.push((await askTag(viewer(`8.8.8.${nth}`))).statusCode);
  expect(asked).toEqual([200, 200, 429]);
});
