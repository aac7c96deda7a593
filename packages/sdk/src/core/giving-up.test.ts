import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ad, adReply, initReply } from "../testing/protocol-replies.ts";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";

let bench: SdkBench;
beforeEach(async () => {
  bench = await sdkBench();
});
afterEach(() => bench.close());

const AWAITED = { timeout: 30_000 };
const interstitial = { zone: "level_end", format: "interstitial", w: 320, h: 480 } as const;

/** Answers that ask these adapters, and then show the ad of "alpha". */
function answerAdapters(...names: string[]): void {
  const { endpoint } = bench.server;
  const stepOf = (name: string) => ({
    type: "adapter" as const,
    provider: name,
    item: "3f2c8f0e-0c57-4b6e-9a39-0d4a7c1e5b02",
    adapter: name,
    params: {},
    expected_micros: 3_000_000,
    revenue_micros: 3_000,
    precision: "estimated" as const,
    beacons: { ...ad(endpoint, name).beacons, player: `${endpoint}/b/player/${name}?` },
  });
  const reply = adReply([ad(endpoint, "alpha")], { steps: [...names.map(stepOf), { type: "ad", ad: 0 }] });
  bench.answer = ({ path }) => ({ json: path === "/sdk/v1/ad" ? reply : initReply() });
}

/** Takes the ads out of the answers, and leaves the adapters. */
function withoutAds(): void {
  const { answer } = bench;
  bench.answer = (request) => {
    const given = answer(request) as { json: Pick<ReturnType<typeof adReply>, "steps"> };
    const { steps } = given.json;
    return steps ? { json: { ...given.json, ads: [], steps: steps.filter(({ type }) => type === "adapter") } } : given;
  };
}

test.each([
  ["destroyAd", () => bench.sdk.destroyAd("level_end")],
  ["shutdown", () => bench.sdk.shutdown()],
])("an ad that becomes ready after %s is not shown in place of one that could not be", async (_, giveUp) => {
  bench.fates.set("alpha", "not shown").set("beta", "prepared later");
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  const showing = bench.sdk.showAd("level_end", {});
  await vi.waitFor(() => expect(bench.prepared).toEqual(["alpha", "beta"]), AWAITED);
  giveUp();
  bench.prepareNow();
  expect(await showing).toMatchObject({ ok: false, code: "destroyed" });
  expect(bench.put).toEqual(["alpha"]);
  expect(bench.destroyed).toContain("beta");
});

test.each([
  ["its limit", () => bench.clock.advance(1000), "timeout"],
  ["destroyAd", () => bench.sdk.destroyAd("level_end"), "destroyed"],
])("a load that %s has ended asks no further adapter", async (_, end, code) => {
  const asked: string[] = [];
  let answer: (ad: null) => void = () => {};
  bench.sdk.registerAdapter("slow", {
    load() {
      asked.push("slow");
      return new Promise<null>((resolve) => (answer = resolve));
    },
  });
  bench.sdk.registerAdapter("next", {
    load() {
      asked.push("next");
      return { show: () => true };
    },
  });
  answerAdapters("slow", "next");
  await bench.start();
  const loading = bench.sdk.loadAd({ ...interstitial, timeoutMs: 1000 });
  await vi.waitFor(() => expect(asked).toEqual(["slow"]), AWAITED);
  end();
  expect(await loading).toMatchObject({ ok: false, code });
  answer(null);
  await vi.waitFor(() => expect(bench.beacons()).toEqual(["/b/player/slow?&e=no_fill"]), AWAITED);
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual(["slow"]);
  expect(bench.prepared).toEqual([]);
});

test.each([
  ["leave enough of it for an ad behind them", "alpha", ["first", "second"]],
  ["are followed by the next, if no ad is behind it", "last", ["first", "second", "last"]],
])("adapters that take all their time %s", async (_, shown, called) => {
  const asked: string[] = [];
  for (const name of ["first", "second", "last"]) {
    bench.sdk.registerAdapter(name, {
      load() {
        asked.push(name);
        return name === "last" ? { show: () => true } : new Promise<null>(() => {});
      },
    });
  }
  answerAdapters("first", "second", "last");
  if (shown === "last") withoutAds();
  await bench.start();
  const loading = bench.sdk.loadAd(interstitial);
  for (const name of ["first", "second"]) {
    await vi.waitFor(() => expect(asked).toContain(name), AWAITED);
    bench.clock.advance(3500);
  }
  expect(await loading).toMatchObject({ ok: true, network: shown });
  expect(asked).toEqual(called);
  await bench.sdk.showAd("level_end", {});
  await vi.waitFor(() => expect(bench.beacons()).toContain(`/b/imp/${shown}`), AWAITED);
  const outcomes = called.map((name) => `/b/player/${name}?&e=${name === "last" ? "filled" : "timed_out"}`);
  expect(
    bench
      .beacons()
      .filter((path) => path.includes("&e="))
      .toSorted(),
  ).toEqual(outcomes.toSorted());
});

test("where the walk of adapters does not load in time, the exchange's own ads are tried", async () => {
  const loadSteps = vi.fn<SdkBench["loadSteps"]>(() => new Promise(() => {}));
  bench.loadSteps = loadSteps;
  bench.sdk.registerAdapter("vendor", { load: () => null });
  answerAdapters("vendor");
  await bench.start();
  const loading = bench.sdk.loadAd(interstitial);
  await vi.waitFor(() => expect(loadSteps).toHaveBeenCalledOnce(), AWAITED);
  bench.clock.advance(4000);
  expect(await loading).toMatchObject({ ok: true, network: "alpha" });
});

test("an app with 50 adapters can replace one, but not add another", async () => {
  for (let number = 1; number <= 50; number += 1) bench.sdk.registerAdapter(`a${number}`, { load: () => null });
  bench.sdk.registerAdapter("a51", { load: () => null });
  const replacement = vi.fn<() => null>(() => null);
  bench.sdk.registerAdapter("a7", { load: replacement });
  answerAdapters("a7");
  await bench.start();
  await bench.sdk.loadAd(interstitial);
  expect(replacement).toHaveBeenCalledOnce();
  const [asked] = bench.server.of("/sdk/v1/ad").map(({ body }) => body as { adapters: string[] });
  expect(asked?.adapters).toHaveLength(50);
});
