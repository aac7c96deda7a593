import { signUp } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../shared/paths.ts";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { sendSignUp } from "./api.ts";
import { rememberSignUp, waitingSignUp } from "../waiting-sign-up.ts";
import { CheckMail } from "./check-mail.tsx";
import { AuthLink, useRedirectTo, useWantedRole } from "./auth-link.tsx";
import classes from "./auth.module.css";
import type { SocialReturn } from "./read-social-return.ts";
import { SocialButtons } from "./social-buttons.tsx";
import { useSocialReturn } from "./use-social-return.ts";

const ROLES = [
  { value: "NEW", label: "Developer", hint: "I publish apps" },
  { value: "ADV", label: "Advertiser", hint: "I run campaigns" },
] as const;

/**
 * Creates an account, also after a social sign-in that returned no e-mail. The link in the confirmation mail opens it.
 */
export function SignUpForm() {
  const returned = useSocialReturn();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const redirectTo = useRedirectTo();
  const role = useWantedRole();
  const completion = returned?.kind === "completion" ? returned : null;
  const form = useContractForm({
    schema: signUp.body,
    initial: {
      ...(completion ? presets(completion) : { ...EMPTY, role, email: waitingSignUp(Date.now()) ?? "" }),
      agree: false,
      ...redirectTo,
    },
    message: returned?.kind === "error" ? returned.message : null,
    send: sendSignUp,
    onDone: (reply) => {
      rememberSignUp(reply.sent_to, Date.now());
      setSentTo(reply.sent_to);
    },
  });
  if (sentTo !== null) {
    return (
      // The identity provider's answer is valid for one submission.
      <CheckMail email={sentTo} onBack={completion ? null : () => setSentTo(null)}>
        Open its link within 24 hours to activate your account. Use this browser: in any other, you have to choose a
        password again.
      </CheckMail>
    );
  }
  return (
    <>
      {completion ? (
        <p className={classes.intro}>
          {completion.email === ""
            ? "Please enter your e-mail: it was not shared with us."
            : "Your e-mail is not confirmed yet: we will send you a mail to confirm it."}
        </p>
      ) : null}
      <Form {...form.props}>
        <ChoiceField {...form.field("role")} label="What brings you here" options={ROLES} />
        <TextField {...form.field("email")} label="Email" type="email" autoComplete="email" data-autofocus />
        <TextField {...form.field("name")} label="Name" autoComplete="given-name" />
        {completion ? null : (
          <>
            <PasswordField {...form.field("password")} label="Password" autoComplete="new-password" />
            <PasswordField {...form.field("passConfirm")} label="Repeat the password" autoComplete="new-password" />
          </>
        )}
        <CheckboxField {...form.field("agree")} label={<Agreement />} />
        <Submit {...form.submit}>Sign up</Submit>
      </Form>
      {completion ? null : <SocialButtons role={form.values.role === "ADV" ? "ADV" : "NEW"} />}
      <div className={classes.others}>
        <span>
          Have an account? <AuthLink authForm="login">Log in</AuthLink>
        </span>
      </div>
    </>
  );
}

const EMPTY = { email: "", name: "", password: "", passConfirm: "" };

const presets = ({ email, name, role, reqid }: Extract<SocialReturn, { kind: "completion" }>) => ({
  email,
  name,
  role,
  reqid,
});

const Agreement = () => (
  <>
    I agree to the{" "}
    <Link to={PATHS.terms} target="_blank">
      terms
    </Link>{" "}
    and have read the{" "}
    <Link to={PATHS.privacy} target="_blank">
      privacy notice
    </Link>
  </>
);
