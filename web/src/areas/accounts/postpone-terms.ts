import type { Session } from "@millrace/contract";

const KEY = "millrace-agreement-later";

/** Postpones the terms in this tab; the next visit asks again. */
export const postponeTerms = (user: string): void => sessionStorage.setItem(KEY, user);

/** The session without the terms prompt if the user postponed it. */
export function unlessPostponed(session: Session): Session {
  if (sessionStorage.getItem(KEY) !== session.uuid) return session;
  return { ...session, globalConfig: { ...session.globalConfig, show_agreement: 0 } };
}
