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
 * One platform for all browser tests, which use it side by side as people and devices do. A local OpenID Connect server
 * is the identity provider, under both names.
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
  await untilHistoryIsThere(platform);
  return async () => {
    await stop();
    await provider.close();
  };
}

/**
 * The demo writes its past in the first minute and takes all of the machine that it can get; what is measured in seconds
 * is measured after it. On a machine that needs longer the tests begin all the same.
 */
async function untilHistoryIsThere(platform: Platform): Promise<void> {
  const user = await signIn(platform);
  const until = Date.now() + HISTORY_WITHIN_MS;
  while (Date.now() < until) {
    const { demo } = await user.get<Session>("/session.json");
    if (demo.history_progress >= 1) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
