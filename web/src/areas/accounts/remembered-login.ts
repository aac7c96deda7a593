import { LOGIN_DAYS } from "@millrace/contract";
import { forgetRole } from "./current-role.ts";

const KEY = "millrace-login-expires";
const DAY_MS = 86_400_000;

/**
 * That somebody signed in here, and until when it can be worth asking the server. The session itself is a cookie which
 * scripts cannot read; this only spares a visitor of the public pages the question.
 */
export function rememberLogin(nowMs: number, storage: Storage = localStorage): void {
  storage.setItem(KEY, String(nowMs + LOGIN_DAYS * DAY_MS));
}

/** Everything that this browser kept of a login. */
export function forgetLogin(storage: Storage = localStorage): void {
  storage.removeItem(KEY);
  forgetRole(storage);
}

export function mayBeLoggedIn(nowMs: number, storage: Storage = localStorage): boolean {
  return Number(storage.getItem(KEY) ?? 0) > nowMs;
}
