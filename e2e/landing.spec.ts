import { FORMATS, FORMAT_LABELS } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();

const SECTIONS = [
  "Solution",
  "How it works",
  "UX",
  "Formats",
  "Advantages",
  "Partners",
  "Success Stories",
  "Press",
] as const;

test("without JavaScript every section can be read, and every link leads somewhere", async () => {
  const page = await (await people.visitor({ runsScripts: false })).newPage();
  await page.goto("/");
  const sections = page.getByRole("navigation", { name: "Sections" });
  for (const name of SECTIONS) {
    const target = await sections.getByRole("link", { name, exact: true }).getAttribute("href");
    const text = await page.locator(target ?? "").innerText();
    expect([name, text.length > 100]).toEqual([name, true]);
  }
  expect(await page.locator("#partners li").count()).toBe(40);
  await page.getByText("A recorded auction of the demonstration").waitFor();
  for (const claim of ["184", "40", "100 ms", "$45"]) await page.getByText(claim, { exact: true }).first().waitFor();

  const addresses = await page
    .locator("a[href^='/']")
    .evaluateAll((links) => [...new Set(links.map((link) => (link as HTMLAnchorElement).href))]);
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) {
    const reply = await fetch(address, { headers: { accept: "text/html,*/*" } });
    expect([address, reply.status]).toEqual([address, 200]);
  }
  await page.getByRole("banner").getByRole("link", { name: "Sign up" }).click();
  expect(new URL(page.url()).pathname).toBe("/signup");
});

test("the page fits, is accessible, and reports no fault, in light and dark", { timeout: LOOKING_MS }, async () => {
  await people.withVisitor(async (page) => {
    const faults: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    await page.goto("/");
    await page.getByRole("button", { name: "Show the auctions that run now" }).waitFor();
    expect(await faultsOn(page, "the landing page", LOOKS_WITH_TABLET)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

test("the auctions of the demo exchange pass by, and can be paused", async () => {
  await people.withVisitor(async (page) => {
    // With less motion, nothing moves until it is asked for.
    await page.goto("/");
    const figure = page.locator("figure").first();
    await figure.getByText("A recorded auction of the demonstration").waitFor();
    await figure.getByRole("button", { name: "Show the auctions that run now" }).click();
    await figure.getByText("From the demo exchange, in the last minutes").waitFor();
    expect(await figure.getByRole("listitem").count()).toBeGreaterThanOrEqual(4);
    await figure.getByRole("button", { name: "Pause" }).click();
    await figure.getByRole("button", { name: "Show the auctions that run now" }).waitFor();
  });
});

test("each format's preview shows an ad that the SDK has bought on the demo exchange", async () => {
  await people.withVisitor(async (page) => {
    await page.goto("/");
    for (const format of FORMATS) {
      const counted = page.waitForRequest((request) => request.url().includes("/beacon/impression"));
      await page.getByRole("button", { name: `Show a real ad: ${FORMAT_LABELS[format]}` }).click();
      const preview = page.frameLocator(`iframe[title="${FORMAT_LABELS[format]}: an ad"]`);
      // On a busy machine bidders miss the auction's 100 ms, and nobody buys.
      const nobodyBought = () =>
        preview
          .getByText("try again")
          .waitFor()
          .catch(() => undefined);
      const isSold = () => Promise.race([counted.then(() => true), nobodyBought().then(() => false)]);
      while (!(await isSold())) await preview.getByRole("button", { name: "Show another ad" }).click();
      expect([format, (await (await counted).response())?.ok()]).toEqual([format, true]);
    }
  });
});

test("sign-up opens over the page, and Back closes it", async () => {
  await people.withVisitor(async (page) => {
    await page.goto("/#formats");
    await page.getByRole("contentinfo").waitFor();
    await page.getByRole("link", { name: "Sign up as an advertiser" }).click();
    const form = page.getByRole("dialog", { name: "Sign up" });
    await form.waitFor();
    expect(page.url()).toBe(`${platform.url}/?auth=signup&role=ADV#formats`);
    expect(await form.getByRole("radio", { name: /^Advertiser/ }).isChecked()).toBe(true);
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).waitFor();
  });
});

test("the page is found: one address, facts that a machine can read, and a picture to share", async () => {
  const html = await (await fetch(platform.url, { headers: { accept: "text/html" } })).text();
  expect(html).toContain(`<link rel="canonical" href="${platform.url}/" />`);
  const facts = /<script type="application\/ld\+json">([^<]+)<\/script>/.exec(html)?.[1] ?? "";
  expect(JSON.parse(facts)).toMatchObject({ "@type": "SoftwareApplication", url: `${platform.url}/` });
  const picture = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? "";
  const reply = await fetch(picture);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/png"]);
});
