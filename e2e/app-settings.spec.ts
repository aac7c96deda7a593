import type { AppSettings, Reply, SubUser, listApps } from "@millrace/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { SUBJECTS } from "../demo/src/creatives/subjects.data.ts";
import { deviceOf, traceOf } from "./support/ask-for-ad.ts";
import { launchBrowser } from "./support/launch-browser.ts";
import { type NewPerson, newPerson, signedIn } from "./support/new-person.ts";
import { LOOKS, axeFindings, overflowOf, publisher } from "./support/people.ts";

const platform = inject("platform");
/** A change reaches the auctions within 5 seconds. */
const OBEYED_AFTER_MS = 4500;
const SCRIPT = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const json = { accept: "application/json", "sec-fetch-site": "same-origin" };
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");
const isHacked = (page: Page) => page.evaluate(() => "hacked" in window);

async function withPerson(run: (page: Page, person: NewPerson) => Promise<void>): Promise<void> {
  const person = await newPerson(browser, platform);
  try {
    await run(await person.context.newPage(), person);
  } finally {
    await person.context.close();
  }
}

/** Adds an app in development as a person does, and returns its id. */
async function addApp(page: Page, { kind, name }: { kind: string; name: string }): Promise<string> {
  await page.goto("/apps");
  await dialog(page)
    .getByRole("tab", { name: /In development/ })
    .click();
  await page.getByLabel("Platform").selectOption(kind);
  const isNamed = await page.getByLabel("Name", { exact: true }).isVisible();
  await page.getByLabel(isNamed ? "Name" : "Bundle ID", { exact: true }).fill(name);
  await dialog(page).getByRole("button", { name: "Add app", exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}\/settings/);
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}

test("somebody new is asked for an app at once, adds one in development, renames and deletes it", async () => {
  await withPerson(async (page) => {
    await page.goto("/apps");
    const tabs = dialog(page).getByRole("tab");
    await tabs.first().waitFor();
    expect(await tabs.allInnerTexts()).toEqual([
      "01 Already Published",
      "02 In development (Alt markets)",
      "03 Take a look (demo)",
    ]);
    await page.mouse.click(5, 5);
    expect(await dialog(page).isVisible()).toBe(true);

    await addApp(page, { kind: "android", name: "com.example.fresh" });
    await page.getByRole("heading", { level: 1, name: /com\.example\.fresh/ }).waitFor();
    await page.getByRole("button", { name: /^Edit the app's name/ }).click();
    await page.getByLabel("App name").fill("");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("Your app name is required").waitFor();
    await page.getByLabel("App name").fill(SCRIPT);
    await page.getByLabel("Bundle ID").fill("com.example.fresher");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: SCRIPT }).waitFor();
    await page.getByText("com.example.fresher").first().waitFor();

    await page.goto("/apps");
    await page.getByRole("button", { name: `delete ${SCRIPT}` }).click();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: `delete ${SCRIPT}` }).click();
    await dialog(page).getByRole("button", { name: "Delete app" }).click();
    await page.getByText("No apps found").waitFor();
    expect(await isHacked(page)).toBe(false);
  });
});

test("sample apps come at one click", async () => {
  await withPerson(async (page) => {
    await page.goto("/apps");
    await dialog(page)
      .getByRole("tab", { name: /Take a look/ })
      .click();
    await page.getByRole("button", { name: "Add sample apps" }).click();
    await page
      .getByRole("link", { name: /: statistics$/ })
      .nth(1)
      .waitFor();
    expect(await page.getByRole("link", { name: /: statistics$/ }).count()).toBe(2);
  });
});

test("a store that cannot be reached is said, and the app entered by hand", async () => {
  await withPerson(async (page) => {
    await page.goto("/apps");
    await dialog(page).getByRole("button", { name: "Search" }).click();
    await page.getByText("Your bundle ID or app url is required").waitFor();
    await page.getByLabel("Bundle ID or app url").fill("com.example.nowhere");
    await dialog(page).getByRole("button", { name: "Search" }).click();
    const byHand = page.getByText("The store cannot be reached right now.");
    await byHand.or(page.getByText("No apps found")).first().waitFor({ timeout: 40_000 });
    // With the world in reach the store answers that it has no such app.
    if (await byHand.isVisible()) {
      await page.getByLabel("App name").fill("By hand");
      await dialog(page).getByRole("button", { name: "Add app" }).click();
      await page.waitForURL("**/settings");
      await page.getByRole("heading", { level: 1, name: /By hand/ }).waitFor();
    }
    expect(new URL(page.url()).pathname).toMatch(/^\/apps/);
  });
});

