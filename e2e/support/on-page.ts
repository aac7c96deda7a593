import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until the page is at a path, with the named parameters in its query if there are any, and with any others. */
export function waitForAddress(page: Page, address: string): Promise<void> {
  const { pathname: path, searchParams: named } = new URL(address, "http://page.test");
  return page.waitForURL(
    ({ pathname, searchParams }) =>
      pathname === path && [...named].every(([name, value]) => searchParams.getAll(name).includes(value)),
  );
}

export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

/** A part of the page by its heading. */
export const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

export const dialog = (page: Page): Locator => page.getByRole("dialog");

export const inDialog = (page: Page, name: string): Locator => dialog(page).getByRole("button", { name });

/** Fills in the sign-in form and submits it. */
export async function submitSignIn(
  page: Page,
  { email, password }: { email: string; password: string },
  path = "/login",
): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Log in").click();
}

/** Waits until the field with this label has the focus. */
export const isTypedInto = (page: Page, label: string): Promise<void> =>
  hasFocus(page.getByLabel(label, { exact: true }));

/** Waits until the element has the focus: a closing dialog returns it a moment after it is gone. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((it) => it === document.activeElement)).toBe(true);
}

/** The content of the file that a click on `link` downloads. */
export async function downloadFrom(page: Page, link: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Scrolls a statistics page to its table, which loads once it is near, and waits for its first row. */
export async function showTable(page: Page): Promise<void> {
  const panel = page.getByRole("region", { name: /^(Statistics|Overall statistics)$/ });
  // The panel that holds the table's place is replaced once the table has loaded, so the page is scrolled and not an element.
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return panel.getByRole("row").nth(1).isVisible();
    })
    .toBe(true);
}

/** Runs with a page at an address, and closes it. After a failure it stays open, because the report tells what it shows. */
export async function withPage(
  context: BrowserContext,
  path: string,
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await context.newPage();
  await page.goto(path);
  await run(page);
  await page.close();
}

const SHOWN_CHARACTERS = 1500;

/** Where each page is and what it shows. A page that does not answer within a moment is only named. */
export async function describePages(pages: readonly Page[]): Promise<string> {
  const texts = pages.map(async (page) => {
    const text = await page
      .locator("body")
      .innerText({ timeout: 5000 })
      .catch((error: unknown) => String(error));
    return `${page.url()}\n${text.replace(/\s+/g, " ").slice(0, SHOWN_CHARACTERS)}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

/** The row of a table that has this text. */
export const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
