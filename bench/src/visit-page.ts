import type { Browser } from "playwright-core";
import { type PageScript, watchScript } from "../../e2e/support/page-script.ts";
import { REMEMBER_LOGIN } from "../../e2e/support/remember-login.ts";

export interface Visit {
  /** The time from the start of the navigation until the page's main content is visible. */
  usableMs: number;
  script: PageScript;
}

export interface VisitedPage {
  url: string;
  /** A selector of the main content. */
  shows: string;
  /** The session cookie: `name=value`. */
  cookie?: string;
}

/** Opens a page in a new browser context and waits until it is idle. */
export async function visitPage(browser: Browser, { url, shows, cookie }: VisitedPage): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    if (cookie !== undefined) {
      const [name = "", value = ""] = cookie.split("=");
      await context.addCookies([{ name, value, url: new URL(url).origin }]);
      await context.addInitScript({ content: REMEMBER_LOGIN });
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
 * Runs in the page, because a measurement from outside would be late on a busy machine. As text, because a compiled function
 * may call helpers of the compiler that do not exist in the page.
 */
const noteWhenShown = (selector: string) => `
  requestAnimationFrame(function look() {
    // The content is in the frame that is being rendered.
    if (document.querySelector(${JSON.stringify(selector)})?.checkVisibility()) {
      document.documentElement.dataset.usableMs = performance.now();
    } else requestAnimationFrame(look);
  });
`;
