import type { Locator, Page } from "playwright-core";
import { waitForAddress } from "./on-page.ts";

/** How long a person who is in no hurry takes: for a click with finding it, for a key, and for looking at a new page. */
const PACE_MS = { click: 1200, key: 150, page: 3000 } as const;

/**
 * The steps of a person who knows nothing but what the pages show, added up at a person's pace. Each thing that is clicked
 * or typed into must be visible first, so a walk that ends has no dead end.
 */
export class Walk {
  private clicks = 0;
  private keys = 0;
  private pages = 0;

  /** Opens an address that the person was given, and looks at the page. */
  async open(page: Page, address: string): Promise<void> {
    this.clicks += 1;
    await page.goto(address);
    await this.look(page);
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  /** Clicks what leads to another page, and looks at that. */
  async follow(target: Locator, path: string): Promise<void> {
    await this.click(target);
    await waitForAddress(target.page(), path);
    await this.look(target.page());
  }

  /** Clicks what opens another tab, and looks at that. */
  async followToTab(target: Locator): Promise<Page> {
    const [tab] = await Promise.all([target.page().context().waitForEvent("page"), this.click(target)]);
    await this.look(tab);
    return tab;
  }

  async type(field: Locator, text: string): Promise<void> {
    this.clicks += 1;
    this.keys += text.length;
    await field.fill(text);
  }

  /** Opens a list of options and takes one. */
  async choose(field: Locator, label: string): Promise<void> {
    this.clicks += 2;
    await field.selectOption({ label });
  }

  /** Opens the system's dialog and takes a file. */
  async chooseFile(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    this.clicks += 3;
    await field.setInputFiles(file);
  }

  async press(page: Page, key: string): Promise<void> {
    this.keys += 1;
    await page.keyboard.press(key);
  }

  /** Looks at a page that has changed. */
  async look(page: Page): Promise<void> {
    this.pages += 1;
    await page.locator("h1, h2").first().waitFor();
  }

  /** The number of steps, and how long they take at a person's pace. */
  get total(): { steps: number; seconds: number } {
    const { clicks, keys, pages } = this;
    const ms = clicks * PACE_MS.click + keys * PACE_MS.key + pages * PACE_MS.page;
    return { steps: clicks + pages, seconds: Math.round(ms / 1000) };
  }
}
