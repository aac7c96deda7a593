import { chromium, type Browser } from "playwright-core";
import { findQuickBrowser } from "./find-browser.ts";

/** A phone's user agent: the exchange counts a headless browser as a crawler. */
const USER_AGENT =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

/** A headless browser, which the caller closes. The sandbox is off because it does not work as root or in containers; only our own pages are opened. */
export function launchBrowser(executablePath = findQuickBrowser()): Promise<Browser> {
  return chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: [
      `--user-agent=${USER_AGENT}`,
      // A test's page lives for seconds: compiling its code a second time, for speed, would take longer than it saves.
      "--js-flags=--no-maglev --no-opt",
      "--disable-gpu",
      // Drawing is done by the processor here: a process of its own would only copy pictures to and fro.
      "--in-process-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
