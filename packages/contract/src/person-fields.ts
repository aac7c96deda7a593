import { z } from "zod";
import { NAME_LENGTH, OTP_DIGITS, PASSWORD_LENGTH, PASSWORD_PATTERN, PHONE_LENGTH } from "./constants.ts";
import { TEXTS } from "./texts.ts";

// The fields of a person, with the product's error texts.

const WORD = "[A-Za-z'._-]+";
const NAME = new RegExp(`^${WORD}( ${WORD}){0,2}$`);

export const Email = z
  .string()
  .trim()
  .min(1, TEXTS.required)
  .max(254)
  .pipe(z.email(TEXTS.invalidEmail))
  .transform((email) => email.toLowerCase());

/** The password of a sign-in; the rules for new passwords do not apply. */
export const GivenPassword = z.string().min(1, TEXTS.required).max(PASSWORD_LENGTH.max, TEXTS.passwordTooLong);

export const NewPassword = z
  .string()
  .min(1, TEXTS.required)
  .regex(PASSWORD_PATTERN, TEXTS.passwordAlphabet)
  .min(PASSWORD_LENGTH.min, TEXTS.passwordTooShort)
  .max(PASSWORD_LENGTH.max, TEXTS.passwordTooLong);

/** Up to three words of Latin letters, apostrophes, hyphens, dots and underscores. */
export const FirstName = z
  .string()
  .trim()
  .min(1, TEXTS.required)
  .min(NAME_LENGTH.min, TEXTS.nameTooShort)
  .max(NAME_LENGTH.max, TEXTS.nameTooLong)
  .regex(NAME, TEXTS.nameAlphabet);

/** The same rule as a first name's, or nothing. */
export const Surname = z
  .string()
  .trim()
  .max(NAME_LENGTH.max, TEXTS.nameTooLong)
  .refine((name) => name === "" || name.length >= NAME_LENGTH.min, TEXTS.nameTooShort)
  .refine((name) => name === "" || NAME.test(name), TEXTS.nameAlphabet);

/** A plus and 9 to 15 digits, or nothing. */
export const Phone = z
  .string()
  .trim()
  .regex(/^\+?\d*$/, TEXTS.phoneAlphabet)
  .refine((phone) => phone === "" || phone.length >= PHONE_LENGTH.min, TEXTS.phoneTooShort)
  .refine((phone) => phone.replace("+", "").length <= PHONE_LENGTH.maxDigits, TEXTS.phoneTooLong);

/** A code of the authenticator (RFC 6238). */
export const OtpCode = z.string().trim().regex(/^\d*$/, TEXTS.codeDigits).length(OTP_DIGITS, TEXTS.codeLength);

/** One of the codes issued with the authenticator, for when it is lost; hyphens and case do not matter. */
export const RecoveryCode = z.string().trim().min(1, TEXTS.required).max(32);

/** The second step of a sign-in with an authenticator: a code or a recovery code. */
export const CODE_STEP = { otp_code: OtpCode.optional(), recovery_code: RecoveryCode.optional() };
