import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { APP } from "../testing/protocol-replies.ts";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";

let bench: SdkBench;
beforeEach(async () => {
  bench = await sdkBench();
});
afterEach(() => bench.close());

const banner = { zone: "home", format: "banner", w: 320, h: 50 } as const;
const inits = () => bench.server.of("/sdk/v1/init").map(({ body }) => body as Record<string, unknown>);

/** Starts the app again and requests an ad. */
async function restart(more: Parameters<SdkBench["start"]>[0] = {}) {
  const sdk = bench.restart();
  await bench.start(more, sdk);
  await sdk.loadAd(banner);
  return sdk;
}

test("a request has the session, the device and the current consent", async () => {
  let tcf = "first";
  const device = { os: "ios", ifa: "an-id", lmt: 0 };
  const sdk = await restart({ consent: () => ({ gdpr: 1, tcf }), device });
  tcf = "second";
  await sdk.loadAd({ ...banner, zone: "other" });
  expect(inits()).toMatchObject([
    { app: APP, platform: "android", sdk_version: "1.0.0", device, consent: { gdpr: 1, tcf: "first" } },
  ]);
  expect(bench.server.of("/sdk/v1/ad").map(({ body }) => body)).toEqual([
    { session: "session-1", ...banner, device, consent: { gdpr: 1, tcf: "first" } },
    { session: "session-1", ...banner, zone: "other", device, consent: { gdpr: 1, tcf: "second" } },
  ]);
});

test("nothing is sent and nothing stored until consent is known", async () => {
  let answer: (consent: object) => void = () => {};
  const consent = () => new Promise<object>((resolve) => (answer = resolve));
  const starting = bench.start({ consent, device: { os: "ios", ifa: "an-id" } });
  await Promise.resolve();
  bench.clock.advance(2000);
  expect(await starting).toMatchObject({ ok: false, code: "consent_pending" });
  const loading = bench.sdk.loadAd({ ...banner, timeoutMs: 1000 });
  await Promise.resolve();
  bench.clock.advance(1000);
  expect(await loading).toMatchObject({ ok: false, code: "consent_pending" });
  expect(bench.server.received).toEqual([]);
  expect(bench.storage.keys()).toEqual([]);

  answer({ coppa: 1 });
  await vi.waitFor(() => expect(inits()).toMatchObject([{ consent: { coppa: 1 }, device: { os: "ios" } }]));
  expect(JSON.stringify(bench.server.received)).not.toContain("an-id");
});

test.each([
  ["limited ad tracking", { lmt: 1 }, {}],
  ["App Tracking Transparency without permission", { att_status: 2 }, {}],
  ["an app for children", {}, { coppa: 1 }],
  ["an opt-out of sale", {}, { us_privacy: "1YYN" }],
])("with %s the advertising id stays on the device", async (_, device, consent) => {
  await restart({ device: { os: "ios", ifa: "an-id", ...device }, consent });
  expect(bench.server.of("/sdk/v1/ad")).toHaveLength(1);
  expect(JSON.stringify(bench.server.received)).not.toContain("an-id");
});

test("several requests at the start share one session", async () => {
  await Promise.all([
    bench.start(),
    ...["a", "b", "c"].map((zone) => bench.sdk.loadAd({ zone, format: "interstitial" })),
  ]);
  expect(inits()).toHaveLength(1);
});

test("a session ends after 30 minutes of inactivity, not before, and survives a restart", async () => {
  await restart();
  bench.clock.advance(30 * 60_000 - 1);
  await restart();
  expect(inits()).toHaveLength(1);
  bench.clock.advance(30 * 60_000 + 1);
  await restart();
  expect(inits()).toHaveLength(2);
  expect(bench.server.of("/sdk/v1/ad").at(-1)?.body).toMatchObject({ session: "session-2" });
});

