import { type AuthForm, AUTH_TITLES } from "../auth/auth-form.ts";
import { AUTH_CONTENT } from "../auth/auth-content.tsx";
import { AuthFrame } from "../auth/auth-frame.tsx";

function AuthPage({ authForm }: { authForm: AuthForm }) {
  const Content = AUTH_CONTENT[authForm];
  return (
    <AuthFrame title={AUTH_TITLES[authForm]}>
      <Content />
    </AuthFrame>
  );
}

export const LoginPage = () => <AuthPage authForm="login" />;
export const SignUpPage = () => <AuthPage authForm="signup" />;
export const RecoveryPage = () => <AuthPage authForm="recovery" />;
