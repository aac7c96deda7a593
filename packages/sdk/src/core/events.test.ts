import { afterEach, beforeEach, expect, test } from "vitest";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";

let bench: SdkBench;
beforeEach(async () => {
  bench = await sdkBench();
});
afterEach(() => bench.close());

const interstitial = { zone: "level_end", format: "interstitial", w: 320, h: 480 } as const;

test("listeners that throw affect neither the app nor the ads, and are reported once each", async () => {
  const boom = () => {
    throw new Error("in the app");
  };
  bench.sdk.addListener("loaded", boom);
  bench.sdk.addListener("callbackFailed", boom);
  await bench.start();
  expect(await bench.sdk.loadAd(interstitial)).toMatchObject({ ok: true });
  expect(bench.events("callbackFailed")).toEqual([{ type: "callbackFailed", code: "callback", message: "in the app" }]);
  expect(await bench.start({ onEvent: boom })).toMatchObject({ ok: true });
});

test("a listener that is removed hears nothing more, and the log shows its level and above", async () => {
  const heard: string[] = [];
  const remove = bench.sdk.addListener("loaded", ({ network }) => heard.push(network));
  await bench.start({ logLevel: "info" });
  await bench.sdk.loadAd(interstitial);
  remove();
  bench.sdk.destroyAd("level_end");
  await bench.sdk.loadAd(interstitial);
  expect(heard).toEqual(["alpha"]);
  expect(bench.lines.map(([level, text]) => `${String(level)} ${String(text)}`)).toEqual([
    "info initialized",
    "info loaded",
    "info loaded",
  ]);
});