test("the instructions turn the page's hash and lead to our own pages", async () => {
  await withPerson(async (page) => {
    const app = await addApp(page, { kind: "ios", name: "com.example.guide" });
    const frame = page.frameLocator('iframe[title="Instructions"]');
    await frame.getByRole("tab", { name: "Roku" }).click();
    await page.waitForURL(({ hash }) => hash === "#roku");
    await page.reload();
    await frame.getByRole("tab", { name: "Roku", selected: true }).waitFor();
    await page.evaluate(() => window.postMessage({ type: "redirect", url: "/profile" }, window.location.origin));
    await frame.getByRole("link", { name: "app-ads.txt" }).click();
    // What the page said to itself led nowhere; what its frame said leads on.
    await page.waitForURL(({ pathname }) => pathname !== `/apps/${app}/settings`);
    expect(new URL(page.url()).pathname).toBe("/apps/app-ads");
  });
});

test("a zone is there once an ad was asked for in it; its name is text, whatever it holds", async () => {
  await withPerson(async (page) => {
    const app = await addApp(page, { kind: "android", name: "com.example.zones" });
    await page.getByRole("tab", { name: "Zones" }).click();
    await page.getByText("No zones found").waitFor();
    await (await deviceOf(platform, app)).ask("front_page", "banner");
    await page.reload();
    await page.getByRole("button", { name: "Edit front_page" }).click();
    await page.getByLabel("Refresh in seconds").fill("4");
    await page.getByRole("button", { name: "Save zone" }).click();
    await page.getByText("At least 5 seconds").waitFor();
    await page.getByLabel("Refresh in seconds").fill("45");
    await page.getByLabel("Name", { exact: true }).fill(SCRIPT.slice(0, 64));
    await page.getByRole("button", { name: "Save zone" }).click();
    const row = region(page, "Zones").getByRole("row").filter({ hasText: "45 s" });
    await row.getByText(SCRIPT.slice(0, 64)).waitFor();
    expect(await isHacked(page)).toBe(false);
  });
});

test("partners' keys are added by their form, edited and deleted", async () => {
  await withPerson(async (page) => {
    const app = await addApp(page, { kind: "roku", name: "My Channel" });
    await page.goto("/apps");
    await page.getByRole("link", { name: "keys of My Channel" }).click();
    await page.waitForURL(`**/apps/${app}/dsp`);
    await page.getByText("No keys found").waitFor();
    await page.getByRole("button", { name: "Add keys" }).click();
    await dialog(page).getByRole("button", { name: "Add keys" }).click();
    expect(await dialog(page).getByText("This field is required").count()).toBe(2);
    await page.getByLabel("Partner *").selectOption({ label: "Lab brand" });
    await page.getByLabel("Format *").selectOption("video");
    await page.getByLabel("Seat ID").fill("seat-1");

    // As an ad blocker does it.
    await page.route("**/rtbext/**", (route) => route.abort("blockedbyclient"));
    await dialog(page).getByRole("button", { name: "Add keys" }).click();
    await page
      .getByText(
        "Failed to add Lab brand. This can be caused by Ad blocking software. If you have it installed, please try temporary disabling it before sending again.",
        { exact: true },
      )
      .waitFor();
    await page.unroute("**/rtbext/**");
    await dialog(page).getByRole("button", { name: "Add keys" }).click();
    const row = page.getByRole("row").filter({ hasText: "Lab brand" });
    await row.getByText("seat-1").waitFor();

    await row.getByRole("button", { name: "Edit Lab brand, Video" }).click();
    await page.getByLabel("Seat ID").fill(SCRIPT);
    await dialog(page).getByRole("button", { name: "Save keys" }).click();
    await row.getByText(SCRIPT).waitFor();
    expect(await isHacked(page)).toBe(false);

    await page.goto(`/apps/${app}/settings?tab=mediation`);
    await page.getByRole("switch", { name: "Lab brand takes part", checked: true }).waitFor();
    await page.goto(`/apps/${app}/dsp`);
    await row.getByRole("button", { name: "Delete Lab brand, Video" }).click();
    await dialog(page).getByRole("button", { name: "Delete keys" }).click();
    await page.getByText("No keys found").waitFor();
  });
});

