import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSdk } from "@millrace/sdk/build";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { adServer } from "./support/ad-server.ts";
import { launchBrowser } from "./support/launch-browser.ts";

/** A busy machine is slow, not wrong. */
const AWAITED = { timeout: 60_000 };

let browser: Browser;
let sdkDir: string;

beforeAll(async () => {
  sdkDir = await mkdtemp(path.join(tmpdir(), "millrace-sdk-"));
  [browser] = await Promise.all([launchBrowser(), buildSdk(sdkDir)]);
});
afterAll(async () => {
  await browser?.close();
  await rm(sdkDir, { recursive: true });
});

/** Tries all that an ad's script may, ten times a second: to press itself, by itself or with a press on the page, and to find addresses. */
const PRESSING = `<p id="ad">quiet</p><a id="link" href="https://shop.example/">shop</a><script>
const windows = [parent, parent.parent, top];
setInterval(() => {
  window.focus();
  document.getElementById("link").click();
  window.open("https://shop.example/");
  for (const one of windows) one.postMessage({ millrace: 1, open: "https://shop.example/", click: 1 }, "*");
}, 100);
const read = [document.documentElement.outerHTML];
for (const one of windows) try { read.push(one.document.documentElement.outerHTML) } catch {}
if (read.join().includes("/beacon/" + "click")) document.getElementById("ad").textContent = "found the address";
</script>`;

test("a hostile ad cannot take a press on the app's page for one on itself, and finds no address to call", async () => {
  const server = await adServer(sdkDir);
  const page = await browser.newPage();
  const beacons = () => server.taken.filter((taken) => taken !== "ping");
  server.markups = [PRESSING];
  server.pageScript = `
    const ads = Millrace.init({ app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", platform: "android", endpoint: "${server.endpoint}" });
    ads.showBanner(document.querySelector("#place"), { zone: "home" });`;
  await page.goto(server.pageOrigin);
  await vi.waitFor(() => expect(beacons()).toContain("impression 0"), AWAITED);
  for (let presses = 0; presses < 3; presses += 1) {
    // By place: whatever waits for an element runs a script in its frame, which counts as an act of a person.
    const { x, y } = (await page.locator("#before").boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(x + 5, y + 5);
    await page.waitForTimeout(700);
  }
  expect(await page.evaluate(() => navigator.userActivation.hasBeenActive)).toBe(true);
  expect(page.context().pages()).toHaveLength(1);
  expect(beacons()).toEqual(["impression 0"]);
  expect(await page.frameLocator("#place iframe").frameLocator("iframe").locator("#ad").textContent()).toBe("quiet");
  await page.close();
  await server.close();
});
