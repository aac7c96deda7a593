const KEY = "millrace-signed-up";
const GOOD_FOR_MS = 24 * 3_600_000;

/**
 * Remembers the e-mail of a sign-up in this browser for as long as its mailed link is valid. Pages use it to help the
 * user without asking the server, which tells strangers nothing about accounts.
 */
export function rememberSignUp(email: string, nowMs: number, storage: Storage = localStorage): void {
  storage.setItem(KEY, JSON.stringify({ email, until: nowMs + GOOD_FOR_MS }));
}

/** The e-mail of a sign-up in this browser whose link may still be unopened, or null. */
export function waitingSignUp(nowMs: number, storage: Storage = localStorage): string | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null || !("email" in kept) || !("until" in kept)) return null;
    return typeof kept.email === "string" && Number(kept.until) > nowMs ? kept.email : null;
  } catch {
    return null;
  }
}

export function forgetSignUp(storage: Storage = localStorage): void {
  storage.removeItem(KEY);
}
