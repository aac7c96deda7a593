import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { OtpCode, RecoveryCode } from "./person-fields.ts";

/** A code, or a recovery code in its place. Both are in the query, which is therefore never logged. */
const CodeQuery = z.strictObject({ code: z.union([OtpCode, RecoveryCode]) });

export const generateOtpSecret = defineCall({
  method: "GET",
  path: "/api/otp_secret_generate",
  summary:
    "Begin to set an authenticator up: its secret, as text and as the address a QR code holds, and the recovery codes",
  access: "credentials.manage",
  reply: z.object({
    otp_secret: z.string(),
    /** `otpauth://` address (Key Uri Format). */
    otpauth_url: z.string(),
    /** In force once the secret is saved; shown this once. */
    recovery_codes: z.array(z.string()),
    expires: z.iso.datetime(),
  }),
  changesState: true,
});

export const saveOtpSecret = defineCall({
  method: "POST",
  path: "/api/otp_secret_save",
  summary: "Switch the authenticator on, proven by a code of it; ends this session",
  access: "credentials.manage",
  query: z.strictObject({ code: OtpCode, secret: z.string().min(1).max(128) }),
  reply: z.object({ success: z.literal(true) }),
});

export const clearOtpSecret = defineCall({
  method: "GET",
  path: "/api/otp_secret_clear",
  summary: "Switch the authenticator off, proven by a code; ends this session",
  access: "credentials.manage",
  query: CodeQuery,
  reply: z.object({ success: z.literal(true) }),
  changesState: true,
});

export const verifyOtpCode = defineCall({
  method: "POST",
  path: "/api/otp_verify_code",
  summary: "Give the code that the session owes",
  access: "mfa.verify",
  query: CodeQuery,
  reply: z.object({ success: z.literal(true) }),
});
