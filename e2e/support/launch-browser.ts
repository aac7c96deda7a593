import { chromium, type Browser } from "playwright-core";
import { findBrowser } from "./find-browser.ts";

/** A telephone's: the exchange takes a browser that calls itself headless for a crawler, and rightly so. */
const USER_AGENT =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

/** A headless browser; the caller closes it. As root Chromium runs without its own sandbox, which root cannot have. */
export function launchBrowser(): Promise<Browser> {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: !root,
    args: [
      `--user-agent=${USER_AGENT}`,
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
