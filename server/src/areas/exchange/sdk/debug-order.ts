import { Problem } from "../../../platform/http/problem.ts";
import { type Throttle, throttle } from "../../../platform/http/throttle.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { type DebugPass, openDebugPass } from "../delivery/debug-token.ts";
import type { Keyring } from "../delivery/secrets.ts";
import type { AdBody } from "./read-calls.ts";
import type { PlaceOrder } from "./sell-place.ts";

export interface DebugDeps {
  keyring: Keyring;
  clock: Clock;
  /** Of debuggers' calls, by app: each is work for partners or for the store. */
  debugged: Throttle;
}

export const debugThrottle = () =>
  throttle({ tries: 60, windowSeconds: 60 }, "The debugger asks too often; please wait a moment");

/**
 * The pass of a debug token. Throws Problem `invalid` for a token that is not ours, has expired, or is another app's: no
 * status that would make an SDK give up its session.
 */
export function debugPassOf({ keyring, clock }: Omit<DebugDeps, "debugged">, token: string, appId?: number): DebugPass {
  const pass = openDebugPass(keyring, token, clock.now() / 1000);
  if (!pass || (appId !== undefined && pass.appId !== appId)) {
    throw new Problem("invalid", { token: "This debug token is not valid for this app, or has expired" });
  }
  return pass;
}

/** What a debugger may ask of an auction: only a test of the token's app. */
export async function debugOrderOf(
  deps: DebugDeps,
  app: AppConfig,
  { token, provider }: NonNullable<AdBody["debug"]>,
): Promise<Pick<PlaceOrder, "isTest" | "onlyProvider">> {
  debugPassOf(deps, token, app.id);
  await deps.debugged.take(app.id);
  return { isTest: true, onlyProvider: provider };
}
