import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ad, adReply, AUCTION, initReply } from "../testing/protocol-replies.ts";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";

let bench: SdkBench;
beforeEach(async () => {
  bench = await sdkBench();
});
afterEach(() => bench.close());

const interstitial = { zone: "level_end", format: "interstitial", w: 320, h: 480 } as const;
const delivered = () => vi.waitFor(() => expect(bench.sdk.waiting()).toBe(0));
const info = { zone: "level_end", format: "interstitial", network: "alpha", auction: AUCTION };

test("an ad is loaded, shown, clicked and closed, with one event each, in this order", async () => {
  await bench.start();
  expect(bench.sdk.isAdReady("level_end")).toBe(false);
  expect(await bench.sdk.loadAd(interstitial)).toEqual({ ok: true, ...info });
  expect(bench.sdk.isAdReady("level_end")).toBe(true);
  const shown = await bench.sdk.showAd("level_end", {});
  bench.last.clicked();
  bench.last.hidden();
  bench.last.hidden();
  bench.last.clicked();
  expect(shown.ok && (await shown.hidden)).toBe(false);
  expect(bench.sdk.isAdReady("level_end")).toBe(false);
  expect(bench.events()).toEqual([
    { type: "initialized", latestSdkVersion: "1.0.0" },
    { type: "loaded", ...info },
    { type: "displayed", ...info },
    { type: "revenuePaid", ...info, priceMicros: 1500, precision: "exact", country: "DE" },
    { type: "clicked", ...info },
    { type: "hidden", ...info },
  ]);
  await delivered();
  expect(bench.beacons()).toEqual(["/b/click/alpha", "/b/imp/alpha"]);
});

test("a click takes along the impression that the server could not take before", async () => {
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  bench.beaconStatus = 503;
  await bench.sdk.showAd("level_end", {});
  const outcomes = () => bench.events("delivery").map((event) => event.type === "delivery" && event.outcome);
  await vi.waitFor(() => expect(outcomes()).toEqual(["retrying"]));
  bench.beaconStatus = 204;
  bench.last.clicked();
  await delivered();
  expect(bench.beacons()).toEqual(["/b/click/alpha", "/b/imp/alpha", "/b/imp/alpha"]);
});

test("an app can show its next full-screen ad as soon as it hears that the last is gone", async () => {
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  await bench.sdk.loadAd({ ...interstitial, zone: "menu" });
  const next: unknown[] = [];
  bench.sdk.addListener("hidden", () => void bench.sdk.showAd("menu", {}).then((shown) => next.push(shown)));
  await bench.sdk.showAd("level_end", {});
  bench.last.hidden();
  await vi.waitFor(() => expect(next).toMatchObject([{ ok: true, info: { zone: "menu" } }]));
});

test("the first ad that shows gets impression and revenue, those before it get a loss, and those after it nothing", async () => {
  bench.answerAds("unknown", "alpha", "throws", "beta", "gamma");
  bench.fates.set("unknown", "not prepared").set("alpha", "not shown").set("throws", "throws");
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  expect(await bench.sdk.showAd("level_end", {})).toMatchObject({ ok: true, info: { network: "beta" } });
  await delivered();
  expect(bench.beacons()).toEqual(["/b/imp/beta", "/b/loss/alpha", "/b/loss/throws", "/b/loss/unknown"]);
  expect(bench.events("revenuePaid")).toHaveLength(1);
});

test("an ad that arrives too late is a failure, and is not shown later", async () => {
  await bench.start();
  bench.answer = async ({ path }) => {
    if (path === "/sdk/v1/ad") await new Promise(() => {});
    return { json: initReply() };
  };
  const loading = bench.sdk.loadAd({ ...interstitial, timeoutMs: 1000 });
  await vi.waitFor(() => expect(bench.server.of("/sdk/v1/ad")).toHaveLength(1));
  bench.clock.advance(1000);
  expect(await loading).toMatchObject({ ok: false, code: "timeout" });
  expect(bench.sdk.isAdReady("level_end")).toBe(false);
  expect(bench.events("loadFailed")).toHaveLength(1);
});

test("a step that takes too long is passed over", async () => {
  bench.answerAds("slow", "beta");
  bench.fates.set("slow", "never prepared");
  await bench.start();
  const loading = bench.sdk.loadAd(interstitial);
  await vi.waitFor(() => expect(bench.prepared).toEqual(["slow"]));
  bench.clock.advance(4000);
  expect(await loading).toMatchObject({ ok: true, network: "beta" });
});