test("the installation keeps its id and the day of its first start across midnight, sessions and restarts", async () => {
  await restart();
  bench.clock.advance(3 * 86_400_000);
  await restart();
  const [first, second] = inits();
  expect(first?.["install_id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(second?.["install_id"]).toBe(first?.["install_id"]);
  expect(inits().map((init) => init["first_day"])).toEqual(["2025-01-01", "2025-01-01"]);
});

test("an installation without a stored day, or with an unreadable one, does not count as new", async () => {
  bench.storage.set(`millrace.${APP}.install_id`, APP);
  await restart();
  bench.storage.set(`millrace.${APP}.first_day`, "yesterday");
  bench.clock.advance(40 * 60_000);
  await restart();
  expect(inits().map((init) => init["first_day"])).toEqual([undefined, undefined]);
  expect(bench.storage.get(`millrace.${APP}.install_id`)).toBe(APP);
});

test("an app that provides its installation id can also provide the first day; otherwise there is none", async () => {
  await restart({ installId: APP });
  bench.clock.advance(40 * 60_000);
  await restart({ installId: APP, firstDay: "2024-12-24" });
  expect(inits().map((init) => init["first_day"])).toEqual([undefined, "2024-12-24"]);
});

test("without storage each start is a new installation with a new id and day", async () => {
  const broken = () => {
    throw new Error("private mode");
  };
  bench.storage = { keys: broken, get: broken, set: broken, remove: broken };
  await restart();
  bench.clock.advance(86_400_000);
  await restart();
  expect(inits().map((init) => init["first_day"])).toEqual(["2025-01-01", "2025-01-02"]);
  expect(new Set(inits().map((init) => init["install_id"])).size).toBe(2);
});

test("foreground time is pinged in whole seconds with consecutive numbers, and background time is not", async () => {
  await bench.start();
  bench.sdk.foreground();
  bench.clock.advance(70_000);
  bench.sdk.background();
  bench.clock.advance(600_000);
  bench.sdk.foreground();
  bench.clock.advance(12_400);
  bench.sdk.background();
  await vi.waitFor(() => expect(bench.sdk.waiting()).toBe(0));
  const pings = bench.server.of("/sdk/v1/ping").map(({ body }) => body as { seq: number; seconds: number });
  expect(pings.sort((a, b) => a.seq - b.seq).map(({ seq, seconds }) => [seq, seconds])).toEqual([
    [1, 30],
    [2, 30],
    [3, 10],
    [4, 12],
  ]);
});

test("a session that the server no longer knows is replaced once", async () => {
  const usual = bench.answer;
  bench.answer = (request) => {
    const { session } = request.body as { session?: string };
    if (request.path === "/sdk/v1/ad" && session === "session-1") return { status: 401, json: { error: "Unknown" } };
    return usual(request);
  };
  await bench.start();
  expect(await bench.sdk.loadAd(banner)).toMatchObject({ ok: true });
  expect(inits()).toHaveLength(2);

  bench.sdk.destroyAd("home");
  bench.answer = (request) =>
    request.path === "/sdk/v1/ad" ? { status: 401, json: { error: "Unknown" } } : usual(request);
  expect(await bench.sdk.loadAd(banner)).toMatchObject({
    code: "refused",
    message: expect.stringContaining("Unknown"),
  });
  expect(bench.server.of("/sdk/v1/ad")).toHaveLength(4);
});

test("after a start that failed, ads load as soon as the network is back", async () => {
  const usual = bench.answer;
  bench.answer = () => ({ cut: true });
  expect(await bench.start()).toMatchObject({ ok: false, code: "network" });
  bench.answer = usual;
  // At once it would only repeat the failure.
  expect(await bench.sdk.loadAd(banner)).toMatchObject({ code: "network" });
  expect(inits()).toHaveLength(1);
  bench.sdk.online();
  expect(await bench.sdk.loadAd(banner)).toMatchObject({ ok: true });
  expect(inits()).toHaveLength(2);
});
