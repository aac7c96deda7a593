import type { Browser } from "playwright-core";
import { type PageScript, watchScript } from "../../e2e/support/page-script.ts";

export interface Visit {
  /** From the start of the navigation until what the page is opened for can be read. */
  usableMs: number;
  script: PageScript;
}

export interface VisitedPage {
  url: string;
  /** What must be there for the page to be of use. */
  shows: string;
  /** Of who is signed in: `name=value`. */
  cookie?: string;
}

/** Opens a page in a browser that has never been there; it ends when nothing loads any more. */
export async function visitPage(browser: Browser, { url, shows, cookie }: VisitedPage): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    if (cookie !== undefined) {
      const [name = "", value = ""] = cookie.split("=");
      await context.addCookies([{ name, value, url: new URL(url).origin }]);
    }
    const page = await context.newPage();
    await page.addInitScript({ content: noteWhenShown(shows) });
    const script = watchScript(page);
    await page.goto(url);
    await page.locator(shows).first().waitFor();
    await page.waitForLoadState("networkidle");
    const usableMs = await page.evaluate(() => Number(document.documentElement.dataset["usableMs"]));
    return { usableMs, script: await script() };
  } finally {
    await context.close();
  }
}

/**
 * Runs in the page, which knows its own time: what looks from outside would be late on a busy machine. As text, since a
 * compiled function may call what only the compiler's own files have.
 */
const noteWhenShown = (selector: string) => `
  requestAnimationFrame(function look() {
    // The frame that is being made holds it.
    if (document.querySelector(${JSON.stringify(selector)})?.checkVisibility()) {
      document.documentElement.dataset.usableMs = performance.now();
    } else requestAnimationFrame(look);
  });
`;
