import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { OtpCode, RecoveryCode } from "./person-fields.ts";

/** A code or a recovery code. It is in the query, which is therefore never logged. */
const CodeQuery = z.strictObject({ code: z.union([OtpCode, RecoveryCode]) });

export const generateOtpSecret = defineCall({
  method: "GET",
  path: "/api/otp_secret_generate",
  summary: "Start to set up an authenticator: get its secret, the address for a QR code, and the recovery codes",
  access: "credentials.manage",
  reply: z.object({
    otp_secret: z.string(),
    /** `otpauth://` address (Key Uri Format). */
    otpauth_url: z.string(),
    /** Valid once the secret is saved; only shown here. */
    recovery_codes: z.array(z.string()),
    expires: z.iso.datetime(),
  }),
  changesState: true,
});

export const saveOtpSecret = defineCall({
  method: "POST",
  path: "/api/otp_secret_save",
  summary: "Turn on the authenticator, with one of its codes as proof; ends this session",
  access: "credentials.manage",
  query: z.strictObject({ code: OtpCode, secret: z.string().min(1).max(128) }),
  reply: z.object({ success: z.literal(true) }),
});

export const clearOtpSecret = defineCall({
  method: "GET",
  path: "/api/otp_secret_clear",
  summary: "Turn off the authenticator, with a code as proof; ends this session",
  access: "credentials.manage",
  query: CodeQuery,
  reply: z.object({ success: z.literal(true) }),
  changesState: true,
});

export const verifyOtpCode = defineCall({
  method: "POST",
  path: "/api/otp_verify_code",
  summary: "Verify the authenticator code of a new session",
  access: "mfa.verify",
  query: CodeQuery,
  reply: z.object({ success: z.literal(true) }),
});
