import type { Page } from "playwright-core";

const CONTROLS = "a[href], button, input, select, textarea, summary, iframe, [tabindex]";

declare global {
  interface Window {
    /** The controls that `tabThrough` looks for, and those that have had the focus. */
    controls: { wanted: Element[]; reached: Set<Element> };
  }
}

/** The controls of the page that the Tab key never reaches, one line each. */
export async function tabThrough(page: Page): Promise<string[]> {
  const count = await page.evaluate((selector) => {
    const isWanted = (it: Element) =>
      it instanceof HTMLElement &&
      it.tabIndex >= 0 &&
      !it.matches(":disabled") &&
      it.closest("[inert]") === null &&
      it.checkVisibility({ visibilityProperty: true });
    const wanted = [...document.querySelectorAll(selector)].filter(isWanted);
    window.controls = { wanted, reached: new Set() };
    document.addEventListener("focusin", ({ target }) => {
      if (target instanceof Element) window.controls.reached.add(target);
    });
    // The focus moving into a frame fires no focusin event in the page around it.
    addEventListener("blur", () => {
      if (document.activeElement) window.controls.reached.add(document.activeElement);
    });
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return wanted.length;
  }, CONTROLS);
  // Frames and tooltips have additional tab stops.
  for (let presses = 0; presses < count * 2 + 20; presses += 1) {
    await page.keyboard.press("Tab");
    if (presses % 10 === 9 && (await missed(page)).length === 0) return [];
  }
  return missed(page);
}

const missed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { wanted, reached } = window.controls;
    // Live updates may have removed a control, and of a radio group only the chosen button is a tab stop.
    return wanted
      .filter((it) => it.isConnected && !reached.has(it) && !(it instanceof HTMLInputElement && it.type === "radio"))
      .map((it) => it.outerHTML.slice(0, 160));
  });
