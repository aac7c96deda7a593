import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";

let bench: SdkBench;
beforeEach(async () => {
  bench = await sdkBench();
  await bench.start();
});
afterEach(() => bench.close());

const place = { into: {} };
const loadNative = () => bench.sdk.loadAd({ zone: "feed", format: "native" });
/** Lets time pass, and whatever waits for it. */
async function pass(seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    bench.clock.advance(1000);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
}

test("a native ad of an app in the background is shown and counted once the app is back", async () => {
  await loadNative();
  bench.sdk.background();
  const showing = bench.sdk.showAd("feed", place);
  await pass(60);
  expect([bench.put, bench.beacons()]).toEqual([[], []]);
  bench.sdk.foreground();
  await pass(1);
  expect(await showing).toMatchObject({ ok: true });
  await vi.waitFor(() => expect(bench.beacons()).toEqual(["/b/imp/alpha"]));
});

test("a native ad below a full-screen ad is shown once the screen is free", async () => {
  await bench.sdk.loadAd({ zone: "level_end", format: "interstitial" });
  await loadNative();
  await bench.sdk.showAd("level_end", {});
  const { hidden } = bench.last;
  const showing = bench.sdk.showAd("feed", place);
  await pass(10);
  expect(bench.put).toEqual(["alpha"]);
  hidden();
  await pass(1);
  expect(await showing).toMatchObject({ ok: true });
});

test("an ad that is given up, or expires, before somebody could see it is never shown", async () => {
  await loadNative();
  bench.sdk.background();
  const givenUp = bench.sdk.showAd("feed", place);
  bench.sdk.destroyAd("feed");
  expect(bench.destroyed).toEqual(["alpha"]);
  await pass(1);
  expect(await givenUp).toMatchObject({ ok: false, code: "destroyed" });
  await loadNative();
  const expired = bench.sdk.showAd("feed", place);
  await pass(1500);
  expect(await expired).toMatchObject({ ok: false, code: "expired" });
  bench.sdk.foreground();
  await pass(1);
  expect(bench.put).toEqual([]);
});
