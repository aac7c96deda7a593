import type { TestProject } from "vitest/node";
import type { Session } from "@millrace/contract";
import { startOidcProvider } from "../../server/src/platform/testing/start-oidc-provider.ts";
import { signIn } from "./sign-in.ts";
import { startPlatform, type Platform } from "./start-platform.ts";

const HISTORY_WITHIN_MS = 600_000;

declare module "vitest" {
  export interface ProvidedContext {
    platform: Platform;
  }
}

/**
 * Starts one platform for all browser tests. A local OpenID Connect server stands in for both identity providers.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
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

/**
 * Waits for the demo's history, whose generation keeps the machine busy and would distort time limits. On a slow machine the
 * tests start anyway after ten minutes.
 */
async function waitForHistory(platform: Platform): Promise<void> {
  const user = await signIn(platform);
  const until = Date.now() + HISTORY_WITHIN_MS;
  while (Date.now() < until) {
    const { demo } = await user.get<Session>("/session.json");
    if (demo.history_progress >= 1) return;
    // Each look adds up the account's money, which takes time from the history.
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
}
