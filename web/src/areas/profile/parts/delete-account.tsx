import { type Profile, TEXTS, deleteAccount } from "@millrace/contract";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { ownPath } from "../../../shared/own-path.ts";
import { PATHS } from "../../../shared/paths.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { CodeField, TextField } from "../../../ui/form/text-field.tsx";
import { useDeleteAccount } from "../api.ts";
import { useLeave } from "../use-leave.ts";
import classes from "./parts.module.css";

type Values = Parameters<ReturnType<typeof useDeleteAccount>["mutateAsync"]>[0];

/** Asks for everything that proves the person, then deletes. */
export function DeleteAccount({ profile, onCancel }: { profile: Profile; onCancel: () => void }) {
  const remove = useDeleteAccount();
  const leave = useLeave();
  const [lost, setLost] = useState(false);
  const { has_password, has_authenticator, email } = profile;
  const codeName = lost ? "recovery_code" : "otp_code";

  const form = useContractForm({
    schema: deleteAccount.body,
    initial: { email: "" },
    check: (values) => {
      const wrong: Record<string, string> = {};
      if (values.email && values.email.trim().toLowerCase() !== email) wrong["email"] = "This is not your email";
      if (has_password && !values.password) wrong["password"] = TEXTS.required;
      if (has_authenticator && !values[codeName]) wrong[codeName] = TEXTS.required;
      return wrong;
    },
    send: (values: Values) => remove.mutateAsync(values),
    onDone: ({ redirect_uri }) =>
      leave(
        ownPath(redirect_uri, PATHS.landing),
        "Your account is deleted",
        "Your personal data is gone. Thank you for the time you were here.",
      ),
  });
  return (
    <Form {...form.props}>
      <ul className={classes.points}>
        <li>All apps and campaigns of this account stop at once.</li>
        <li>You, your sub-users and your managers are signed out and cannot sign in any more.</li>
        <li>Your name, e-mail, phone, sign-ins and everything else that is personal is deleted from every store.</li>
        <li>Bookings of money stay, as the law asks, without your name.</li>
      </ul>
      <TextField
        {...form.field("email")}
        label="Your email"
        description={email}
        type="email"
        autoComplete="off"
        data-autofocus
      />
      {has_password ? (
        <PasswordField {...form.field("password")} label="Password" autoComplete="current-password" />
      ) : null}
      {has_authenticator ? (
        <>
          {lost ? (
            <TextField {...form.field("recovery_code")} label="Recovery code" autoComplete="off" maxLength={32} />
          ) : (
            <CodeField {...form.field("otp_code")} label="Authenticator code" />
          )}
          <button
            type="button"
            className={classes.link}
            onClick={() => {
              // Only one of the two is sent.
              const { otp_code: _, recovery_code: __, ...kept } = form.values;
              form.reset();
              form.set(kept);
              setLost(!lost);
            }}
          >
            {lost ? "Use a code of the authenticator" : "Use a recovery code"}
          </button>
        </>
      ) : null}
      <Submit {...form.submit} danger onCancel={onCancel}>
        Delete my account
      </Submit>
    </Form>
  );
}
