import { browserBinding } from "../browser-binding.ts";
import { TICKET_HOURS } from "../tickets/ticket-kinds.ts";

/**
 * Identifies the browser of a sign-up. A stranger can sign up with another person's e-mail; the password they choose
 * counts only in their own browser, which never sees the mailed link.
 */
export const signUpBinding = browserBinding("millrace-signup", TICKET_HOURS.sign_up * 3600);