/** An app of the demo that no other test counts on, and its settings put back afterwards. */
async function steer(run: (page: Page, context: BrowserContext, before: AppSettings) => Promise<void>): Promise<void> {
  const context = await publisher(browser, platform);
  const list = await context.request.get("/apps.json", { headers: json, params: { search: "Star Lanes" } });
  const app = ((await list.json()) as Reply<typeof listApps>).apps[0]?.uuid ?? "";
  const settings = async () =>
    (await (await context.request.get(`/apps/${app}/settings.json`, { headers: json })).json()) as AppSettings;
  const before = await settings();
  try {
    const page = await context.newPage();
    await page.goto(`/apps/${app}/settings?tab=mediation`);
    await run(page, context, before);
  } finally {
    const put = (path: string, data: object) => context.request.put(`/apps/${app}/${path}`, { headers: json, data });
    await put("floors", { floors: before.floors });
    await put("blocks", before.blocks);
    for (const { id, enabled } of before.partners.filter(({ keyed }) => keyed.length > 0)) {
      await put(`partners/${id}`, { enabled });
    }
    expect(await settings()).toEqual(before);
    await context.close();
  }
}

test("a floor, a partner's switch and a block change the next auctions", async () => {
  await steer(async (page, context, before) => {
    const device = await deviceOf(platform, before.app.uuid);
    const auction = async () => traceOf(context, (await device.ask("main_banner", "banner")).auction);
    const obeyed = () => page.waitForTimeout(OBEYED_AFTER_MS);
    const bidsIn = (trace: Awaited<ReturnType<typeof auction>>) => trace.participants.flatMap(({ bids }) => bids);
    const brandIn = (trace: Awaited<ReturnType<typeof auction>>) =>
      trace.participants.find(({ name }) => name === "Lab brand");

    const first = await auction();
    expect(brandIn(first)?.outcome.code).not.toBe("refused");
    // A single auction may go without bids; ten never do.
    let bids = bidsIn(first).length;
    for (let tries = 0; bids === 0 && tries < 10; tries += 1) bids = bidsIn(await auction()).length;
    expect(bids).toBeGreaterThan(0);

    const floors = region(page, "Floors");
    // Wherever the request comes from: one floor for everything.
    for (let left = before.floors.length; left > 0; left -= 1) {
      await floors.getByRole("button", { name: "Remove floor 1", exact: true }).click();
    }
    await floors.getByRole("button", { name: "Add floor" }).click();
    await floors.getByLabel("Floor in $").last().fill("0.012345");
    await floors.getByRole("button", { name: "Save floors" }).click();
    await floors.getByText("Saved", { exact: true }).waitFor();
    await obeyed();
    expect((await auction()).imps[0]?.floor).toBe(12_345);

    await page.getByRole("switch", { name: "Lab brand takes part" }).click();
    await page.getByRole("switch", { name: "Lab brand takes part", checked: false }).waitFor();
    await obeyed();
    expect(brandIn(await auction())?.refusals.map(({ reason }) => reason.code)).toContain("partner_off");

    const blocks = region(page, "Blocked advertising");
    await blocks.getByLabel("Advertiser domains").fill(SUBJECTS.map(({ domain }) => domain).join("\n"));
    await blocks.getByRole("button", { name: "Choose categories" }).click();
    await page.getByPlaceholder("Search categories").fill("IAB25");
    await page.getByRole("option", { name: "Non-Standard Content", exact: true }).click();
    await page.keyboard.press("Escape");
    await blocks.getByRole("button", { name: "Save blocks" }).click();
    await blocks.getByText("Saved", { exact: true }).waitFor();
    await obeyed();
    for (let tries = 0; tries < 5; tries += 1) {
      const trace = await auction();
      expect(bidsIn(trace).filter(({ status }) => status !== "invalid")).toEqual([]);
      expect(trace.imps[0]?.no_ad).not.toBeNull();
    }
  });
}, 120_000);

