import { expect, test } from "vitest";
import { initialize, isAdReady, loadAd, showAd } from "./millrace.ts";

test("where a server renders the page, each call says that nothing is started, and none throws", async () => {
  const notStarted = { ok: false, code: "not_initialized" };
  expect(await initialize({ app: "a", platform: "android", endpoint: "https://ads.example.com" })).toMatchObject(
    notStarted,
  );
  expect(await loadAd({ zone: "home", format: "interstitial" })).toMatchObject(notStarted);
  expect(await showAd("home")).toMatchObject(notStarted);
  expect(isAdReady("home")).toBe(false);
});
