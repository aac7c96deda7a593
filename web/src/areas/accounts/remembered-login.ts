import { LOGIN_DAYS } from "@millrace/contract";
import type { QueryClient } from "@tanstack/react-query";
import { signOut } from "../../shared/signed-in-as.ts";
import { forgetRole } from "./current-role.ts";

const KEY = "millrace-login-expires";
const DAY_MS = 86_400_000;

/**
 * Remembers that a user signed in here, and until when asking the server is worthwhile. The session is a cookie that
 * scripts cannot read; this saves visitors of public pages a call.
 */
export function rememberLogin(nowMs: number, storage: Storage = localStorage): void {
  storage.setItem(KEY, String(nowMs + LOGIN_DAYS * DAY_MS));
}

/** Everything this browser stored about a login. */
export function forgetLogin(storage: Storage = localStorage): void {
  storage.removeItem(KEY);
  forgetRole(storage);
}

/** Clears everything that this page knows about its session, so that the next user sees nothing of it. */
export function forgetSession(client: QueryClient): void {
  forgetLogin();
  signOut();
  client.clear();
}

export function mayBeLoggedIn(nowMs: number, storage: Storage = localStorage): boolean {
  return Number(storage.getItem(KEY) ?? 0) > nowMs;
}
