import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";
import { type InlineAds, inlineAds } from "./inline-ads.ts";
import type { Place } from "./place.ts";

let bench: SdkBench;
let ads: InlineAds;
beforeEach(async () => {
  vi.stubGlobal("document", { visibilityState: "visible" });
  bench = await sdkBench();
  ads = inlineAds(bench.sdk, { ...bench, random: () => 0.5, transport: vi.fn<() => never>() });
});
afterEach(() => {
  ads.stopAll();
  vi.unstubAllGlobals();
  return bench.close();
});

const place = (id = "") => ({ into: { id, isConnected: true } as HTMLElement });

test("a place tries again a moment after its ad could not be shown", async () => {
  bench.answerAds("alpha");
  bench.fates.set("alpha", "not shown");
  await bench.start();
  expect(await ads.start("home", place())).toMatchObject({ ok: false, code: "render" });
  bench.fates.clear();
  await vi.waitFor(() => {
    bench.clock.advance(1000);
    expect(bench.events("displayed")).toHaveLength(1);
  });
});

test("an ad that comes after its place was given up is shown in the zone's new place alone", async () => {
  bench.answerAds("alpha");
  bench.fates.set("alpha", "prepared later");
  await bench.start();
  const former = ads.start("home", place("former"));
  await vi.waitFor(() => expect(bench.prepared).toEqual(["alpha"]));
  const next = place("next");
  expect(await ads.start("home", next)).toMatchObject({ ok: false, code: "busy" });
  expect(await former).toMatchObject({ ok: false, code: "destroyed" });
  bench.prepareNow();
  await vi.waitFor(() => {
    bench.clock.advance(1000);
    expect(bench.events("displayed")).toHaveLength(1);
  });
  expect(bench.places).toEqual([expect.objectContaining(next)]);
});

test("an ad that the user has made larger than its place stays until it is back, and then the next one comes", async () => {
  bench.answerAds("alpha");
  await bench.start();
  expect(await ads.start("home", { ...place(), refresh: 10 })).toMatchObject({ ok: true });
  const [shown] = bench.places as Place[];
  shown?.onEngaged?.(true);
  for (let second = 0; second < 60; second += 1) {
    bench.clock.advance(1000);
    await Promise.resolve();
  }
  expect([bench.server.of("/sdk/v1/ad").length, bench.destroyed]).toEqual([1, []]);
  shown?.onEngaged?.(false);
  await vi.waitFor(() => expect([bench.events("displayed").length, bench.destroyed]).toEqual([2, ["alpha"]]));

  bench.answerAds("beta");
  const later = bench.places.at(-1) as Place;
  bench.fates.set("beta", "prepared later");
  bench.clock.advance(10_000);
  await vi.waitFor(() => expect(bench.prepared).toContain("beta"));
  later.onEngaged?.(true);
  bench.prepareNow();
  await vi.waitFor(() => expect(bench.events("loaded")).toHaveLength(3));
  expect(bench.destroyed).toEqual(["alpha"]);
  // Another call for the zone ends the wait.
  ads.stop("home");
  later.onEngaged?.(false);
  await Promise.resolve();
  expect([bench.server.of("/sdk/v1/ad").length, bench.events("displayed").length]).toEqual([3, 2]);
});

test("an ad that comes after its page was hidden waits, uncounted, until the page is seen again", async () => {
  bench.answerAds("alpha");
  bench.fates.set("alpha", "prepared later");
  await bench.start();
  const starting = ads.start("home", place());
  await vi.waitFor(() => expect(bench.prepared).toEqual(["alpha"]));
  vi.stubGlobal("document", { visibilityState: "hidden" });
  bench.prepareNow();
  await vi.waitFor(() => expect(bench.events("loaded")).toHaveLength(1));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(bench.places).toEqual([]);

  vi.stubGlobal("document", { visibilityState: "visible" });
  ads.wakeAll();
  expect(await starting).toMatchObject({ ok: true });
  expect([bench.server.of("/sdk/v1/ad").length, bench.events("displayed").length]).toEqual([1, 1]);
});

test("while a full-screen ad covers the page, a place asks for nothing, and for what is overdue once the screen is free", async () => {
  bench.answerAds("alpha");
  await bench.start();
  expect(await ads.start("home", { ...place(), refresh: 10 })).toMatchObject({ ok: true });
  await bench.sdk.loadAd({ zone: "level_end", format: "interstitial" });
  expect(await bench.sdk.showAd("level_end", {})).toMatchObject({ ok: true });
  const asked = () => bench.server.of("/sdk/v1/ad").length;
  for (let second = 0; second < 60; second += 1) {
    bench.clock.advance(1000);
    await Promise.resolve();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked()).toBe(2);
  bench.last.hidden();
  await vi.waitFor(() => expect([asked(), bench.events("displayed").length]).toEqual([3, 3]));
});

test("an ad that comes below a full-screen ad waits, uncounted, until that one could not be shown", async () => {
  bench.answerAds("alpha");
  bench.fates.set("alpha", "shown later");
  bench.fates.set("beta", "prepared later");
  await bench.start();
  await bench.sdk.loadAd({ zone: "level_end", format: "interstitial" });
  bench.answerAds("beta");
  const starting = ads.start("home", place());
  await vi.waitFor(() => expect(bench.prepared).toEqual(["alpha", "beta"]));
  const showing = bench.sdk.showAd("level_end", {});
  bench.prepareNow();
  await vi.waitFor(() => expect(bench.events("loaded")).toHaveLength(2));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(bench.put).toEqual(["alpha"]);
  bench.sdk.destroyAd("level_end");
  bench.showNow();
  expect(await showing).toMatchObject({ ok: false });
  expect(await starting).toMatchObject({ ok: true });
  expect([bench.server.of("/sdk/v1/ad").length, bench.put]).toEqual([2, ["alpha", "beta"]]);
});