test("a guest sees neither link nor data of settings and keys; a developer reads keys and changes none", async () => {
  await withPerson(async (page, { context }) => {
    const app = await addApp(page, { kind: "roku", name: "Our Channel" });
    const member = async (role_code: string) => {
      const reply = await context.request.post("/profile/guest/add", { headers: json, data: { role_code } });
      const { email, salt } = (await reply.json()) as SubUser;
      return signedIn(browser, platform, { email, password: salt ?? "" });
    };
    const guest = await member("GST");
    const asGuest = await guest.newPage();
    await asGuest.goto("/apps");
    await asGuest.getByRole("link", { name: /^Our Channel/ }).waitFor();
    expect(await asGuest.getByRole("link", { name: /^(tools|keys) of/ }).count()).toBe(0);
    expect(await asGuest.getByRole("button", { name: /delete|Add New App/ }).count()).toBe(0);
    for (const path of ["settings", "dsp"]) {
      await asGuest.goto(`/apps/${app}/${path}`);
      await asGuest.getByRole("link", { name: "Go back" }).waitFor();
      expect(await asGuest.getByText("Our Channel").count()).toBe(0);
    }
    expect((await guest.request.get(`/apps/${app}/rtbext`, { headers: json })).status()).toBe(403);
    expect((await guest.request.put(`/apps/${app}/floors`, { headers: json, data: { floors: [] } })).status()).toBe(
      403,
    );
    expect((await guest.request.get(`/apps/${app}/delete_app`, { headers: json })).status()).toBe(403);
    await guest.close();

    const developer = await member("SDEV");
    const asDeveloper = await developer.newPage();
    await asDeveloper.goto("/apps");
    await asDeveloper.getByRole("link", { name: "keys of Our Channel" }).click();
    await asDeveloper.getByText("Your role may look at these keys; it may not change them.").waitFor();
    expect(await asDeveloper.getByRole("button", { name: /keys|Edit|Delete/ }).count()).toBe(0);
    expect(
      (await developer.request.put(`/apps/${app}/rtbext/lab-brand/video`, { headers: json, data: {} })).status(),
    ).toBe(403);
    await developer.close();
  });
});

test("app-ads.txt stands line by line and is what the download holds", async () => {
  const context = await publisher(browser, platform);
  const page = await context.newPage();
  await page.goto("/apps");
  await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "app-ads.txt" }).click();
  const lines = region(page, "app-ads.txt").getByRole("listitem");
  await lines.first().waitFor();
  const shown = await lines.locator("code").allInnerTexts();
  const file = await (await context.request.get("/app-ads.txt")).text();
  for (const line of shown) expect(file.split("\n")).toContain(line);
  expect(shown.length).toBeGreaterThan(0);
  await context.close();
});

test.each(LOOKS)(
  "settings, keys and app-ads.txt are whole and accessible at $width, $scheme",
  async (look) => {
    const context = await publisher(browser, platform, look);
    const page = await context.newPage();
    const list = await context.request.get("/apps.json", { headers: json, params: { search: "Small Kitchen" } });
    const app = ((await list.json()) as Reply<typeof listApps>).apps[0]?.uuid ?? "";
    const findings: string[] = [];
    const examine = async (what: string) => {
      const wrong = [...(await axeFindings(page)), ...((await overflowOf(page)) > 0 ? ["wider than the window"] : [])];
      findings.push(...wrong.map((line) => `${what}: ${line}`));
    };
    await page.goto("/apps");
    await page.getByRole("button", { name: "Add New App" }).click();
    await dialog(page).getByRole("button", { name: "Search" }).click();
    await examine("add, published");
    await dialog(page)
      .getByRole("tab", { name: /In development/ })
      .click();
    await examine("add, in development");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "delete Small Kitchen" }).click();
    await dialog(page).waitFor();
    await examine("delete");
    await page.goto(`/apps/${app}/settings`);
    await page.frameLocator("iframe").getByRole("tab", { name: "Roku" }).waitFor();
    await examine("instructions");
    await page.getByRole("tab", { name: "Zones" }).click();
    await examine("zones");
    await page.getByRole("tab", { name: "Mediation" }).click();
    await page.getByRole("button", { name: "Add floor" }).click();
    await page.getByRole("button", { name: "Save floors" }).click();
    await examine("mediation");
    await page.goto(`/apps/${app}/dsp`);
    await page.getByRole("button", { name: "Add keys" }).click();
    await page.getByLabel("Partner *").selectOption({ label: "Lab brand" });
    await examine("keys");
    await page.goto("/apps/app-ads");
    await region(page, "app-ads.txt").getByRole("listitem").first().waitFor();
    await examine("app-ads.txt");
    expect(findings).toEqual([]);
    await context.close();
  },
  120_000,
);
