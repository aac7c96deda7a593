import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { ZONES, type DemoConfig } from "../demo/page/demo-config.ts";
import { clearOfMidnight } from "./support/clear-of-midnight.ts";
import { type SignedIn, signIn, zoneNumbers } from "./support/sign-in.ts";
import { testUsers } from "./support/test-users.ts";
import { AWAITED } from "./support/timing.ts";

const platform = inject("platform");
const people = testUsers();
clearOfMidnight();

let context: BrowserContext;
let page: Page;
let user: SignedIn;
let config: DemoConfig;

beforeAll(async () => {
  [user, config] = await Promise.all([
    signIn(platform),
    fetch(`${platform.url}/demo/config.json`).then((reply) => reply.json() as Promise<DemoConfig>),
  ]);
});
beforeEach(async () => {
  context = await people.visitor({ isPlain: true });
  page = await context.newPage();
  await page.goto(`${platform.url}/demo/app`);
});

type Asked = Exclude<keyof typeof ZONES, "banner" | "interstitial">;
const BUTTONS = {
  native: "Show a native ad",
  video: "Show a video",
  rewarded: "Watch an ad for a hint",
  audio: "Play an audio ad",
} as const satisfies Record<Asked, string>;

const logged = (what: string, format: string) =>
  page.locator("#log li").filter({ hasText: what }).filter({ hasText: format }).count();
const impressionsOf = async (zone: string) => (await zoneNumbers(user, config.app, zone)).impressions;

/** Shows an ad. Bidders may decline, so it asks again after each request without an ad. */
async function show(format: Asked): Promise<void> {
  const before = await logged("Impression", format);
  for (let tries = 0; tries < 40; tries += 1) {
    const refused = await logged("No ad", ZONES[format]);
    await page.getByRole("button", { name: BUTTONS[format] }).click();
    const isOver = async () =>
      (await logged("Impression", format)) > before || (await logged("No ad", ZONES[format])) > refused;
    await expect.poll(isOver).toBe(true);
    if ((await logged("Impression", format)) > before) return;
  }
  throw new Error(`Forty auctions sold no ${format} ad`);
}

test.each(["native", "video", "audio"] as const)(
  "a %s ad of the game is counted up to the dashboard",
  async (format) => {
    const before = await impressionsOf(ZONES[format]);
    await show(format);
    await vi.waitFor(async () => expect(await impressionsOf(ZONES[format])).toBe(before + 1), AWAITED);
    if (format === "native") expect(await page.locator("#native-place").innerText()).not.toBe("");
  },
);

test("a rewarded video, watched to its end, gives the player a hint that helps", async () => {
  const before = await impressionsOf(ZONES.rewarded);
  await show("rewarded");
  await page.locator(".lamp.hinted").waitFor({ timeout: 60_000 });
  const name = (await page.locator(".lamp.hinted").getAttribute("aria-label")) ?? "";
  expect((await page.textContent("#hint"))?.toLowerCase()).toBe(`hint: tap ${name.toLowerCase()}.`);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".lamp.hinted").press("Enter");
  expect(await page.locator(".lamp.hinted").count()).toBe(0);
  await vi.waitFor(async () => expect(await impressionsOf(ZONES.rewarded)).toBe(before + 1), AWAITED);
});

test("an ad that is shown offline is counted once when the device is back", async () => {
  // Its renderer is loaded once.
  await show("native");
  await vi.waitFor(
    async () => expect(await logged("Delivery", "delivered: /beacon/impression")).toBeGreaterThan(0),
    AWAITED,
  );
  const before = await vi.waitFor(async () => {
    const first = await impressionsOf(ZONES.native);
    await page.waitForTimeout(1500);
    expect(await impressionsOf(ZONES.native)).toBe(first);
    return first;
  }, AWAITED);
  await page.route("**/sdk/v1/ad", async (route) => {
    const response = await route.fetch();
    await context.setOffline(true);
    await route.fulfill({ response });
  });
  await show("native");
  await page.waitForTimeout(1500);
  expect(await impressionsOf(ZONES.native)).toBe(before);
  await context.setOffline(false);
  await vi.waitFor(async () => expect(await impressionsOf(ZONES.native)).toBe(before + 1), AWAITED);
  await page.waitForTimeout(1500);
  expect(await impressionsOf(ZONES.native)).toBe(before + 1);
});

test("an ad blocker is named by its code", async () => {
  await page.route("**/sdk/v1/ad", (route) => route.abort("blockedbyclient"));
  // The SDK gives the server a second to prove that it answers at another address, which a busy machine can miss.
  const isNamed = async () => {
    await page.getByRole("button", { name: BUTTONS.native }).click();
    return (await logged("Error", `${ZONES.native}: blocked`)) > 0;
  };
  await expect.poll(isNamed, { interval: 1000 }).toBe(true);
});
