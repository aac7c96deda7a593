import { PATHS } from "../../../shared/paths.ts";

/** The three auth forms; each is a page of its own and a dialog of the landing page. */
export const AUTH_FORMS = ["login", "signup", "recovery"] as const;
export type AuthForm = (typeof AUTH_FORMS)[number];

export const AUTH_TITLES = {
  login: "Log in",
  signup: "Sign up",
  recovery: "Password recovery",
} as const satisfies Record<AuthForm, string>;

export const AUTH_PATHS = {
  login: PATHS.login,
  signup: PATHS.signup,
  recovery: PATHS.recovery,
} as const satisfies Record<AuthForm, string>;

export const authFormOf = (value: unknown): AuthForm | null => AUTH_FORMS.find((form) => form === value) ?? null;
