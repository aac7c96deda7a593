import { createContext, runInContext } from "node:vm";
import { PLATFORMS, SDK_VERSION, sdkAd, sdkInit } from "@millrace/contract";
import { validateBidRequest } from "@millrace/openrtb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "../../../platform/clock.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { JSDOM } from "../../exchange/testing/dom.ts";
import { post, removeDir, startExchange, type TestExchange } from "../../exchange/testing/start-exchange.ts";
import { appIdentity } from "../app-identity.ts";
import { createApp, type App } from "../store.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";
import { instructionParts, VERSIONS_PART } from "./instruction-parts.ts";
import { openrtbRequest, prebidSetup, protocolCalls, protocolSteps, vastTag, webSdk } from "./snippets.ts";

const stores = await testStores();
const { pool } = stores.pg;
const NAME = `Tide <script>alert("x")</script> & Ebb`;
let at: Awaited<ReturnType<typeof appsServer>>;
let exchange: TestExchange;
let account: number;
let app: App;

beforeAll(async () => {
  const partner = {
    name: "Aurora",
    formats: ["banner" as const],
    keyed: ["banner" as const],
    enabled: true,
    active: true,
    is_test: false,
  };
  at = await appsServer(stores, {
    role: "SDEV",
    partnersOf: async () => [
      { ...partner, id: "aurora" },
      { ...partner, id: "off", enabled: false },
      { ...partner, id: "keyless", keyed: [] },
    ],
  });
  account = await newAccount(stores, "Owner");
  app = await createApp(pool, account, {
    name: NAME,
    bundleId: "com.example.tide",
    platform: "roku",
    moderation: "live",
  });
  exchange = await startExchange(stores);
});
afterAll(async () => {
  await Promise.all([at.stop(), exchange.stop()]);
  await removeDir(exchange.dataDir);
});

const page = (by = account, uuid = app.uuid) =>
  at.server.inject({ url: `/apps/${uuid}/instruction_iframe`, headers: { "x-account": String(by) } });
const facts = () => ({ key: app.uuid, publicUrl: "https://ads.example.com" });
const textOf = (html: string) =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

test("only our pages can frame the page, which runs only its own script and loads nothing", async () => {
  const [one, two] = [await page(), await page()];
  expect(one.statusCode).toBe(200);
  expect(one.headers["content-type"]).toBe("text/html; charset=utf-8");
  const policy = String(one.headers["content-security-policy"]);
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? expect.fail("no nonce");
  expect(policy).toBe(
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
  );
  expect(one.headers["x-frame-options"]).toBe("SAMEORIGIN");
  expect(one.headers["cache-control"]).toBe("no-store");
  expect(two.headers["content-security-policy"]).not.toBe(policy);
  expect([...one.body.matchAll(/<(?:script|style)[^>]*>/g)].map(([tag]) => tag)).toEqual([
    `<style nonce="${nonce}">`,
    `<script nonce="${nonce}">`,
  ]);
  expect(one.body).not.toMatch(/<[^>]+\s(?:on\w+|style|src)=/);
});

test("the page has the dashboard's font where the dashboard is built, and still loads nothing else", async () => {
  const built = await appsServer(stores, { role: "SDEV", fontPath: "/assets/inter-latin-wght-normal-AbC_12.woff2" });
  const url = `/apps/${app.uuid}/instruction_iframe`;
  const reply = await built.server.inject({ url, headers: { "x-account": String(account) } });
  await built.stop();
  expect(String(reply.headers["content-security-policy"])).toMatch(
    /^default-src 'none'; .*; font-src 'self'; base-uri/,
  );
  expect([...reply.body.matchAll(/url\("([^"]*)"\)/g)].map(([, path]) => path)).toEqual([
    "/assets/inter-latin-wght-normal-AbC_12.woff2",
  ]);
});

test("the key and every snippet have a button that copies them, and nothing else", async () => {
  const html = (await page()).body;
  const dom = new JSDOM(html, { runScripts: "outside-only" });
  const copied: string[] = [];
  const run = dom.window.eval(`(window, navigator) => {${scriptIn(html)}}`) as (...frame: object[]) => void;
  const framed = { parent: {}, location: { origin: "", hash: "" }, history: {}, addEventListener() {} };
  run(framed, { clipboard: { writeText: async (text: string) => copied.push(text) } });
  const buttons = [...dom.window.document.querySelectorAll("[data-copy]")];
  for (const button of buttons) button.click();
  const codes = [...dom.window.document.querySelectorAll(".copied code")].map(({ textContent }) => textContent);
  expect(copied).toEqual(codes);
  expect(copied).toEqual(expect.arrayContaining([app.uuid, vastTag(facts()), webSdk(facts(), "android")]));
});

