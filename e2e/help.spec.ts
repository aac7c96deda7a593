import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { deviceOf, traceOf } from "./support/ask-for-ad.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";
import { slowdown } from "./support/timing.ts";

const SEARCH_MS = 50;
const MOST_ASKS = 200;
const KEY = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const ADDRESS = "https://ads.example.com";

const platform = inject("platform");
const people = testUsers();
let publisher: BrowserContext;
let app: string;
beforeAll(async () => {
  publisher = await people.publisher();
  app = await appNamed(publisher, "Paper Fleet");
});

/** A page, and what its console says that nothing should. */
async function openedPage(): Promise<{ page: Page; said: string[] }> {
  const page = await publisher.newPage();
  const said: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  return { page, said };
}

/** The code blocks of the page on getting started that are marked to run, with the test's platform and app in them. */
async function snippets(language: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL("../docs/help/start/index.md", import.meta.url)), "utf8");
  const blocks = [...text.matchAll(/^```(\w+) runs\n([\s\S]*?)^```/gm)].filter(([, name]) => name === language);
  return blocks.map(([, , code = ""]) => code.replaceAll(KEY, app).replaceAll(ADDRESS, platform.url));
}

test("the search finds what is written about payouts within 50 ms, its index is loaded when it opens, and Enter opens the first result", async () => {
  const { page, said } = await openedPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const indexes = () => asked.filter((url) => url.includes("localSearchIndex"));
  await page.goto("/help/");
  await page.waitForLoadState("networkidle");
  expect(indexes()).toEqual([]);
  await page.getByRole("button", { name: "Search" }).click();
  const box = page.getByRole("combobox", { name: "Search" });
  await box.waitFor();
  await expect.poll(() => indexes().length).toBe(1);
  // The index is there once it answers.
  await box.fill("floor");
  await page.getByRole("option").first().waitFor();
  const ms = await box.evaluate(async (field) => {
    const list = document.querySelector("#search-results");
    if (!(field instanceof HTMLInputElement) || !list) throw new Error("no search box");
    const shown = new Promise<number>((resolve) => {
      new MutationObserver(() => {
        if (list.textContent.includes("Payouts")) resolve(performance.now());
      }).observe(list, { childList: true, subtree: true, characterData: true });
    });
    const since = performance.now();
    field.value = "payout";
    field.dispatchEvent(new Event("input"));
    return (await shown) - since;
  });
  expect(ms).toBeLessThanOrEqual(SEARCH_MS * slowdown());
  await page.getByRole("option", { name: "Payouts Your money" }).click();
  await page.waitForURL(/\/help\/publishers\/money#payouts$/);
  await page.keyboard.press("Control+k");
  await box.fill("below_floor");
  await page.getByRole("option", { name: "The bid is below the floor" }).waitFor();
  await box.press("Enter");
  await page.waitForURL(/\/help\/reasons#below_floor$/);
  expect(said).toEqual([]);
  await page.close();
});

test(
  "the help fits a phone, passes the accessibility checks in both schemes, and runs under its policy",
  { timeout: LOOKING_MS },
  async () => {
    const { page, said } = await openedPage();
    const faults: string[] = [];
    // Tables and code, and a page of explained codes, of which the smallest has all that the others have.
    for (const path of ["start/", "not-counted"]) {
      await page.goto(`/help/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      faults.push(...(await faultsOn(page, path)));
    }
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("combobox", { name: "Search" }).fill("payout");
    await page.getByRole("option").first().waitFor();
    faults.push(...(await faultsOn(page, "the search")));
    expect(faults).toEqual([]);
    expect(said).toEqual([]);
    const policy = (await page.request.get("/help/")).headers()["content-security-policy"];
    expect(policy).toMatch(/script-src 'self' 'sha256-/);
    expect(policy).not.toContain("unsafe");
    await page.close();
  },
);

test("the reason on an auction's page leads to its explanation, in a new tab", async () => {
  const device = await deviceOf(platform, app);
  let auction = "";
  for (let asks = 0; asks < MOST_ASKS && auction === ""; asks++) {
    const answer = await device.ask("main_banner", "banner");
    if (answer.ads.length === 0) auction = answer.auction;
  }
  expect(auction).not.toBe("");
  const { imps } = await traceOf(publisher, auction);
  const reason = imps[0]?.no_ad;
  const { page } = await openedPage();
  await page.goto(`/auctions/${auction}`);
  const link = page.getByRole("link", { name: "What to do about it" });
  await link.waitFor();
  const [help] = await Promise.all([publisher.waitForEvent("page"), link.click()]);
  await help.waitForURL(new RegExp(`/help/reasons#${reason?.code}$`));
  const heading = help.locator(`#${reason?.code}`);
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
  await help.close();
  await page.close();
});

test("the snippets for web pages and servers on the page of getting started work as they are", async () => {
  const [html = ""] = await snippets("html");
  const [script = ""] = await snippets("js");
  const { page, said } = await openedPage();
  await page.route("**/help-snippet", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html>${html}` }),
  );
  await page.goto("/help-snippet");
  // A banner asks again until somebody buys it.
  await page.locator("#banner iframe").waitFor({ timeout: 120_000 });
  await page.addScriptTag({ content: script });
  expect(await page.evaluate("typeof showFullScreenAd")).toBe("function");
  expect(said).toEqual([]);
  await page.close();

  const [call = ""] = await snippets("sh");
  const { stdout } = await promisify(execFile)("bash", [
    "-c",
    call.replace("curl ", "curl --silent --show-error --fail --write-out '\\n%{http_code}' "),
  ]);
  expect(stdout).toMatch(/\n?(200|204)$/);
});

test("every metric that the platform exposes is explained in the help", async () => {
  const text = await (await publisher.request.get("/metrics")).text();
  const names = [...text.matchAll(/^# HELP (millrace_\w+) /gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(5);
  const page = await (await publisher.request.get("/help/self-hosting/monitoring")).text();
  expect(names.filter((name) => !page.includes(`id="${name}"`))).toEqual([]);
});

test("a picture of a screen keeps its place before it is loaded", async () => {
  const { page, said } = await openedPage();
  await page.goto("/help/publishers/statistics");
  const picture = page.locator("img.in-light");
  await picture.scrollIntoViewIfNeeded();
  const heights = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const named = (side: string) => Number(image.getAttribute(side));
    return {
      named: named("height") / named("width"),
      loaded: image.naturalHeight / image.naturalWidth,
      shown: image.clientHeight / image.clientWidth,
    };
  });
  expect(heights.loaded).toBeCloseTo(heights.named, 2);
  expect(heights.shown).toBeCloseTo(heights.named, 2);
  expect(said).toEqual([]);
  await page.close();
});