test("an expired ad never shows, on whichever clock its time has passed", async () => {
  bench.answer = ({ path }) =>
    path === "/sdk/v1/init"
      ? { json: initReply() }
      : { json: adReply([ad(bench.server.endpoint, "alpha")], { expires_seconds: 60 }) };
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  bench.clock.advance(59_000);
  expect(bench.sdk.isAdReady("level_end")).toBe(true);
  bench.clock.advance(1000);
  expect(bench.sdk.isAdReady("level_end")).toBe(false);
  expect(await bench.sdk.showAd("level_end", {})).toMatchObject({ ok: false, code: "expired" });

  await bench.sdk.loadAd(interstitial);
  bench.clock.set(bench.clock.now() + 61_000);
  expect(bench.sdk.isAdReady("level_end")).toBe(false);
  expect(await bench.sdk.showAd("level_end", {})).toMatchObject({ ok: false, code: "expired" });
  expect(bench.events("displayed")).toEqual([]);
  expect(bench.beacons()).toEqual([]);
});

test("each misuse has its code", async () => {
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ code: "not_initialized" });
  expect(await bench.start({ app: "nobody" })).toMatchObject({ code: "options" });
  expect(await bench.start({ endpoint: "ads.example.com" })).toMatchObject({ code: "options" });
  await bench.start();
  expect(await bench.sdk.loadAd({ ...interstitial, zone: "no such zone!" })).toMatchObject({ code: "options" });
  expect(await bench.sdk.loadAd({ ...interstitial, timeoutMs: 0 })).toMatchObject({ code: "options" });
  expect(await bench.sdk.loadAd(null as never)).toMatchObject({ code: "options" });
  expect(await bench.sdk.showAd("level_end", {})).toMatchObject({ code: "not_ready" });
  const first = bench.sdk.loadAd(interstitial);
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ code: "busy" });
  await first;
  await bench.sdk.loadAd({ ...interstitial, zone: "other" });
  await bench.sdk.showAd("level_end", {});
  expect(await bench.sdk.showAd("other", {})).toMatchObject({ code: "busy" });
  bench.last.hidden();
  await Promise.resolve();
  expect(await bench.sdk.showAd("other", {})).toMatchObject({ ok: true });
});

test("a loaded zone is not requested again, and a destroyed one gives everything up", async () => {
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ ok: true });
  expect(bench.server.of("/sdk/v1/ad")).toHaveLength(1);
  bench.sdk.destroyAd("level_end");
  expect(bench.destroyed).toEqual(["alpha"]);
  expect(bench.sdk.isAdReady("level_end")).toBe(false);
  const loading = bench.sdk.loadAd(interstitial);
  bench.sdk.destroyAd("level_end");
  const again = bench.sdk.loadAd(interstitial);
  expect(await loading).toMatchObject({ code: "destroyed" });
  expect(await again).toMatchObject({ ok: true });
});

test("a place that the app has not got is refused, and the ad stays ready", async () => {
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  expect(await bench.sdk.showAd("level_end", null)).toMatchObject({ code: "options" });
  expect([bench.put, bench.events("displayFailed").length, bench.sdk.isAdReady("level_end")]).toEqual([[], 1, true]);
});

test("an ad that is destroyed before it is on the screen is not counted", async () => {
  bench.fates.set("alpha", "shown later");
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  const showing = bench.sdk.showAd("level_end", {});
  bench.sdk.destroyAd("level_end");
  bench.showNow();
  expect(await showing).toMatchObject({ code: "destroyed" });
  expect(bench.events("revenuePaid")).toEqual([]);
  expect(bench.sdk.waiting()).toBe(0);
  expect(bench.destroyed).toContain("alpha");

  bench.fates.clear();
  await bench.sdk.loadAd(interstitial);
  expect(await bench.sdk.showAd("level_end", {})).toMatchObject({ ok: true });
});

test("only a rewarded ad gives a reward, once, and before it is closed", async () => {
  await bench.start();
  for (const format of ["interstitial", "rewarded"] as const) {
    await bench.sdk.loadAd({ zone: format, format });
    const shown = await bench.sdk.showAd(format, {});
    bench.last.rewarded();
    bench.last.rewarded();
    bench.last.hidden();
    expect(shown.ok && (await shown.hidden)).toBe(format === "rewarded");
  }
  expect(bench.events("rewardReceived")).toMatchObject([{ zone: "rewarded", reward: { name: "reward", amount: 1 } }]);
  expect(bench.beacons().filter((path) => path.includes("reward"))).toEqual([]);
});

