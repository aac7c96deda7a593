import { type Profile, TEXTS, deleteAccount } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
import { CodeFields } from "../../../../shared/form/code-fields.tsx";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { ownPath } from "../../../../shared/own-path.ts";
import { PATHS } from "../../../../shared/paths.ts";
import { CheckboxField } from "../../../../ui/form/checkbox-field.tsx";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { PasswordField } from "../../../../ui/form/password-field.tsx";
import { TextField } from "../../../../ui/form/text-field.tsx";
import { useDeleteAccount } from "../api.ts";
import { useLeave } from "../use-leave.ts";
import classes from "./parts.module.css";

type Values = Parameters<ReturnType<typeof useDeleteAccount>["mutateAsync"]>[0];

/** Asks for e-mail, password and code, then deletes the account. */
export function DeleteAccount({ profile, onCancel }: { profile: Profile; onCancel: () => void }) {
  const remove = useDeleteAccount();
  const leave = useLeave();
  const { has_password, has_authenticator, email, owed } = profile;
  const amounts = [
    ...(owed.earned > 0 ? [`${formatMoney(owed.earned)} that your apps have earned`] : []),
    ...(owed.prepaid > 0 ? [`${formatMoney(owed.prepaid)} of prepaid balance`] : []),
  ];
  const onItsWay = owed.on_its_way === undefined ? null : formatMoney(owed.on_its_way);
  const givenUp = onItsWay === null ? amounts : [...amounts, `${onItsWay} on its way, if it comes back`];

  const form = useContractForm({
    schema: deleteAccount.body,
    initial: { email: "" },
    check: (values) => {
      const wrong: Record<string, string> = {};
      if (values.email && values.email.trim().toLowerCase() !== email) wrong["email"] = "This is not your email";
      if (has_password && !values.password) wrong["password"] = TEXTS.required;
      if (givenUp.length > 0 && !values.give_up) wrong["give_up"] = TEXTS.required;
      const { otp_code, recovery_code } = values;
      // One of the two, depending on which is asked for.
      if (has_authenticator && !otp_code && !recovery_code) {
        wrong[recovery_code === undefined ? "otp_code" : "recovery_code"] = TEXTS.required;
      }
      return wrong;
    },
    send: (values: Values) => remove.mutateAsync(values),
    onDone: ({ redirect_uri }) =>
      leave(
        ownPath(redirect_uri, PATHS.landing),
        "Your account is deleted",
        "Your personal data is deleted. Thank you for using the platform.",
      ),
  });
  return (
    <Form {...form.props}>
      <ul className={classes.points}>
        <li>All apps and campaigns of this account stop immediately.</li>
        <li>You, your sub-users and your managers are signed out and can no longer sign in.</li>
        <li>Your name, e-mail, phone, sessions and all other personal data are deleted.</li>
        <li>
          Invoices keep the name and address that are on them, as the law requires. Other financial records are kept
          without your name.
        </li>
        {amounts.length > 0 ? (
          <li>
            The account is still owed {amounts.join(" and ")}. It cannot be paid out or returned after the deletion; to
            get it, wait for the payment or write to the operator first.
          </li>
        ) : null}
        {onItsWay === null ? null : (
          <li>
            {onItsWay} is on its way to you and is still paid. If it comes back after the deletion, it is not paid again
            unless you write to the operator. To be safe, wait until you have it.
          </li>
        )}
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
        <CodeFields
          otp={form.field("otp_code")}
          recovery={form.field("recovery_code")}
          label="Authenticator code"
          first={false}
          onSwap={form.set}
        />
      ) : null}
      {givenUp.length > 0 ? (
        <CheckboxField {...form.field("give_up")} label={`I give up ${givenUp.join(" and ")}`} />
      ) : null}
      <Submit {...form.submit} danger onCancel={onCancel}>
        Delete my account
      </Submit>
    </Form>
  );
}
