import type { TestProject } from "vitest/node";
import { startOidcProvider } from "../../server/src/platform/testing/start-oidc-provider.ts";
import { provideQuickBrowser } from "./find-browser.ts";
import { startPlatform, type Platform } from "./start-platform.ts";
import { waitForHistory } from "./wait-for-history.ts";

declare module "vitest" {
  export interface ProvidedContext {
    platform: Platform;
  }
}

/**
 * Starts one platform for all browser tests. A local OpenID Connect server stands in for both identity providers.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Several test files could not install it at once.
  provideQuickBrowser();
  const provider = await startOidcProvider({
    redirectUris: ["http://127.0.0.1/login/google/return", "http://127.0.0.1/login/facebook/return"],
  });
  const { platform, stop } = await startPlatform({
    GOOGLE_CLIENT_ID: provider.clientId,
    GOOGLE_CLIENT_SECRET: provider.clientSecret,
    GOOGLE_ISSUER: provider.issuer,
    FACEBOOK_CLIENT_ID: provider.clientId,
    FACEBOOK_CLIENT_SECRET: provider.clientSecret,
    FACEBOOK_ISSUER: provider.issuer,
  });
  project.provide("platform", platform);
  await waitForHistory(platform);
  return async () => {
    await stop();
    await provider.close();
  };
}
