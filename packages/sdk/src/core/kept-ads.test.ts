import { afterEach, beforeEach, expect, test } from "vitest";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";

let bench: SdkBench;
beforeEach(async () => {
  bench = await sdkBench();
});
afterEach(() => bench.close());

test("an ad that was loaded for one user is not kept for another, nor a banner for another size", async () => {
  await bench.start();
  const rewarded = { zone: "level_end", format: "rewarded", w: 320, h: 480, userId: "ada", customData: "level 1" };
  const reused = { ...rewarded } as Parameters<typeof bench.sdk.loadAd>[0];
  const asked = () => bench.server.of("/sdk/v1/ad").length;
  await bench.sdk.loadAd(reused);
  // The window has another size by now.
  expect(await bench.sdk.loadAd(Object.assign(reused, { h: 424 }))).toMatchObject({ ok: true });
  expect([asked(), bench.destroyed]).toEqual([1, []]);
  expect(await bench.sdk.loadAd(Object.assign(reused, { customData: "level 2" }))).toMatchObject({ ok: true });
  expect([asked(), bench.destroyed]).toEqual([2, ["alpha"]]);
  bench.answerAds();
  expect(await bench.sdk.loadAd(Object.assign(reused, { userId: "grace" }))).toMatchObject({ code: "no_ad" });
  expect([bench.sdk.isAdReady("level_end"), bench.destroyed]).toEqual([false, ["alpha", "alpha"]]);

  bench.answerAds("alpha");
  await bench.sdk.loadAd({ zone: "home", format: "banner", w: 320, h: 50 });
  await bench.sdk.loadAd({ zone: "home", format: "banner", w: 320, h: 50 });
  expect(asked()).toBe(4);
  await bench.sdk.loadAd({ zone: "home", format: "banner", w: 300, h: 250 });
  expect(asked()).toBe(5);
});
