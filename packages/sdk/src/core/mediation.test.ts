import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { APP, AUCTION, ad, adReply, initReply } from "../testing/protocol-replies.ts";
import { protocolServer, type Received } from "../testing/protocol-server.ts";
import type { Revenue, SdkError, SdkEvent } from "./events.ts";
import { fetchTransport } from "./fetch-transport.ts";
import { startMediation, type Mediation, type MediationOptions } from "./mediation.ts";
import { memoryStorage } from "./memory-storage.ts";
import { strongRandom } from "./random-id.ts";
import type { Storage } from "./host.ts";

type Server = Awaited<ReturnType<typeof protocolServer>>;

let server: Server;
let clock = manualClock();
let storage: Storage = memoryStorage();
let answer: (request: Received) => ReturnType<Parameters<typeof protocolServer>[0]> = () => ({});
const open: Mediation[] = [];
const revenues: Revenue[] = [];
const errors: SdkError[] = [];
const events: SdkEvent[] = [];

beforeEach(async () => {
  server = await protocolServer((request) => {
    if (request.path.startsWith("/b/")) return { status: 204 };
    return answer(request);
  });
  clock = manualClock();
  storage = memoryStorage();
  for (const list of [revenues, errors, events]) list.length = 0;
  let sessions = 0;
  answer = ({ path }) => {
    if (path === "/sdk/v1/init") return { json: initReply(`session-${(sessions += 1)}`) };
    if (path === "/sdk/v1/ad") return { json: adReply([ad(server.endpoint, "alpha"), ad(server.endpoint, "beta")]) };
    return { json: { ok: true } };
  };
});

afterEach(async () => {
  for (const mediation of open.splice(0)) mediation.close();
  await server.close();
});

function start(more: Partial<MediationOptions> = {}): Mediation {
  const mediation = startMediation(
    {
      app: APP,
      platform: "android",
      endpoint: `${server.endpoint}/`,
      device: { os: "android", osv: "15" },
      onRevenue: (revenue) => revenues.push(revenue),
      onError: (error) => errors.push(error),
      onEvent: (event) => events.push(event),
      ...more,
    },
    { clock, storage, transport: fetchTransport(fetch), random: strongRandom },
  );
  open.push(mediation);
  return mediation;
}

const banner = { zone: "home", format: "banner", w: 320, h: 50 } as const;
const shows = async () => true;

test("the first ad that shows gets impression and revenue, those before it get a loss, and those after it nothing", async () => {
  answer = ({ path }) =>
    path === "/sdk/v1/init"
      ? { json: initReply() }
      : { json: adReply(["alpha", "beta", "gamma", "delta"].map((name) => ad(server.endpoint, name))) };
  const mediation = start();
  const tried: string[] = [];
  const result = await mediation.show(banner, async ({ provider }) => {
    tried.push(provider);
    if (provider === "alpha") throw new Error("broken creative");
    return provider === "gamma";
  });
  expect(result).toMatchObject({ shown: true, auction: AUCTION, ad: { provider: "gamma" } });
  expect(tried).toEqual(["alpha", "beta", "gamma"]);
  await vi.waitFor(() => expect(mediation.waiting()).toBe(0));
  const beacons = server.of("/b/").map(({ path }) => path);
  expect(beacons.sort()).toEqual(["/b/imp/gamma", "/b/loss/alpha", "/b/loss/beta"]);
  expect(revenues).toEqual([
    { revenueMicros: 1500, provider: "gamma", format: "banner", zone: "home", auction: AUCTION },
  ]);
  expect(errors).toEqual([{ code: "render", message: "broken creative" }]);
});

test("a request has the session, the device and the current consent", async () => {
  let tcf = "first";
  const mediation = start({ consent: () => ({ gdpr: 1, tcf }), device: { os: "ios", ifa: "an-id", lmt: 0 } });
  await mediation.show(banner, shows);
  tcf = "second";
  await mediation.show(banner, shows);
  expect(server.of("/sdk/v1/init").map(({ body }) => body)).toEqual([
    expect.objectContaining({
      app: APP,
      platform: "android",
      sdk_version: "1.0.0",
      consent: { gdpr: 1, tcf: "first" },
    }),
  ]);
  const device = { os: "ios", ifa: "an-id", lmt: 0 };
  expect(server.of("/sdk/v1/ad").map(({ body }) => body)).toEqual([
    { session: "session-1", ...banner, device, consent: { gdpr: 1, tcf: "first" } },
    { session: "session-1", ...banner, device, consent: { gdpr: 1, tcf: "second" } },
  ]);
});

