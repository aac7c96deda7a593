import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until the page is at a path, whatever its query says. */
export const at = (page: Page, path: string): Promise<void> => page.waitForURL(({ pathname }) => pathname === path);

export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

/** A part of the page by its heading. */
export const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

/** The dialog that stands before the page. */
export const dialog = (page: Page): Locator => page.getByRole("dialog");

export const inDialog = (page: Page, name: string): Locator => dialog(page).getByRole("button", { name });

/** Waits until what is typed goes into the field of this label. */
export const isTypedInto = (page: Page, label: string): Promise<void> =>
  hasFocus(page.getByLabel(label, { exact: true }));

/** Waits until the element has the focus: a dialog that closes gives it back a moment after it is gone. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((it) => it === document.activeElement)).toBe(true);
}
