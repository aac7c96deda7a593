import { SIGN_UP_ROLES, SOCIAL_ERRORS, SOCIAL_SERVICES, type SignUpRole, type SocialService } from "@millrace/contract";

/** The result of a social sign-in: a step that is left, or an error. */
export type SocialReturn =
  | { kind: "code"; service: SocialService; reqid: string }
  | { kind: "completion"; reqid: string; name: string; email: string; role: SignUpRole }
  | { kind: "error"; message: string };

/** The query parameters that a social sign-in may add; they are removed once read. */
export const RETURN_KEYS = ["error", "service", "reqid", "service_acc_id", "name", "surname", "role", "email"] as const;

/** Reads the result of a social sign-in from a query; null if there is none. */
export function readSocialReturn(search: Readonly<Record<string, unknown>>): SocialReturn | null {
  const text = (key: (typeof RETURN_KEYS)[number]) => (typeof search[key] === "string" ? search[key] : "");
  const error = text("error");
  if (error === "") return null;
  const reqid = text("reqid");
  const service = SOCIAL_SERVICES.find((known) => known === text("service"));
  if (error === "require_otp_code" && service !== undefined && reqid !== "") return { kind: "code", service, reqid };
  if (error === "no_email" && reqid !== "") {
    const role = SIGN_UP_ROLES.find((known) => known === text("role")) ?? "NEW";
    return { kind: "completion", reqid, name: text("name"), email: text("email"), role };
  }
  return { kind: "error", message: sentenceOf(error) };
}

const sentenceOf = (error: string): string =>
  Object.hasOwn(SOCIAL_ERRORS, error) ? SOCIAL_ERRORS[error as keyof typeof SOCIAL_ERRORS] : SOCIAL_ERRORS.other;
