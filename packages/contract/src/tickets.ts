import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { CODE_STEP, Email, NewPassword } from "./person-fields.ts";

/**
 * The effect of a mailed link: set a new password, activate the one chosen in the profile, open a new account, or
 * accept an invitation.
 */
export const TICKET_TYPES = ["reset_pass", "change_pass", "sign_up", "manager"] as const;
export type TicketType = (typeof TICKET_TYPES)[number];

export const remind = defineCall({
  method: "POST",
  path: "/remind.json",
  summary: "Ask for a link that resets the password. The reply is the same whether the e-mail is known or not",
  access: "public",
  body: z.strictObject({ email: Email }),
  reply: z.object({ sent_to: z.string() }),
});

/** `{uuid}-{salt}`: the link's id, and the 128 random bits that prove it. */
const Ticket = z.strictObject({ ticket: z.string().max(256) });

export const checkTicket = defineCall({
  method: "GET",
  path: "/ticket/{ticket}.json",
  summary: "What a mailed link is for, and why it cannot be used where it cannot",
  access: "public",
  params: Ticket,
  reply: z.object({
    type: z.enum(TICKET_TYPES).nullable(),
    /**
     * Whether no input is needed because the password was already chosen. For a sign-up that is true only in the
     * browser that signed up; an invited manager always chooses a password.
     */
    has_pass: z.boolean(),
    error: z.enum(["not_found", "not_last", "expired", "activated", "need_verify_otp"]).optional(),
  }),
});

export const redeemTicket = defineCall({
  method: "POST",
  path: "/ticket/{ticket}.json",
  summary:
    "Use a mailed link, once; whoever does is signed in, but by a change in a browser that somebody else is signed in in. Where `has_pass` is false it takes a password",
  access: "public",
  params: Ticket,
  body: z.strictObject({ pass: NewPassword.optional(), pass_confirm: z.string().max(128).optional(), ...CODE_STEP }),
  reply: z.object({ type: z.enum(TICKET_TYPES), redirect_to: z.string() }),
});
