import type { Session } from "@millrace/contract";

const KEY = "millrace-agreement-later";

/** Who puts the terms off is not asked again in this tab; the next visit asks. */
export const putOffTerms = (user: string): void => sessionStorage.setItem(KEY, user);

/** The session, in which the terms are no question for who has put them off. */
export function unlessPutOff(session: Session): Session {
  if (sessionStorage.getItem(KEY) !== session.uuid) return session;
  return { ...session, globalConfig: { ...session.globalConfig, show_agreement: 0 } };
}
