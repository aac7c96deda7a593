import type { AuthForm } from "./auth-form.ts";
import { LoginForm } from "./login-form.tsx";
import { RecoveryForm } from "./recovery-form.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

/** The content of each auth form. */
export const AUTH_CONTENT = {
  login: LoginForm,
  signup: SignUpForm,
  recovery: RecoveryForm,
} as const satisfies Record<AuthForm, () => React.ReactNode>;
