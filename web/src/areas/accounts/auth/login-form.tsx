import { Button } from "@mantine/core";
import { login, socialLogin, TEXTS, type SocialService } from "@millrace/contract";
import { useState } from "react";
import { ApiError } from "../../../shared/call-api.ts";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { endSocial, sendLogin } from "./api.ts";
import { useFinishSignIn } from "../use-finish-sign-in.ts";
import { CodeFields } from "../../../shared/form/code-fields.tsx";
import { waitingSignUp } from "../waiting-sign-up.ts";
import { AuthLink, useRedirectTo } from "./auth-link.tsx";
import classes from "./auth.module.css";
import { Refusal } from "./refusal.tsx";
import { SocialButtons } from "./social-buttons.tsx";
import { useSocialReturn } from "./use-social-return.ts";

/**
 * Sign-in: by e-mail and password or through an identity provider, followed by a code if the user has an authenticator.
 */
export function LoginForm() {
  const returned = useSocialReturn();
  const [social, setSocial] = useState(returned?.kind === "code" ? returned : null);
  if (social) return <SocialCode service={social.service} reqid={social.reqid} onBack={() => setSocial(null)} />;
  return <PasswordLogin message={returned?.kind === "error" ? returned.message : null} />;
}

/** Asks for e-mail and password, then for a code if the reply requires one. */
function PasswordLogin({ message }: { message: string | null }) {
  const redirectTo = useRedirectTo();
  const { enterAndGo } = useFinishSignIn();
  // The refused e-mail: if it signed up in this browser, its confirmation mail may still be unopened.
  const [refused, setRefused] = useState<string | null>(null);
  const [step, setStep] = useState<"first" | "code" | "first again">("first");
  const form = useContractForm({
    schema: login.body,
    initial: { email: "", password: "", ...redirectTo },
    message,
    send: async (body) => {
      setRefused(null);
      try {
        return await sendLogin(body);
      } catch (failure) {
        if (failure instanceof ApiError && failure.status === 422) setRefused(body.email.trim().toLowerCase());
        throw failure;
      }
    },
    onDone: (reply) => {
      if (reply.require_otp_code !== 1) return enterAndGo(reply.redirect_to);
      form.set({ otp_code: "" });
      setStep("code");
    },
  });
  if (step === "code") {
    const back = () => {
      form.set({ otp_code: undefined, recovery_code: undefined });
      setStep("first again");
    };
    return (
      <Form {...form.props}>
        <CodeFields otp={form.field("otp_code")} recovery={form.field("recovery_code")} onSwap={form.set} />
        <Submit {...form.submit} message={<Refusal text={form.submit.message} />} beside={<GoBack onClick={back} />}>
          Log in
        </Submit>
      </Form>
    );
  }
  return (
    <>
      <Form {...form.props}>
        <TextField
          {...form.field("email")}
          label="Email"
          type="email"
          autoComplete="username"
          data-autofocus
          // Returning from the code form focuses a field, so keyboard users keep their place.
          takesFocus={step === "first again"}
        />
        <PasswordField {...form.field("password")} label="Password" autoComplete="current-password" />
        <Submit {...form.submit} message={<Refusal text={form.submit.message} />}>
          Log in
        </Submit>
      </Form>
      {refused !== null && refused === waitingSignUp(Date.now()) ? <WaitingMail email={refused} /> : null}
      <SocialButtons />
      <div className={classes.others}>
        <AuthLink authForm="recovery">Forgot password?</AuthLink>
        <span>
          New here? <AuthLink authForm="signup">Sign up</AuthLink>
        </span>
      </div>
    </>
  );
}

const WaitingMail = ({ email }: { email: string }) => (
  <p className={classes.intro} role="status">
    You signed up as {email} in this browser. Open the link in the mail that we sent to activate the account. Check your
    spam folder, or <AuthLink authForm="signup">sign up again</AuthLink> to get another mail.{" "}
  </p>
);

const SOCIAL_CODE_ERRORS: ReadonlyMap<string, string> = new Map([
  ["wrong_otp_code", TEXTS.wrongSocialCode],
  ["reqid_expired", TEXTS.socialSessionExpired],
]);

/** Asks for the code that a sign-in through an identity provider still needs. */
function SocialCode({ service, reqid, onBack }: { service: SocialService; reqid: string; onBack: () => void }) {
  const { enterAndGo } = useFinishSignIn();
  const form = useContractForm({
    schema: socialLogin.body.unwrap(),
    initial: { reqid, otp_code: "" },
    send: async (body) => {
      try {
        return await endSocial(service, body);
      } catch (failure) {
        const sentence = failure instanceof ApiError ? SOCIAL_CODE_ERRORS.get(failure.message) : undefined;
        throw sentence === undefined || !(failure instanceof ApiError)
          ? failure
          : new ApiError(failure.status, sentence);
      }
    },
    onDone: (reply) => enterAndGo(reply.redirect_to),
  });
  return (
    <Form {...form.props}>
      <CodeFields otp={form.field("otp_code")} recovery={form.field("recovery_code")} onSwap={form.set} />
      <Submit {...form.submit} message={<Refusal text={form.submit.message} />} beside={<GoBack onClick={onBack} />}>
        Log in
      </Submit>
    </Form>
  );
}

const GoBack = ({ onClick }: { onClick: () => void }) => (
  <Button variant="default" onClick={onClick}>
    Go back
  </Button>
);
