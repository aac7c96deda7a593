import { browserBinding } from "../browser-binding.ts";
import { TICKET_HOURS } from "../tickets/ticket-kinds.ts";

/**
 * Which browser a sign-up was made in. Whoever types in the e-mail of somebody else chooses a password, too: it counts in
 * their own browser alone, which never sees the mailed link.
 */
export const signUpBinding = browserBinding("millrace-signup", TICKET_HOURS.sign_up * 3600);