test("a reward is reported to the server once, with what the app said for it, and named to the app", async () => {
  const { endpoint } = bench.server;
  const beacons = { ...ad(endpoint, "alpha").beacons, reward: `${endpoint}/b/reward/alpha` };
  const promised = ad(endpoint, "alpha", { reward: { name: "coins", amount: 5 }, beacons });
  bench.answer = ({ path }) => ({ json: path === "/sdk/v1/ad" ? adReply([promised]) : initReply() });
  await bench.start();
  const request = { zone: "life", format: "rewarded", userId: "player-7", customData: "level=3" } as const;
  await bench.sdk.loadAd(request);
  expect(bench.server.of("/sdk/v1/ad")[0]?.body).toMatchObject({ user_id: "player-7", custom_data: "level=3" });
  await bench.sdk.showAd("life", {});
  bench.last.rewarded();
  bench.last.rewarded();
  await delivered();
  expect(bench.beacons()).toEqual(["/b/imp/alpha", "/b/reward/alpha"]);
  expect(bench.events("rewardReceived")).toMatchObject([{ zone: "life", reward: { name: "coins", amount: 5 } }]);
});

test("tokens of partners' own SDKs travel with the request for an ad", async () => {
  await bench.start();
  await bench.sdk.loadAd({ zone: "life", format: "rewarded", bidderTokens: { vungle: "token-1" } });
  await bench.sdk.loadAd({ zone: "other", format: "rewarded" });
  const [given, none] = bench.server.of("/sdk/v1/ad").map(({ body }) => body);
  expect(given).toMatchObject({ bidder_tokens: { vungle: "token-1" } });
  expect(none).not.toHaveProperty("bidder_tokens");
});

test("without an ad the failure has the server's reason", async () => {
  await bench.start();
  bench.answer = () => ({ json: adReply([], { nbr: 2, reason: "No bid" }) });
  expect(await bench.sdk.loadAd(interstitial)).toEqual({ ok: false, code: "no_ad", message: "No bid" });
  expect(bench.events("loadFailed")).toEqual([
    { type: "loadFailed", zone: "level_end", format: "interstitial", code: "no_ad", message: "No bid" },
  ]);
});

test("the server's switch ends all ads at its next answer, whichever that is", async () => {
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  await bench.sdk.showAd("level_end", {});
  await bench.sdk.loadAd(interstitial);
  bench.answer = ({ path }) => ({ json: path === "/sdk/v1/ping" ? { ok: true, disabled: true } : initReply() });
  bench.sdk.foreground();
  await vi.waitFor(() => expect(bench.events("initialized")).toHaveLength(1));
  bench.clock.advance(30_000);
  await vi.waitFor(() => expect(bench.events("hidden")).toHaveLength(1));
  expect(bench.sdk.isAdReady("level_end")).toBe(false);
  const asked = bench.server.of("/sdk/v1/ad").length;
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ code: "disabled" });
  expect(await bench.sdk.showAd("level_end", {})).toMatchObject({ code: "disabled" });
  expect(bench.server.of("/sdk/v1/ad")).toHaveLength(asked);

  // The next session begins without the switch.
  bench.sdk.background();
  await delivered();
  bench.answerAds("alpha");
  bench.clock.advance(31 * 60_000);
  bench.sdk.foreground();
  await vi.waitFor(async () => expect(await bench.sdk.loadAd(interstitial)).not.toMatchObject({ code: "disabled" }));
});

test("an app that is switched off at the start is told so", async () => {
  bench.answer = () => ({ json: { ...initReply(), disabled: true } });
  expect(await bench.start()).toMatchObject({ ok: false, code: "disabled" });
});

test("a session's downloads end at its budget, and the next session has another", async () => {
  bench.answer = ({ path }) =>
    path === "/sdk/v1/init"
      ? { json: initReply() }
      : { json: adReply([ad(bench.server.endpoint, "big", { markup: { type: "html", content: "x".repeat(600) } })]) };
  await bench.start({ downloadBudgetMb: 0.001 });
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ ok: true });
  bench.sdk.destroyAd("level_end");
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ ok: false, code: "budget" });
  bench.clock.advance(31 * 60_000);
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ ok: true });
});

test("ads for tests are requested as such", async () => {
  await bench.start({ test: true });
  await bench.sdk.loadAd(interstitial);
  expect(bench.server.of("/sdk/v1/ad")[0]?.body).toMatchObject({ test: 1 });
});
