import { FORMAT_LABELS } from "@millrace/contract";
import type { BrowserContext, Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { deviceOf, traceOf } from "./support/ask-for-ad.ts";
import { demoApp } from "./support/sign-in.ts";
import { ADMIN, ADVERTISER, testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();

/** What is on A4 in landscape, less its margins of 12 mm, in CSS pixels. */
const PAPER = { width: 1032, height: 703 };
/** US Letter in landscape, in points. */
const LETTER = "/MediaBox [0 0 792 612]";

/** Each report, and what shows that it is there. */
const REPORTS = [
  { email: platform.publisher, address: "/apps/performance", shows: "main [aria-roledescription=chart]" },
  { email: platform.publisher, address: "app", shows: "main [aria-roledescription=chart]" },
  { email: platform.publisher, address: "auction", shows: "main section" },
  { email: platform.publisher, address: "/report", shows: "main table" },
  { email: platform.publisher, address: "/payment", shows: "main table" },
  { email: platform.publisher, address: "/payment/cashouts_history", shows: "main section" },
  { email: platform.publisher, address: "/payment/deductions", shows: "main section" },
  { email: ADVERTISER, address: "/campaign/performance", shows: "main [aria-roledescription=chart]" },
  { email: ADVERTISER, address: "/payment/balance", shows: "main table" },
  { email: ADMIN, address: "/admin/books", shows: "main table" },
  { email: ADMIN, address: "/admin/invoices", shows: "main section" },
  { email: ADMIN, address: "/admin/statements", shows: "main section" },
] as const;

/** The address of a report; that of an auction is known once it has been held. */
async function addressOf(address: string, context: BrowserContext): Promise<string> {
  if (address !== "app" && address !== "auction") return address;
  const app = await demoApp(platform);
  if (address === "app") return `/apps/${app}/performance`;
  const { auction } = await (await deviceOf(platform, app)).ask("home", "banner");
  await traceOf(context, auction);
  return `/auctions/${auction}`;
}

/** What is wrong with a page on paper, one line each. */
const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((it) => it.getClientRects().length > 0);
    const wide = shown("main table, main svg, main section").filter(
      (it) => it.getBoundingClientRect().right > innerWidth + 1,
    );
    const clipped = shown("main *").filter(
      (it) => it.querySelector("table") !== null && getComputedStyle(it).overflowX !== "visible",
    );
    const styled = getComputedStyle(document.body);
    return [
      ...shown("nav, footer, iframe, [popovertarget]").map((it) => `leads elsewhere: ${it.outerHTML.slice(0, 80)}`),
      ...shown("main [type=submit], main section [aria-pressed=false], main a[href^='/help/']").map(
        (it) => `can only be clicked: ${it.outerHTML.slice(0, 80)}`,
      ),
      ...wide.map((it) => `wider than the paper: ${it.tagName} ${it.textContent.slice(0, 40)}`),
      ...clipped.map((it) => `clips its table: ${it.className}`),
      ...(styled.backgroundColor === "rgb(255, 255, 255)" && styled.color === "rgb(0, 0, 0)"
        ? []
        : [`${styled.color} on ${styled.backgroundColor}`]),
    ];
  });

/** The brightness of a chart's grid lines, from 0 to 1: they are pale on white, and dark on a dark screen. */
const gridBrightness = (page: Page) =>
  page.evaluate(() => {
    const [line] = document.querySelectorAll("main [aria-roledescription=chart] [class*=grid]");
    const [red = 0, green = 0, blue = 0] = line
      ? (getComputedStyle(line).borderBottomColor.match(/[\d.]+/g) ?? []).map(Number)
      : [];
    return (red + green + blue) / (3 * 255);
  });

test.each(REPORTS)("$address is printed black on white, without navigation, with whole tables", async (report) => {
  const context = await people.signedIn({ email: report.email, password: platform.password });
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(await addressOf(report.address, context));
  await page.locator(report.shows).first().waitFor();
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect.poll(() => faultsOf(page)).toEqual([]);
  const pdf = await page.pdf({ format: "Letter", preferCSSPageSize: true, printBackground: true });
  // On the printer's own paper, turned.
  expect(pdf.toString("latin1")).toContain(LETTER);
});

test("a printed report names its days and all that it is filtered by", async () => {
  const page = await (await people.publisher()).newPage();
  const formats = ["banner", "video", "native"] as const;
  await page.goto(
    `/apps/performance?ds=2026-01-05&de=2026-01-06${formats.map((format) => `&format=${format}`).join("")}`,
  );
  const filters = page.getByRole("group", { name: "Filters" });
  await filters.getByText("Banner +2").waitFor();
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => filters.innerText()).toContain(formats.map((format) => FORMAT_LABELS[format]).join(", "));
  expect(await filters.innerText()).toContain("Jan 5th");
  expect(await filters.getByText("Banner +2").isVisible()).toBe(false);
});

test("a table is printed with the rows that the screen folds away, and folds them again", async () => {
  const page = await (await people.admin()).newPage();
  await page.goto("/admin/partners/lab-audio");
  const more = page.getByRole("button", { name: /more signals/ });
  await more.waitFor();
  const rows = page.getByRole("region", { name: "Privacy" }).locator("tbody tr");
  const onScreen = await rows.count();
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => rows.count()).toBeGreaterThan(onScreen);
  expect(await more.isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await expect.poll(() => rows.count()).toBe(onScreen);
});

test.each(["light", "dark"] as const)(
  "a help page on a %s screen is printed black on white, and alone",
  async (colorScheme) => {
    const page = await (await people.visitor()).newPage();
    await page.emulateMedia({ colorScheme });
    await page.goto("/help/reasons");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.emulateMedia({ media: "print", colorScheme });
    const colours = () =>
      page.evaluate(() => {
        const { color } = getComputedStyle(document.querySelector(".vp-doc p") ?? document.body);
        return [color, getComputedStyle(document.body).backgroundColor];
      });
    await expect.poll(colours).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
    for (const part of [".VPNav", ".VPLocalNav", ".VPSidebar", ".VPDocFooter"])
      expect(await page.locator(part).isVisible()).toBe(false);
  },
);

test("charts of a dark screen are printed in the light scheme, and are dark again afterwards", async () => {
  const page = await (await people.publisher({ width: 1440, scheme: "dark" })).newPage();
  await page.goto("/apps/performance");
  await page.locator("main [aria-roledescription=chart]").first().waitFor();
  await expect.poll(() => gridBrightness(page)).toBeLessThan(0.3);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => gridBrightness(page)).toBeGreaterThan(0.8);
  await page.emulateMedia({ media: "screen" });
  await expect.poll(() => gridBrightness(page)).toBeLessThan(0.3);
});
