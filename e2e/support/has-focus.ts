import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Waits until the element has the focus: a dialog that closes gives it back a moment after it is gone. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((it) => it === document.activeElement)).toBe(true);
}