test("the app's name is escaped everywhere", async () => {
  const { body } = await page();
  expect(body).not.toContain("<script>alert");
  expect(body).toContain("Tide &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Ebb");
});

test("every platform has a tab, and the app's own is open without script", async () => {
  const { body } = await page();
  for (const id of [...PLATFORMS, "openrtb", "prebid"]) {
    expect(body).toContain(`data-part="${id}"`);
    expect(body).toContain(`id="part-${id}"`);
  }
  const open = [...body.matchAll(/id="tab-(\w+)"[^>]*aria-selected="true"/g)].map(([, id]) => id);
  expect(open).toEqual(["roku"]);
  expect(
    [...body.matchAll(/<section[^>]*id="part-(\w+)"[^>]*>/g)].filter(([tag]) => !tag.includes("hidden")),
  ).toHaveLength(1);
  expect(textOf(body)).toContain(vastTag(facts()));
  expect(body).toContain("Without the SDK, three calls do the same:");
});

test("an app that waits for a moderator says so", async () => {
  expect((await page()).body).not.toContain("being moderated");
  const waits = await createApp(pool, account, { name: "Waits", bundleId: "w", platform: "ios", moderation: "check" });
  expect((await page(account, waits.uuid)).body).toContain("Your application is being moderated. Please wait.");
});

test("partner keys are linked for the same platforms as in the app list", async () => {
  for (const platform of PLATFORMS) {
    const { uuid } = await createApp(pool, account, { name: "Keys", bundleId: platform, platform });
    const isOffered = (await page(account, uuid)).body.includes(`href="/apps/${uuid}/dsp"`);
    expect([platform, isOffered]).toEqual([platform, !["android", "ios", "amazon"].includes(platform)]);
  }
});

test("another account's app has no instructions", async () => {
  const other = await newAccount(stores, "Other");
  const reply = await page(other);
  expect([reply.statusCode, reply.json()]).toEqual([404, { error: "There is no such app" }]);
});

test("the web snippet starts the SDK with the app's key, platform and address, and shows what it loads", () => {
  for (const platform of PLATFORMS) {
    const calls: unknown[] = [];
    const taking =
      (name: string) =>
      (...all: unknown[]) =>
        calls.push([name, ...all]);
    const Millrace = {
      initialize: taking("initialize"),
      loadAd: taking("loadAd"),
      showAd: taking("showAd"),
      isAdReady: () => true,
    };
    const scope = createContext({ document: { querySelector: (selector: string) => selector }, Millrace });
    runInContext(`${scriptIn(webSdk(facts(), platform))}; showFullScreenAd()`, scope);
    expect(calls).toEqual([
      ["initialize", { app: app.uuid, platform, endpoint: "https://ads.example.com" }],
      ["showAd", "home", { into: "#banner", size: "320x50" }],
      ["loadAd", { zone: "level_end", format: "interstitial" }],
      ["showAd", "level_end"],
    ]);
    expect(sdkInit.body.shape.app.safeParse(app.uuid).success).toBe(true);
  }
});

test("the Prebid snippet names the app's partners that have keys and are on", async () => {
  const { body } = await page();
  expect(textOf(body)).toContain(prebidSetup(facts(), ["aurora"]));
  const asked: { config?: unknown; bids?: unknown } = {};
  const pbjs = {
    que: { push: (run: () => void) => run() },
    setConfig: (config: unknown) => (asked.config = config),
    requestBids: ({ adUnits }: { adUnits: unknown }) => (asked.bids = adUnits),
  };
  const scope = createContext({ window: { pbjs } });
  runInContext(scriptIn(prebidSetup(facts(), ["aurora"])), scope);
  expect(asked).toMatchObject({
    config: {
      ortb2: { app: { id: app.uuid } },
      s2sConfig: { bidders: ["aurora"], endpoint: "https://ads.example.com/openrtb2/auction" },
    },
    bids: [{ bids: [{ bidder: "aurora" }] }],
  });
  const alone = await appsServer(stores, { role: "SDEV" });
  const reply = await alone.server.inject({
    url: `/apps/${app.uuid}/instruction_iframe`,
    headers: { "x-account": String(account) },
  });
  expect(reply.body).toContain("This app has no partner yet");
  await alone.stop();
});

