import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { CODE_STEP, Email, NewPassword } from "./person-fields.ts";

/**
 * What a mailed link does: set a new password, activate the one chosen in the profile, open a new account, or accept an
 * invitation.
 */
export const TICKET_TYPES = ["reset_pass", "change_pass", "sign_up", "manager"] as const;
export type TicketType = (typeof TICKET_TYPES)[number];

export const remind = defineCall({
  method: "POST",
  path: "/remind.json",
  summary: "Request a link to reset the password. The reply does not reveal whether the e-mail is known",
  access: "public",
  body: z.strictObject({ email: Email }),
  reply: z.object({ sent_to: z.string() }),
});

/** `{uuid}-{salt}`: the link's id, and 128 random bits as its secret. */
const Ticket = z.strictObject({ ticket: z.string().max(256) });

export const checkTicket = defineCall({
  method: "GET",
  path: "/ticket/{ticket}.json",
  summary: "Get the purpose of a mailed link, or the reason why it cannot be used",
  access: "public",
  params: Ticket,
  reply: z.object({
    type: z.enum(TICKET_TYPES).nullable(),
    /**
     * Whether the password was already chosen, so that no input is needed. For a sign-up this is only true in the
     * browser
     * that signed up; an invited manager always chooses a password.
     */
    has_pass: z.boolean(),
    error: z.enum(["not_found", "not_last", "expired", "activated", "need_verify_otp"]).optional(),
  }),
});

export const redeemTicket = defineCall({
  method: "POST",
  path: "/ticket/{ticket}.json",
  summary:
    "Use a mailed link, once, with a password if `has_pass` is false. Signs the user in, unless the link changes a password in a browser where another user is signed in",
  access: "public",
  params: Ticket,
  body: z.strictObject({ pass: NewPassword.optional(), pass_confirm: z.string().max(128).optional(), ...CODE_STEP }),
  reply: z.object({ type: z.enum(TICKET_TYPES), redirect_to: z.string() }),
});
