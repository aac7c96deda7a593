import { chromium, type Browser } from "playwright-core";
import { findBrowser } from "./find-browser.ts";

/** A telephone's: the exchange takes a browser that calls itself headless for a crawler, and rightly so. */
const USER_AGENT =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

/** A headless browser; the caller closes it. It meets our own pages alone, and neither root nor a container has a sandbox for it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: false,
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
