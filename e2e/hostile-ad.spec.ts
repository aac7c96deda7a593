import { expect, test, vi } from "vitest";
import { adServer } from "./support/ad-server.ts";
import { bannerScript, sdkBrowser } from "./support/sdk-browser.ts";
import { AWAITED } from "./support/timing.ts";

const sdk = sdkBrowser();

/** Tries ten times a second to click itself, also with the help of a click on the page, and once to find beacon addresses. */
const HOSTILE = `<p id="ad">quiet</p><a id="link" href="https://shop.example/">shop</a><script>
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

test("a hostile ad cannot use a click on the app's page as its own, and finds no beacon address", async () => {
  const server = await adServer(sdk.sdkDir);
  const page = await sdk.browser.newPage();
  const beacons = () => server.received.filter((taken) => taken !== "ping");
  server.markups = [HOSTILE];
  server.pageScript = bannerScript(server);
  await page.goto(server.pageOrigin);
  await vi.waitFor(() => expect(beacons()).toContain("impression 0"), AWAITED);
  for (let clicks = 0; clicks < 3; clicks += 1) {
    // By coordinates: a locator's click runs a script in the frame, which counts as a user's act.
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