test("a click is reported when it happens, and only by its own beacon", async () => {
  const mediation = start();
  let click = () => {};
  await mediation.show(banner, async (_, onClick) => {
    click = onClick;
    return true;
  });
  await vi.waitFor(() => expect(mediation.waiting()).toBe(0));
  expect(server.of("/b/click")).toHaveLength(0);
  click();
  await vi.waitFor(() => expect(server.of("/b/click/alpha")).toHaveLength(1));
});

test("without an ad only the reason is reported", async () => {
  answer = ({ path }) =>
    path === "/sdk/v1/init"
      ? { json: initReply() }
      : { json: adReply([], { nbr: 2, reason: "No bid", refresh_seconds: 45 }) };
  const mediation = start();
  expect(await mediation.show(banner, shows)).toEqual({ shown: false, failed: false, refreshSeconds: 45 });
  expect(events.at(-1)).toEqual({ type: "no_ad", zone: "home", format: "banner", reason: "No bid" });
  expect(mediation.waiting()).toBe(0);
});

test("several requests at the start share one session", async () => {
  const mediation = start();
  mediation.foreground();
  await Promise.all([1, 2, 3].map(() => mediation.show(banner, shows)));
  expect(server.of("/sdk/v1/init")).toHaveLength(1);
});

test("a session ends after 30 minutes of inactivity, not before, and survives a restart", async () => {
  await start().show(banner, shows);
  clock.advance(30 * 60_000 - 1);
  await start().show(banner, shows);
  expect(server.of("/sdk/v1/init")).toHaveLength(1);
  clock.advance(30 * 60_000 + 1);
  await start().show(banner, shows);
  expect(server.of("/sdk/v1/init")).toHaveLength(2);
  expect(server.of("/sdk/v1/ad").at(-1)?.body).toMatchObject({ session: "session-2" });
});

