import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSdk } from "@millrace/sdk/build";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { AdServer } from "./ad-server.ts";
import { launchBrowser } from "./launch-browser.ts";

/** Available in tests and in hooks that run after the one of `sdkBrowser`. */
export interface SdkBrowser {
  browser: Browser;
  /** The folder of the built SDK. */
  sdkDir: string;
}

/** One browser and one build of the SDK for the tests of a file. */
export function sdkBrowser(): SdkBrowser {
  const started = {} as SdkBrowser;
  beforeAll(async () => {
    started.sdkDir = await mkdtemp(path.join(tmpdir(), "millrace-sdk-"));
    [started.browser] = await Promise.all([launchBrowser(), buildSdk(started.sdkDir)]);
  });
  afterAll(async () => {
    await started.browser?.close();
    await rm(started.sdkDir, { recursive: true });
  });
  return started;
}

/**
 * A page script that shows a banner. Tests of clicks start the SDK this way, because a script that Playwright runs counts as
 * a user's act.
 */
export const bannerScript = ({ endpoint }: AdServer): string => `
  Millrace.initialize({ app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", platform: "android", endpoint: "${endpoint}" });
  Millrace.showAd("home", { into: document.querySelector("#place") });`;
