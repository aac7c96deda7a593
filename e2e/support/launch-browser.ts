import { chromium, type Browser } from "playwright-core";
import { findBrowser } from "./find-browser.ts";

/** A headless browser; the caller closes it. As root Chromium runs without its own sandbox, which root cannot have. */
export function launchBrowser(): Promise<Browser> {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: !root,
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