test("the installation keeps its id across sessions and restarts", async () => {
  await start().show(banner, shows);
  clock.advance(40 * 60_000);
  await start().show(banner, shows);
  const installs = server.of("/sdk/v1/init").map(({ body }) => (body as { install_id: string }).install_id);
  expect(installs).toHaveLength(2);
  expect(installs[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(installs[1]).toBe(installs[0]);
});

const firstDays = () => server.of("/sdk/v1/init").map(({ body }) => (body as { first_day?: string }).first_day);

test("the installation keeps the day of its first start across midnight, sessions and restarts", async () => {
  await start().show(banner, shows);
  clock.advance(3 * 86_400_000);
  await start().show(banner, shows);
  expect(firstDays()).toEqual(["2025-01-01", "2025-01-01"]);
});

test("an installation without a stored day, or with an unreadable one, does not count as new", async () => {
  storage.set(`millrace.${APP}.install_id`, APP);
  await start().show(banner, shows);
  storage.set(`millrace.${APP}.first_day`, "yesterday");
  clock.advance(40 * 60_000);
  await start().show(banner, shows);
  expect(firstDays()).toEqual([undefined, undefined]);
  expect(storage.get(`millrace.${APP}.install_id`)).toBe(APP);
});

test("an app that provides its installation id can also provide the first day; otherwise there is none", async () => {
  await start({ installId: APP }).show(banner, shows);
  clock.advance(40 * 60_000);
  await start({ installId: APP, firstDay: "2024-12-24" }).show(banner, shows);
  expect(firstDays()).toEqual([undefined, "2024-12-24"]);
});

test("without storage each start is a new installation with a new id and day", async () => {
  const broken = () => {
    throw new Error("private mode");
  };
  storage = { keys: broken, get: broken, set: broken, remove: broken };
  await start().show(banner, shows);
  clock.advance(86_400_000);
  await start().show(banner, shows);
  expect(firstDays()).toEqual(["2025-01-01", "2025-01-02"]);
  expect(new Set(server.of("/sdk/v1/init").map(({ body }) => (body as { install_id: string }).install_id)).size).toBe(
    2,
  );
});

test("foreground time is pinged in whole seconds with consecutive numbers, and background time is not", async () => {
  const mediation = start();
  mediation.foreground();
  await vi.waitFor(() => expect(events.some(({ type }) => type === "session")).toBe(true));
  clock.advance(70_000);
  mediation.background();
  clock.advance(600_000);
  mediation.foreground();
  clock.advance(12_400);
  mediation.background();
  await vi.waitFor(() => expect(mediation.waiting()).toBe(0));
  const pings = server.of("/sdk/v1/ping").map(({ body }) => body as { session: string; seq: number; seconds: number });
  pings.sort((a, b) => a.seq - b.seq);
  expect(pings.map(({ seq, seconds }) => [seq, seconds])).toEqual([
    [1, 30],
    [2, 30],
    [3, 10],
    [4, 12],
  ]);
});

test("a session that the server no longer knows is replaced once", async () => {
  const usual = answer;
  answer = (request) => {
    const { session } = request.body as { session?: string };
    if (request.path === "/sdk/v1/ad" && session === "session-1")
      return { status: 401, json: { error: "Unknown session" } };
    return usual(request);
  };
  expect(await start().show(banner, shows)).toMatchObject({ shown: true });
  expect(server.of("/sdk/v1/init")).toHaveLength(2);

  answer = (request) => (request.path === "/sdk/v1/ad" ? { status: 401, json: { error: "Unknown" } } : usual(request));
  expect(await start().show(banner, shows)).toMatchObject({ shown: false, failed: true });
  expect(server.of("/sdk/v1/ad").length).toBe(4);
  expect(errors.at(-1)).toMatchObject({ code: "refused", message: expect.stringContaining("Unknown") });
});

test("offline calls report an error without throwing, and recover when the network is back", async () => {
  await server.close();
  const mediation = start();
  mediation.foreground();
  expect(await mediation.show(banner, shows)).toMatchObject({ shown: false, failed: true });
  expect(errors.every(({ code }) => code === "network")).toBe(true);

  const port = Number(new URL(server.endpoint).port);
  const { createServer } = await import("node:http");
  const again = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(request.url === "/sdk/v1/init" ? initReply() : adReply([ad(server.endpoint, "alpha")])),
    );
  });
  await new Promise<void>((resolve) => again.listen(port, "127.0.0.1", resolve));
  mediation.online();
  expect(await mediation.show(banner, shows)).toMatchObject({ shown: true });
  await vi.waitFor(() => expect(mediation.waiting()).toBe(0));
  mediation.close();
  again.closeAllConnections();
  await new Promise((resolve) => again.close(resolve));
});

test("a captive portal's page is a network error, not a reply", async () => {
  for (const json of ["<html>", null, 5, [], { session: 1 }, { session: "s", zones: [] }]) {
    answer = () => ({ json });
    storage = memoryStorage();
    expect(await start().show(banner, shows)).toMatchObject({ shown: false, failed: true });
  }
  expect(errors.map(({ code }) => code)).toEqual(Array(6).fill("network"));
});

test("ads that lack a field needed to show them are skipped", async () => {
  const usual = answer;
  answer = (request) =>
    request.path === "/sdk/v1/ad"
      ? { json: { ...adReply([]), ads: [null, 5, {}, { markup: {} }, ad(server.endpoint, "beta")] } }
      : usual(request);
  expect(await start().show(banner, shows)).toMatchObject({ shown: true, ad: { provider: "beta" } });
});

test("listeners that throw affect neither the app nor the ads", async () => {
  const boom = () => {
    throw new Error("in the app");
  };
  const mediation = start({ onRevenue: boom, onEvent: boom });
  expect(await mediation.show(banner, shows)).toMatchObject({ shown: true });
  expect(errors.length).toBeGreaterThan(0);
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["callback"]));
  expect(await start({ onRevenue: boom, onError: boom, onEvent: boom }).show(banner, shows)).toMatchObject({
    shown: true,
  });
});
