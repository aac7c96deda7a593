import { OTP_DIGITS, TEXTS } from "@millrace/contract";
import { z } from "zod";

/** A code of the authenticator, with the profile's error messages. */
export const SetupCode = z
  .string()
  .trim()
  .regex(new RegExp(`^\\d{${OTP_DIGITS}}$`), TEXTS.setupCodeLength);
