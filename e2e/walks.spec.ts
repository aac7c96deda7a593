import { randomBytes } from "node:crypto";
import type { BrowserContext, Page, Response } from "playwright-core";
import { expect, inject, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import { withStore } from "./support/add-campaign.ts";
import { waitForAddress, button, dialog, inDialog, region, rowOf } from "./support/on-page.ts";
import { pngOf } from "./support/png-of.ts";
import { servePage } from "./support/serve-page.ts";
import { ADMIN, testUsers } from "./support/test-users.ts";
import { AWAITED } from "./support/timing.ts";
import { Walk } from "./support/walk.ts";

const platform = inject("platform");
const people = testUsers();

/** At a person's pace, without the waits for the platform, the moderator and the next visitor of an app. */
const MOST_SECONDS = 180;
const RELOAD_MS = 2000;
/** The longest that a visitor looks at a page for its ad. */
const STAY_MS = 10_000;

const PASSWORD = "a-new-password";
const steps = (page: Page) => region(page, "First steps");
const isDone = (page: Page, step: string) =>
  steps(page).locator(`[data-step="${step}"]`).and(page.locator('[data-state="done"]')).waitFor();

/** From the open sign-up form to the first page of the account, by the link in the demo's mailbox. */
async function signUp(walk: Walk, page: Page): Promise<Page> {
  const email = `walker-${randomBytes(6).toString("hex")}@example.com`;
  const form = dialog(page);
  await walk.type(form.getByLabel("Email"), email);
  await walk.type(form.getByLabel("Name"), "Ada");
  await walk.type(form.getByLabel("Password", { exact: true }), PASSWORD);
  await walk.type(form.getByLabel("Repeat the password"), PASSWORD);
  await walk.click(form.getByRole("checkbox"));
  await walk.click(form.getByRole("button", { name: "Sign up", exact: true }));
  await walk.follow(page.getByRole("link", { name: "open the mailbox" }), "/demo/mail");
  // The mail is written a moment later than the form says so.
  const mail = page.getByRole("listitem").filter({ hasText: email }).getByRole("link");
  await expect.poll(async () => (await mail.count()) > 0 || (await page.reload(), false)).toBe(true);
  await walk.click(mail);
  const tab = await walk.followToTab(page.frameLocator("iframe").getByRole("link", { name: "Open my account" }));
  await walk.click(button(tab, "Open my account"));
  return tab;
}

/** Opens the page of an app as its user until `isOver`: bidders decline some requests, and changes take seconds to arrive. */
async function visitUntil(visitor: BrowserContext, address: string, isOver: () => Promise<boolean>): Promise<void> {
  const page = await visitor.newPage();
  const isAd = (reply: Response) => reply.url().includes("/sdk/v1/ad");
  const isImpression = (reply: Response) => reply.url().includes("/beacon/impression");
  const visit = async (): Promise<string> => {
    if (await isOver()) return "over";
    const [reply] = await Promise.all([page.waitForResponse(isAd), page.goto(address)]);
    const { ads, reason } = (await reply.json()) as { ads: { provider: string }[]; reason?: string };
    if (ads.length === 0) return `no ad: ${reason}`;
    // An ad must be seen for a second to count.
    const impression = await page.waitForResponse(isImpression, { timeout: STAY_MS }).catch(() => null);
    return `an ad of ${ads[0]?.provider}, impression ${impression?.status() ?? "never sent"}`;
  };
  await expect.poll(visit, { timeout: 2 * AWAITED.timeout, interval: RELOAD_MS }).toBe("over");
  await page.close();
}

test("a new publisher gets from the landing page to the first impression in the dashboard", async () => {
  const walk = new Walk();
  await people.withVisitor(async (landing) => {
    await walk.open(landing, platform.mailbox);
    await walk.open(landing, "/");
    await walk.click(landing.getByRole("link", { name: "Sign up as a publisher" }));
    const page = await signUp(walk, landing);
    await waitForAddress(page, "/apps");

    await walk.look(page);
    await walk.click(dialog(page).getByRole("tab", { name: /In development/ }));
    await walk.choose(dialog(page).getByLabel("Platform"), "Android");
    await walk.type(dialog(page).getByLabel("Bundle ID", { exact: true }), "com.example.lighthouse");
    await walk.click(inDialog(page, "Add app"));
    await page.waitForURL(/\/apps\/[0-9a-f-]{36}\/settings/);
    await walk.look(page);
    await isDone(page, "app");
    await walk.click(button(page, "Connect the demo's partners"));
    await isDone(page, "demand");

    const instructions = page.frameLocator('iframe[title="Instructions"]');
    const snippet = instructions.getByRole("tabpanel").locator("pre").first();
    await walk.click(instructions.getByRole("button", { name: "Copy the code" }).first());
    // Into an editor, and from there into the browser.
    const site = await servePage("", `<h1>My game</h1>${await snippet.innerText()}`);
    const player = await people.visitor({ isPlain: true });
    await walk.open(await player.newPage(), site.url);
    await visitUntil(player, site.url, async () => (await steps(page).count()) === 0);
    await site.close();

    await walk.click(page.getByRole("link", { name: "Statistics", exact: true }));
    await page.waitForURL(/\/performance/);
    await walk.look(page);
    const figures = page.getByRole("group", { name: "Key figures" });
    await expect.poll(() => figures.textContent(), AWAITED).toMatch(/Impressions[1-9]/);
  });
  expect(walk.total.steps).toBeLessThanOrEqual(32);
  expect(walk.total.seconds).toBeLessThan(MOST_SECONDS);
});

/** The operator's part: signs in as the admin whose login was printed at the start, and approves the creative. */
async function moderate(walk: Walk, page: Page, campaign: string): Promise<void> {
  await walk.open(page, "/login");
  await walk.type(page.getByLabel("Email"), ADMIN);
  await walk.type(page.getByLabel("Password", { exact: true }), platform.password);
  await walk.click(button(page, "Log in"));
  const toAdmin = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Admin", exact: true });
  await walk.follow(toAdmin, "/admin");
  await walk.follow(page.getByRole("link", { name: "Creatives to review" }), "/admin/moderation/creatives");
  await walk.click(rowOf(page, campaign).getByRole("button", { name: /^Approve/ }));
  await walk.click(inDialog(page, "Approve creative"));
  await rowOf(page, campaign).waitFor({ state: "detached" });
}

/** An app of a publisher, as a page that shows a full screen when it has one. */
async function someGame(): Promise<{ url: string; close: () => Promise<void> }> {
  const publisher = await people.newPerson();
  const app = await addApp(publisher.context, "android", "Market");
  const start = { app, platform: "android", endpoint: platform.url };
  return servePage(
    "",
    `<h1>A game</h1><script src="${platform.url}/sdk/millrace.js"></script><script>
      Millrace.initialize(${JSON.stringify(start)});
      Millrace.loadAd({ zone: "level_end", format: "interstitial" }).then(({ ok }) => ok && Millrace.showAd("level_end"));
    </script>`,
  );
}

/** A player in Iceland, where nobody else's campaigns buy. The header is added on the way, so the requests of the page stay plain. */
async function playerInIceland(): Promise<BrowserContext> {
  const player = await people.visitor({ isPlain: true });
  await player.route(`${platform.url}/**`, (route) =>
    route.continue({ headers: { ...route.request().headers(), "x-forwarded-for": "130.208.1.1" } }),
  );
  return player;
}

test("a new advertiser gets from the landing page to the first spend", async () => {
  const walk = new Walk();
  const game = await someGame();
  const campaign = `Lighthouse ${randomBytes(3).toString("hex")}`;
  await people.withVisitor(async (landing, context) => {
    await walk.open(landing, platform.mailbox);
    await walk.open(landing, "/");
    await walk.click(landing.getByRole("link", { name: "Sign up as an advertiser" }));
    const page = await signUp(walk, landing);
    await waitForAddress(page, "/campaign");
    await withStore(page);

    await walk.look(page);
    await walk.click(steps(page).getByRole("button", { name: /of demo money$/ }));
    await isDone(page, "balance");
    await walk.follow(steps(page).getByRole("link", { name: "Add the campaign" }), "/campaign/add");
    await walk.type(page.getByLabel("App", { exact: true }), "com.example.tide");
    await walk.click(button(page, "Find"));
    await button(page, "Change").waitFor();
    await walk.type(page.getByLabel("Campaign name"), campaign);
    await walk.click(page.getByLabel(/^Start now/));
    await walk.click(button(page, "Choose countries"));
    await walk.type(page.getByLabel("Search countries"), "Iceland");
    await walk.click(page.getByRole("option", { name: "Iceland", exact: true }));
    await walk.press(page, "Escape");
    await walk.type(page.getByLabel("Bid (CPM)"), "2.50");
    await walk.click(button(page, "Add a creative"));
    const image = { name: "lighthouse.png", mimeType: "image/png", buffer: pngOf(320, 480) };
    await walk.chooseFile(page.getByLabel("Choose an image, or drop it here"), image);
    await page.getByAltText("The uploaded creative").waitFor();
    await walk.type(page.getByLabel("Click URL"), "https://shop.example/tide");
    await walk.click(button(page, "Add"));
    await walk.follow(button(page, "Save campaign"), "/campaign");
    await isDone(page, "campaign");

    await people.withVisitor((operators) => moderate(walk, operators, campaign));
    await isDone(page, "approved");
    await visitUntil(await playerInIceland(), game.url, async () => (await steps(page).count()) === 0);

    const links = page.getByRole("navigation", { name: "Main" });
    await walk.follow(links.getByRole("link", { name: "Performance", exact: true }), "/campaign/performance");
    const figures = page.getByRole("group", { name: "Key figures" });
    await expect.poll(() => figures.textContent(), AWAITED).toContain("$0.00");
    expect(context.pages().length).toBe(2);
  });
  await game.close();
  expect(walk.total.steps).toBeLessThanOrEqual(52);
  expect(walk.total.seconds).toBeLessThan(MOST_SECONDS);
});
