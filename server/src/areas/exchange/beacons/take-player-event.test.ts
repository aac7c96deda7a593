import type { explainAuction, Reply } from "@millrace/contract";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsMarkup, VIDEO_AD } from "../testing/start-bidder.ts";
import { ANDROID_UA, type EventRow, fire } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

interface PlayerRow {
  event: string;
  error_code: number;
  auction_id: string;
  provider: string;
}

/** What a player's tag answers, taken apart into the addresses of ours in it. */
async function playedAd(): Promise<{ event: (name: string) => string; error: string; impression: string }> {
  const { body } = await at.exchange.app.inject({
    method: "GET",
    url: `/vast?app=${at.app.uuid}&zone=player&w=640&h=360`,
    headers: { "user-agent": ANDROID_UA },
  });
  const urls = [...body.matchAll(/https:\/\/ads\.example\.com\/beacon\/[^\]<]+/g)].map(([url]) => url);
  const named = (part: string) => urls.find((url) => url.includes(part)) ?? "";
  const player = named("/player?");
  return {
    event: (name) => player.replace(/&e=\w+$/, `&e=${name}`),
    error: named("/loss?").replace(/&e=.*$/, "&e=405"),
    impression: named("/impression?"),
  };
}

const rows = () => at.exchange.rows<PlayerRow>("player_events");

test("quartiles, pauses, skips and errors of a player are kept once, shown with their auction, and never billed", async () => {
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const ad = await playedAd();
  const events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume", "mute"];
  for (const event of [...events, "unmute", "skip"])
    expect((await fire(at.exchange, ad.event(event))).statusCode).toBe(200);
  await Promise.all([fire(at.exchange, ad.event("start")), fire(at.exchange, ad.event("start"))]);
  expect((await fire(at.exchange, ad.error)).statusCode).toBe(200);
  const kept = await rows();
  expect(kept.map(({ event }) => event).sort()).toEqual([...events, "error", "skip", "unmute"].sort());
  expect(kept.find(({ event }) => event === "error")).toMatchObject({ error_code: 405, provider: "video" });
  expect(await at.exchange.rows<EventRow>("events")).toEqual([]);
  const reply = await at.exchange.app.inject(`/auctions/${kept[0]?.auction_id ?? ""}.json`);
  const explained = reply.json<Reply<typeof explainAuction>>();
  expect(explained.player_events).toHaveLength(11);
  expect(explained.player_events).toContainEqual(
    expect.objectContaining({ provider: "video", event: "error", error_code: 405 }),
  );
});

test("an event that a restart makes known again counts once", async () => {
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const ad = await playedAd();
  await fire(at.exchange, ad.event("midpoint"));
  const [first] = await rows();
  await at.restart({ dataDir: at.exchange.dataDir });
  await fire(at.exchange, ad.event("midpoint"));
  await rows();
  const reply = await at.exchange.app.inject(`/auctions/${first?.auction_id ?? ""}.json`);
  expect(reply.json<Reply<typeof explainAuction>>().player_events).toMatchObject([{ event: "midpoint" }]);
});

test("forged, unknown and late events and those of crawlers are not kept", async () => {
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const ad = await playedAd();
  expect((await fire(at.exchange, ad.event("creativeView"))).statusCode).toBe(400);
  expect((await fire(at.exchange, ad.impression.replace("/impression?", "/player?") + "&e=start")).statusCode).toBe(
    400,
  );
  expect((await fire(at.exchange, ad.event("start").replace("/player?", "/impression?"))).statusCode).toBe(400);
  const crawler = { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" };
  expect((await fire(at.exchange, ad.event("start"), crawler)).statusCode).toBe(200);
  at.exchange.clock.offsetMs = 25 * 3_600_000;
  expect((await fire(at.exchange, ad.event("start"))).statusCode).toBe(200);
  expect(await rows()).toEqual([]);
});

test("an event is only acknowledged when it is kept", async () => {
  await at.partner("video", bidsMarkup(VIDEO_AD, 2), { media_types: ["video"] });
  const ad = await playedAd();
  const { append } = at.exchange.statistics.events;
  at.exchange.statistics.events.append = async () => {
    throw new Problem("unavailable", "The disk is full", { retryAfterSeconds: 1 });
  };
  expect((await fire(at.exchange, ad.event("start"))).statusCode).toBe(503);
  at.exchange.statistics.events.append = append;
  expect((await fire(at.exchange, ad.event("start"))).statusCode).toBe(200);
  expect(await rows()).toHaveLength(1);
});
