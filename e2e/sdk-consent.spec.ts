import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { sdkBrowser } from "./support/sdk-browser.ts";
import { startSdk } from "./support/sdk-page.ts";
import { AWAITED } from "./support/timing.ts";

declare global {
  interface Window {
    /** Lets the consent platform know the user's choice. */
    choose: () => void;
  }
}

const sdk = sdkBrowser();
let server: AdServer;
let context: BrowserContext;
let page: Page;

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  context = await sdk.browser.newContext();
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

const consents = () => server.inits.map((init) => init["consent"]);
const settle = () => page.waitForTimeout(500);

test("without a consent platform, the session starts at once and without signals", async () => {
  await startSdk(page, server);
  await vi.waitFor(() => expect(consents()).toEqual([{}]), AWAITED);
  expect(server.paths).not.toContain("/sdk/consent.mjs");
});

/** The part of the CMP API that a vendor's script uses (IAB TCF 2.2, "CMP API v2", addEventListener). */
const TCF_PLATFORM = `
  const listeners = new Map();
  let state = { gdprApplies: true, tcString: "", eventStatus: "cmpuishown" };
  window.__tcfapi = (command, version, callback, id) => {
    if (command === "removeEventListener") return callback(listeners.delete(id));
    const listenerId = listeners.size + 1;
    listeners.set(listenerId, callback);
    callback({ ...state, listenerId }, true);
  };
  window.choose = () => {
    state = { gdprApplies: true, tcString: "CPokAsAPokAsAABABAENB4CgAAAAAAAAAAYgAAAAAAAA", eventStatus: "useractioncomplete" };
    for (const [listenerId, callback] of listeners) callback({ ...state, listenerId }, true);
  };`;

test("while a consent platform asks the user, nothing is sent and nothing stored; then the choice goes with the session", async () => {
  await page.addInitScript(TCF_PLATFORM);
  await startSdk(page, server);
  await vi.waitFor(() => expect(server.paths).toContain("/sdk/consent.mjs"), AWAITED);
  await settle();
  expect(server.paths.filter((path) => path.startsWith("/sdk/v1/"))).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await page.evaluate(() => window.choose());
  await vi.waitFor(
    () => expect(consents()).toEqual([{ gdpr: 1, tcf: "CPokAsAPokAsAABABAENB4CgAAAAAAAAAAYgAAAAAAAA" }]),
    AWAITED,
  );
});

test("the IAB's own implementation of GPP, and US Privacy, are read once they are ready", async () => {
  const bundle = await build({
    stdin: {
      contents: `import { CmpApi, SignalStatus } from "@iabgpp/cmpapi";
        const cmp = new CmpApi(1, 1);
        window.choose = () => {
          cmp.setFieldValue("uspv1", "Version", 1);
          cmp.setFieldValue("uspv1", "Notice", "Y");
          cmp.setFieldValue("uspv1", "OptOutSale", "N");
          cmp.setFieldValue("uspv1", "LspaCovered", "N");
          cmp.setApplicableSections([6]);
          cmp.setSignalStatus(SignalStatus.READY);
        };
        window.__uspapi = (command, version, callback) => callback({ version: 1, uspString: "1YNN" }, true);`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      loader: "js",
    },
    bundle: true,
    format: "iife",
    write: false,
    logLevel: "error",
  });
  await page.addInitScript(`window.__gpp = window.__gpp || (() => {});${bundle.outputFiles[0]?.text ?? ""}`);
  await startSdk(page, server);
  await vi.waitFor(() => expect(server.paths).toContain("/sdk/consent.mjs"), AWAITED);
  await settle();
  expect(server.inits).toEqual([]);
  await page.evaluate(() => window.choose());
  await vi.waitFor(() => expect(consents()).toHaveLength(1), AWAITED);
  expect(consents()).toEqual([{ gpp: expect.stringMatching(/^DB/), gpp_sid: [6], us_privacy: "1YNN" }]);
});
