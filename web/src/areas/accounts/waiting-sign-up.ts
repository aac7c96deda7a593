const KEY = "millrace-signed-up";
const GOOD_FOR_MS = 24 * 3_600_000;

/**
 * That somebody signed up in this browser, with which e-mail, for as long as the mailed link is good. What a page tells by
 * it, this browser knows already: the server is not asked, and answers strangers nothing.
 */
export function rememberSignUp(email: string, nowMs: number, storage: Storage = localStorage): void {
  storage.setItem(KEY, JSON.stringify({ email, until: nowMs + GOOD_FOR_MS }));
}

/** The e-mail of a sign-up here whose link may still wait to be opened, or null. */
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
