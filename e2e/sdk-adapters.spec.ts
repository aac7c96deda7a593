import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { sdkBrowser } from "./support/sdk-browser.ts";
import { eventsOf, startSdk } from "./support/sdk-page.ts";
import { AWAITED } from "./support/timing.ts";

const sdk = sdkBrowser();
let server: AdServer;
let context: BrowserContext;
let page: Page;

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  server.steps = [cedar(), { type: "ad", ad: 0 }];
  context = await sdk.browser.newContext({ viewport: { width: 360, height: 640 } });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

const cedar = () => {
  const beacon = (kind: string) => `${server.endpoint}/beacon/${kind}?t=cedar`;
  return {
    type: "adapter",
    provider: "line-items",
    item: "3f2c8f0e-0c57-4b6e-9a39-0d4a7c1e5b02",
    adapter: "Cedar",
    params: { placement: "p-1" },
    expected_micros: 3_000_000,
    revenue_micros: 3_000,
    precision: "estimated",
    beacons: {
      impression: beacon("impression"),
      click: beacon("click"),
      loss: beacon("loss"),
      player: beacon("player"),
    },
  };
};

/** Registers an adapter that does this, and shows a banner. */
async function showWith(does: "fills" | "has none" | "throws" | "never answers"): Promise<unknown> {
  await startSdk(page, server);
  return page.evaluate(async (does) => {
    window.Millrace.registerAdapter("Cedar", {
      load({ params }) {
        if (does === "throws") throw new Error("a broken SDK");
        if (does === "never answers") return new Promise(() => {});
        if (does === "has none") return null;
        return {
          paidMicros: 4_200_000,
          show({ into }, on) {
            const ad = document.createElement("button");
            ad.textContent = `Cedar's ad of ${params["placement"]}`;
            for (const _twice of [1, 2]) ad.addEventListener("click", () => on.clicked());
            into?.append(ad);
            return true;
          },
          destroy: () => document.querySelector("#place button")?.remove(),
        };
      },
    });
    const into = document.querySelector<HTMLElement>("#place");
    return into && window.Millrace.showAd("home", { into });
  }, does);
}

test("an adapter's ad has the events of every other ad, each once, with what its seller pays", async () => {
  expect(await showWith("fills")).toMatchObject({ ok: true, network: "line-items" });
  expect(server.adRequests).toMatchObject([{ adapters: ["Cedar"] }]);
  await page.getByRole("button", { name: "Cedar's ad of p-1" }).click();
  await page.evaluate(() => window.Millrace.destroyAd("home"));
  expect(await page.locator("#place > *").count()).toBe(0);
  const info = { zone: "home", format: "banner", network: "line-items" };
  expect(await eventsOf(page, "displayed", "revenuePaid", "clicked", "hidden", "callbackFailed")).toMatchObject([
    { type: "displayed", ...info },
    { type: "revenuePaid", ...info, priceMicros: 4_200, precision: "estimated", country: "DE" },
    { type: "clicked", ...info },
    { type: "hidden", ...info },
  ]);
  await vi.waitFor(
    () =>
      expect([...server.received].sort()).toEqual(["click cedar", "impression cedar 4200000", "player cedar filled"]),
    AWAITED,
  );
  expect(server.paths).toContain("/sdk/steps.mjs");
});

test.each([
  ["has none", "no_fill"],
  ["throws", "failed"],
  ["never answers", "timed_out"],
] as const)("after an adapter that %s, the exchange's own ad is shown", async (does, outcome) => {
  expect(await showWith(does)).toMatchObject({ ok: true, network: "partner-0" });
  expect(await page.locator("#place iframe").count()).toBe(1);
  const wanted = ["impression 0", "loss cedar", `player cedar ${outcome}`];
  await vi.waitFor(() => expect([...server.received].sort()).toEqual(wanted), AWAITED);
  expect(await eventsOf(page, "loaded", "displayed", "loadFailed")).toHaveLength(2);
});

test("where nobody has an ad, the load fails once", async () => {
  server.markups = [];
  server.steps = [cedar()];
  expect(await showWith("has none")).toMatchObject({ ok: false, code: "no_ad" });
  expect(await eventsOf(page, "loadFailed", "displayFailed")).toHaveLength(1);
  await vi.waitFor(() => expect(server.received).toEqual(["player cedar no_fill"]), AWAITED);
});

test("an app without adapters neither names one nor loads what walks them", async () => {
  await startSdk(page, server);
  await page.evaluate(async () => {
    const into = document.querySelector<HTMLElement>("#place");
    if (into) await window.Millrace.showAd("home", { into });
  });
  expect(server.adRequests[0]).not.toHaveProperty("adapters");
  expect(server.paths).not.toContain("/sdk/steps.mjs");
  await vi.waitFor(() => expect(server.received).toEqual(["impression 0"]), AWAITED);
});
