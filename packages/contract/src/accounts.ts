import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { PASSWORD_LENGTH } from "./constants.ts";
import { always } from "./fields.ts";
import { CODE_STEP, Email, FirstName, GivenPassword, NewPassword } from "./person-fields.ts";
import { TEXTS } from "./texts.ts";

const RedirectTo = z.string().max(2048);

export const login = defineCall({
  method: "POST",
  path: "/login.json",
  summary: "Sign in with e-mail and password, and a code if the user has an authenticator. The session is a cookie",
  access: "public",
  body: z.strictObject({ email: Email, password: GivenPassword, redirect_to: RedirectTo.optional(), ...CODE_STEP }),
  /** Either the path to continue at, or a request for an authenticator code. */
  reply: z.object({ redirect_to: z.string().optional(), require_otp_code: z.literal(1).optional() }),
});

export const SIGN_UP_ROLES = ["NEW", "ADV"] as const;
export type SignUpRole = (typeof SIGN_UP_ROLES)[number];

/** With a password, or with the `reqid` of a social sign-in that gave no e-mail. */
export const signUp = defineCall({
  method: "POST",
  path: "/reg.json",
  summary: "Sign up. A mailed link opens the account; the reply does not reveal whether the e-mail is taken",
  access: "public",
  body: z
    .strictObject({
      email: Email,
      name: FirstName,
      password: NewPassword.optional(),
      passConfirm: z.string().max(PASSWORD_LENGTH.max).optional(),
      role: z.enum(SIGN_UP_ROLES, TEXTS.required),
      agree: z.literal(true, TEXTS.agree),
      redirect_to: RedirectTo.optional(),
      reqid: z.string().min(1).max(128).optional(),
    })
    .check(
      always(({ password, reqid }) => password !== undefined || reqid !== undefined, "password", TEXTS.required),
      always(
        ({ password, passConfirm }) => (password ?? "") === (passConfirm ?? ""),
        "passConfirm",
        TEXTS.passwordsDiffer,
      ),
    ),
  reply: z.object({ sent_to: z.string() }),
});