test("the exchange accepts the VAST tag and the OpenRTB request of the instructions", async () => {
  const tag = new URL(vastTag(facts()));
  await vi.waitFor(async () => {
    const reply = await exchange.app.inject(`${tag.pathname}${tag.search}`);
    expect([reply.statusCode, reply.body.includes("<VAST")]).toEqual([200, true]);
  }, 5000);
  for (const platform of PLATFORMS) {
    const request = JSON.parse(openrtbRequest(facts(), platform)) as unknown;
    expect(validateBidRequest(request)).toMatchObject({ ok: true });
    const reply = await post(exchange, "/openrtb2/auction", request);
    expect([200, 204]).toContain(reply.statusCode);
  }
});

test("the calls of the HTTP protocol work as written, on every platform", async () => {
  for (const platform of PLATFORMS) {
    const { init, ad } = protocolCalls(facts(), platform);
    const started = await post(exchange, "/sdk/v1/init", init);
    expect([platform, started.statusCode]).toEqual([platform, 200]);
    const asked = await post(exchange, "/sdk/v1/ad", { ...ad, session: started.json<{ session: string }>().session });
    expect(sdkAd.reply.safeParse(asked.json())).toMatchObject({ success: true });
    const text = protocolSteps(facts(), platform);
    for (const body of [init, ad]) expect(text).toContain(`--data '${JSON.stringify(body)}'`);
    expect(text).toContain("curl https://ads.example.com/sdk/v1/init");
  }
});

/** The page in a frame: a window around a real document. */
function frame(html: string, hash: string) {
  const dom = new JSDOM(html, { runScripts: "outside-only" });
  const told: unknown[][] = [];
  const listeners = new Map<string, () => void>();
  const location = { origin: "https://ads.example.com", hash };
  const run = dom.window.eval(`(window) => {${scriptIn(html)}}`) as (frame: object) => void;
  run({
    parent: { postMessage: (...all: unknown[]) => told.push(all) },
    location,
    history: { replaceState: (_state: null, _title: string, to: string) => (location.hash = to) },
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
  });
  const { document } = dom.window;
  return {
    told,
    click: (selector: string) => (document.querySelector(selector) ?? expect.fail(selector)).click(),
    moveTo(hash: string) {
      location.hash = hash;
      listeners.get("hashchange")?.();
    },
    open: () =>
      [...PLATFORMS, "openrtb", "prebid"].filter((id) => {
        const isSelected = document.querySelector(`#tab-${id}`)?.getAttribute("aria-selected") === "true";
        const isShown = document.querySelector(`#part-${id}`)?.getAttribute("hidden") === null;
        expect(isSelected).toBe(isShown);
        return isShown;
      }),
  };
}

test("the hash opens its platform's part, and an unknown hash the app's own", async () => {
  const { body } = await page();
  const framed = frame(body, "#android");
  expect(framed.open()).toEqual(["android"]);
  framed.moveTo("#prebid");
  expect(framed.open()).toEqual(["prebid"]);
  framed.moveTo('#"><img src=x>');
  expect(framed.open()).toEqual(["roku"]);
  expect(frame(body, "").open()).toEqual(["roku"]);
  expect(framed.told).toEqual([]);
});

test("a chosen tab and a link send messages to our embedding page only", async () => {
  const framed = frame((await page()).body, "");
  framed.click("#tab-tvos");
  expect(framed.open()).toEqual(["tvos"]);
  framed.click('a[href$="/dsp"]');
  expect(framed.told).toEqual([
    [{ type: "hash", hash: "#tvos" }, "https://ads.example.com"],
    [{ type: "redirect", url: expect.stringMatching(`/apps/${app.uuid}/dsp$`) }, "https://ads.example.com"],
  ]);
});

function scriptIn(html: string): string {
  // Only inline scripts have text.
  return /<script(?: nonce="[^"]*")?>([\s\S]*)<\/script>/.exec(html)?.[1] ?? expect.fail("no script");
}

test("the newest version of the SDK is the first whose changes are told", () => {
  const part = instructionParts(facts(), "android", []).find(({ id }) => id === VERSIONS_PART);
  expect(part?.steps[0]?.title).toBe(SDK_VERSION);
  const { sdk_info: info } = appIdentity({ sdk: { latest: SDK_VERSION }, clock: systemClock }, app);
  expect(info).toMatchObject({
    changelog_url: `/apps/${app.uuid}/settings#${VERSIONS_PART}`,
    update_url: `/apps/${app.uuid}/settings`,
  });
});
